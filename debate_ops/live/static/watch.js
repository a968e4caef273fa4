"use strict";

// What participants wrote is escaped by the server, as on the report; only this script may run.
const at = (id) => document.getElementById(id);
const cards = new Map();

function show(state) {
  document.title = state.title ?? document.title;
  for (const id of ["slug", "motion", "place"]) {
    if (id in state && at(id).textContent !== state[id]) at(id).textContent = state[id];
  }
  if (!state.entries) return;
  at("now").innerHTML = state.now;
  for (const time of document.querySelectorAll("#now time")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString();
  }
  // By all that is shown of an entry: after an undo another one may have the same id.
  for (const [html, card] of cards) {
    if (!state.entries.includes(html)) { card.remove(); cards.delete(html); }
  }
  for (const html of state.entries.filter((each) => !cards.has(each))) {
    at("entries").insertAdjacentHTML("afterbegin", html);
    cards.set(html, at("entries").firstElementChild);
  }
}

function connect() {
  const source = new EventSource(`events${location.search}`);
  source.addEventListener("open", () => { at("connection").textContent = "live"; });
  source.addEventListener("state", (event) => { show(JSON.parse(event.data)); });
  source.addEventListener("error", async () => {
    at("connection").textContent = "no connection; trying again …";
    if (source.readyState !== EventSource.CLOSED) return;  // the browser tries again by itself
    const { status } = await fetch(location.search).catch(() => ({ status: 0 }));
    if ([403, 404].includes(status)) at("connection").textContent = "this link is not valid any more";
    else setTimeout(connect, 3000);
  });
}

connect();

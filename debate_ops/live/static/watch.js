"use strict";

// Everything is put in as text: nothing that a participant wrote is ever read as HTML.
const key = new URLSearchParams(location.search).get("key");
const at = (id) => document.getElementById(id);
const make = (tag, name, text) => {
  const element = document.createElement(tag);
  if (name) element.className = name;
  if (text !== undefined) element.textContent = text;
  return element;
};
const address = (path) => `${path}?${new URLSearchParams({ key })}`;

const clock = (time) => new Date(time).toLocaleTimeString();
const nameOf = (state, id) => state.names[id] || id;
const sideOf = (state, id) => (state.sides.includes(id) ? ` side-${state.sides.indexOf(id)}` : "");
const byline = (state, id) => make("strong", "who", nameOf(state, id));

const cards = new Map();

function connect() {
  const source = new EventSource(address("events"));
  source.addEventListener("open", () => { at("connection").textContent = "live"; });
  source.addEventListener("state", (event) => { show(JSON.parse(event.data)); });
  source.addEventListener("error", async () => {
    at("connection").textContent = "no connection; trying again …";
    if (source.readyState !== EventSource.CLOSED) return;  // the browser tries again by itself
    const { status } = await fetch(address("")).catch(() => ({ status: 0 }));
    if ([403, 404].includes(status)) at("connection").textContent = "this link is not valid any more";
    else setTimeout(connect, 3000);
  });
}

function show(state) {
  if (state.error) {
    at("place").textContent = `The debate cannot be read now: ${state.error}`;
    return;
  }
  const place = [state.place, state.hold && state.state !== "done"
    ? state.reason || `${state.hold.state} by ${state.hold.by}` : state.reason];
  document.title = `${state.place || state.reason}: ${state.motion}`;
  at("slug").textContent = state.slug;
  at("motion").textContent = state.motion;
  at("place").textContent = place.filter(Boolean).join(": ")
    + (state.running && (state.state === "done" || !state.hold) ? ", running" : "");
  outcome(state);
  facts(state);
  lead(state);
  failures(state);
  calls(state);
  record(state);
}

function outcome({ outcome: found }) {
  at("outcome").hidden = !found;
  if (!found) return;
  at("answer-given").textContent = found.answer;
  at("sureness").textContent = found.sureness && `How sure: ${found.sureness}.`;
}

function facts(state) {
  const { used, replies } = state;
  const rows = replies.left === null
    ? (replies.done ? [["replies", `${replies.done}`]] : [])
    : [["replies", `${replies.done} of ${replies.done + replies.left}`]];
  if (used.tokens) rows.push(["tokens", `${used.tokens.toLocaleString("en")}${used.uncounted ? `, unknown for ${used.uncounted} replies` : ""}`]);
  if (used.unpriced < used.replies && used.cost) rows.push(["cost", `$${used.cost.toFixed(4)}${used.unpriced ? `, unknown for ${used.unpriced} replies` : ""}`]);
  at("facts").replaceChildren(...rows.map(([name, value]) => {
    const row = make("div");
    row.append(make("dt", "", name), make("dd", "", value));
    return row;
  }));
}

function lead(state) {
  at("lead").hidden = !state.lead;
  if (!state.lead) return;
  const { side, size } = state.lead;
  at("lead").className = sideOf(state, side).trim();
  at("lead").replaceChildren("Lead: ", side ? byline(state, side) : "level", side ? ` by ${size}` : "");
}

function failures(state) {
  at("failures").replaceChildren(...state.failed.map((event) => make("li", "",
    `${nameOf(state, event.participant) || "The run"}${event.by ? ` (${event.by})` : ""} failed at ${clock(event.at)}`)));
}

function calls(state) {
  const waiting = new Set(state.calls.map((call) => call.participant));
  const others = state.tasks.filter((task) => !waiting.has(task.participant));
  at("now").hidden = !state.calls.length && !others.length;
  at("calls").replaceChildren(
    ...state.calls.map((call) => {
      const box = make("div", `call${sideOf(state, call.participant)}`);
      box.append(byline(state, call.participant), ` is writing since ${clock(call.since)} `, make("span", "quiet", `(${call.by})`));
      const task = state.tasks.find((one) => one.participant === call.participant);
      if (task && task.attempts) box.append(make("p", "unchecked", refusal(task)));
      if (call.text) box.append(make("p", "unchecked", "Not checked yet"), make("pre", "", call.text));
      return box;
    }),
    ...others.map((task) => {
      const row = make("p", sideOf(state, task.participant).trim());
      const words = { replied: "has replied", skipped: "goes on without a reply", refused: refusal(task) };
      row.append(byline(state, task.participant), `: ${words[task.status] || `no reply yet, asked at ${clock(state.asked_at)}`}`);
      return row;
    }),
  );
}

function refusal(task) {
  const times = task.attempts > 1 ? `${task.attempts} times` : "once";
  return `refused ${times}; to be repaired`;
}

function record(state) {
  at("count").textContent = `(${state.entries.length})`;
  // By all that is known of an entry: after an undo another one may have the same id.
  const there = new Map(state.entries.map((entry) => [JSON.stringify(entry), entry]));
  for (const [known, card] of cards) {
    if (!there.has(known)) { card.remove(); cards.delete(known); }
  }
  for (const [known, entry] of there) {
    if (!cards.has(known)) cards.set(known, add(state, entry));
  }
  for (const old of document.querySelectorAll(".word")) old.remove();
  for (const word of [...state.words].reverse()) {
    const box = make("p", "word", `${word.by} to ${word.to || "everybody"}: ${word.text}`);
    at("entries").prepend(box);
  }
}

function add(state, entry) {
  const card = make("article", `card${sideOf(state, entry.participant)}`);
  card.id = entry.id;
  const maker = entry.person ? `, written by ${entry.person}, a person` : "";
  const meta = make("p", "meta");
  meta.append(byline(state, entry.participant), `${entry.kind}${maker}`, make("span", "id", entry.id));
  card.append(meta, make("h3", "", entry.headline));
  const more = make("details");
  more.append(make("summary", "", "Text"), ...entry.texts.map((line) => make("p", "", line)));
  card.append(more);
  at("entries").prepend(card);
  return card;
}

connect();

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
const address = (path, more = {}) => `${path}?${new URLSearchParams({ key, ...more })}`;

let seat = { name: "", owner: false, viewer: true };
let asked = "";
const cards = new Map();

const source = new EventSource(address("events"));
source.addEventListener("open", () => { at("connection").textContent = "live"; });
source.addEventListener("error", () => { at("connection").textContent = "no connection; trying again …"; });
source.addEventListener("seat", (event) => { seat = JSON.parse(event.data); });
source.addEventListener("state", (event) => { show(JSON.parse(event.data)); });

function show(state) {
  if (state.error) {
    at("place").textContent = `The debate cannot be read now: ${state.error}`;
    return;
  }
  document.title = `${state.place}: ${state.motion}`;
  at("slug").textContent = state.slug;
  at("motion").textContent = state.motion;
  at("place").textContent = state.hold && state.state !== "done"
    ? `${state.place}: ${state.reason || `${state.hold.state} by ${state.hold.by}`}`
    : `${state.place}${state.reason ? `: ${state.reason}` : ""}${state.running ? ", running" : ""}`;
  facts(state);
  at("controls").hidden = !seat.owner;
  receivers(state);
  calls(state);
  record(state);
  turn(state);
}

function facts(state) {
  const rows = Object.entries(state.totals).map(([side, total]) => [side, `${total.total}`]);
  const used = state.used;
  if (used.tokens) rows.push(["tokens", `${used.tokens.toLocaleString("en")}${used.uncounted ? `, unknown for ${used.uncounted} replies` : ""}`]);
  if (used.unpriced < used.replies && used.cost) rows.push(["cost", `$${used.cost.toFixed(4)}${used.unpriced ? `, unknown for ${used.unpriced} replies` : ""}`]);
  if (used.replies) rows.push(["replies", `${used.replies}`]);
  at("facts").replaceChildren(...rows.map(([name, value]) => {
    const row = make("div");
    row.append(make("dt", "", name), make("dd", "", value));
    return row;
  }));
}

function receivers(state) {
  const names = [...new Set([...state.tasks, ...state.entries].map((item) => item.participant))];
  const known = [...at("to").options].map((option) => option.value);
  for (const name of names) {
    if (name && !known.includes(name)) at("to").append(new Option(name, name));
  }
}

function calls(state) {
  const waiting = new Set(state.calls.map((call) => call.participant));
  const others = state.tasks.filter((task) => !waiting.has(task.participant));
  at("now").hidden = !state.calls.length && !others.length;
  at("calls").replaceChildren(
    ...state.calls.map((call) => {
      const box = make("div", "call");
      box.append(make("strong", "", `${call.participant} is writing`), make("span", "quiet", ` (${call.by}, since ${call.since.slice(11, 19)})`));
      if (call.text) box.append(make("p", "unchecked", "Not checked yet"), make("pre", "", call.text));
      return box;
    }),
    ...others.map((task) => make("p", "quiet", `${task.participant}: ${task.status}`)),
  );
}

function record(state) {
  at("count").textContent = `(${state.entries.length})`;
  const there = new Set(state.entries.map((entry) => entry.id));
  for (const [id, card] of cards) {
    if (!there.has(id)) { card.remove(); cards.delete(id); }
  }
  for (const entry of state.entries) {
    if (!cards.has(entry.id)) add(entry);
  }
  for (const old of document.querySelectorAll(".word")) old.remove();
  for (const word of [...state.words].reverse()) {
    const box = make("p", "word", `${word.by} to ${word.to || "everybody"}: ${word.text}`);
    at("entries").prepend(box);
  }
}

function add(entry) {
  const card = make("article", "entry");
  card.id = entry.id;
  const maker = entry.person ? `, written by ${entry.person}, a person` : "";
  card.append(make("h3", "", entry.headline), make("p", "quiet", `${entry.participant}, ${entry.id}${maker}`));
  const more = make("details");
  more.append(make("summary", "", "Text"));
  more.addEventListener("toggle", async () => {
    if (!more.open || more.dataset.read) return;
    more.dataset.read = "yes";
    const answer = await fetch(address(`entry/${encodeURIComponent(entry.id)}`));
    const data = answer.ok ? await answer.json() : { lines: ["This entry was taken back."] };
    for (const line of data.lines) more.append(make("p", "", line));
  });
  card.append(more);
  cards.set(entry.id, card);
  at("entries").prepend(card);
}

async function turn(state) {
  const due = state.tasks.filter((task) => ["waiting", "refused"].includes(task.status));
  const byPerson = new Set(state.calls.filter((call) => call.by.startsWith("person ")).map((call) => call.participant));
  const mine = due.find((task) => task.participant === seat.name)
    || (seat.owner && due.find((task) => byPerson.has(task.participant)));
  const now = mine ? `${state.step} ${mine.participant} ${mine.status}` : "";
  at("turn").hidden = !mine;
  if (now === asked) return;
  asked = now;
  at("faults").replaceChildren();
  if (!mine) return;
  at("turn-title").textContent = `Your turn, as ${mine.participant}`;
  const answer = await fetch(address("form", { as: mine.participant }));
  const data = await answer.json();
  if (!data.success) return faults(data);
  at("prompt").textContent = data.prompt + (data.repair ? `\n\n${data.repair}` : "");
  at("text").value = data.form;
  at("reply").dataset.participant = mine.participant;
}

function faults(data) {
  const list = make("ul");
  list.append(...(data.faults || []).map((fault) => make("li", "", fault)));
  at("faults").replaceChildren(make("p", "", `${data.error}. ${data.hint || ""}`), list);
}

async function act(body) {
  const answer = await fetch(address("act"), { method: "POST", body: JSON.stringify(body) });
  const text = await answer.text();
  try { return JSON.parse(text); } catch { return { success: false, error: text }; }
}

for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", async () => {
    const data = await act({ act: button.dataset.act });
    at("answer").textContent = data.success ? "" : `${data.error} ${data.hint || ""}`;
  });
}

at("say").addEventListener("submit", async (event) => {
  event.preventDefault();
  const data = await act({ act: "say", text: at("word").value, to: at("to").value });
  at("answer").textContent = data.success ? "" : `${data.error} ${data.hint || ""}`;
  if (data.success) at("word").value = "";
});

at("reply").addEventListener("submit", async (event) => {
  event.preventDefault();
  const to = event.target.dataset.participant;
  const data = await act({ act: "reply", to, text: at("text").value, by: at("by").value });
  if (data.success) at("faults").replaceChildren(make("p", "", "Filed."));
  else faults(data);
});

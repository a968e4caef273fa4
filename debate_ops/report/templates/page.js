(() => {
  "use strict";
  const by = (id) => document.getElementById(id);
  const cards = [...document.querySelectorAll("article.card")];
  const groups = [...document.querySelectorAll(".group")];
  const known = new Map(cards.map((card) => [card.id, card]));
  const fields = ["q", "side", "kind", "state", "theme"].map(by).filter(Boolean);
  const single = by("single");
  const numbers = new Intl.NumberFormat("en");
  const tops = new Map();
  let at = Date.now();
  let texts = null;
  let current = "";

  const value = (id) => (by(id) ? by(id).value : "");

  // ---------------------------------------------------------------- filter

  const text = (place) => {
    texts = texts || cards.map((card) => card.textContent.toLowerCase());
    return texts[place];
  };

  const searched = () => value("q").toLowerCase().split(/\s+/).filter(Boolean);

  const passes = (card, place, words) =>
    (!value("side") || card.dataset.who === value("side")) &&
    (!value("kind") || card.dataset.kind === value("kind")) &&
    (!value("state") || card.dataset.states.split("|").includes(value("state"))) &&
    words.every((word) => text(place).includes(word));

  const marked = new Map();
  for (const shape of document.querySelectorAll("svg [data-of], svg a[href^='#']")) {
    const id = shape.dataset.of || shape.getAttribute("href").slice(1);
    marked.set(id, [...(marked.get(id) || []), shape]);
  }

  const filter = () => {
    const words = searched();
    let hits = 0;
    cards.forEach((card, place) => {
      const shown = passes(card, place, words);
      hits += shown;
      card.hidden = !shown;
      card.classList.remove("outside");
      for (const shape of marked.get(card.id) || []) shape.classList.toggle("dim", !shown);
    });
    for (const group of groups) {
      group.hidden = !group.querySelector(".card:not([hidden])");
      if (hits < cards.length && !group.hidden) group.open = true;
    }
    const all = `${numbers.format(cards.length)} ${cards.length === 1 ? "entry" : "entries"}`;
    by("count").textContent = hits === cards.length ? all : `${numbers.format(hits)} of ${all}`;
    point(words);
  };

  // What is found is listed below the bar while that is used, and marked where it stands.
  const point = (words) => {
    const shown = cards.filter((card) => !card.hidden);
    const list = by("hits");
    list.hidden = shown.length === cards.length;
    list.replaceChildren(
      ...shown.slice(0, 30).map((card) => {
        const link = document.createElement("a");
        link.href = `#${card.id}`;
        const who = document.createElement("small");
        who.textContent = ` ${card.querySelector(".who").textContent}`;
        link.append(card.querySelector("h4").textContent, who);
        return link;
      }),
    );
    if (!shown.length) list.append("No entry has this.");
    if (!window.Highlight || !CSS.highlights) return;
    const ranges = [];
    for (const card of words.length ? shown : []) {
      const walker = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
      while (walker.nextNode() && ranges.length < 2000) {
        const node = walker.currentNode;
        const said = node.data.toLowerCase();
        if (said.length !== node.length) continue;
        for (const word of words) {
          for (let at = said.indexOf(word); at >= 0; at = said.indexOf(word, at + word.length)) {
            const range = new Range();
            range.setStart(node, at);
            range.setEnd(node, at + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("hit", new Highlight(...ranges));
  };

  const unfold = (part) => {
    for (; part; part = part.parentElement.closest("details")) {
      if (part.localName === "details") part.open = true;
    }
  };

  const reveal = (card) => {
    unfold(card);
    const words = searched();
    for (const fold of card.querySelectorAll("details")) {
      const said = fold.textContent.toLowerCase();
      if (words.some((word) => said.includes(word))) fold.open = true;
    }
    if (!card.hidden) return;
    card.hidden = false;
    card.classList.add("outside");
    card.closest(".group").hidden = false;
    by("count").textContent += `; ${card.id} is shown besides`;
  };

  // ---------------------------------------------------------------- address

  const written = () => {
    const state = new URLSearchParams();
    if (current) state.set("id", current);
    for (const field of fields) if (field.value) state.set(field.id, field.value);
    if (!single.checked) state.set("keys", "off");
    const keys = [...state.keys()];
    return keys.length === 1 && keys[0] === "id" ? current : state.toString();
  };

  const keep = (isNew) => {
    const address = `#${written()}`;
    if (address === (location.hash || "#")) return;
    if (isNew) at += 1;
    history[isNew ? "pushState" : "replaceState"]({ at }, "", address);
  };

  const read = (scrolls) => {
    const hash = location.hash.slice(1);
    const isState = hash.includes("=");
    if (hash && !isState && !known.has(hash)) return unfold(by(hash));
    const state = isState ? new URLSearchParams(hash) : new URLSearchParams(hash ? { id: hash } : "");
    for (const field of fields) {
      const expected = state.get(field.id) || "";
      field.value = expected;
      if (field.value === expected) continue;
      field.add(new Option(`${expected} (0)`, expected));
      field.value = expected;
    }
    single.checked = state.get("keys") !== "off";
    shade();
    filter();
    current = "";
    const card = known.get(state.get("id"));
    if (card && scrolls) show(card);
    else {
      current = card ? card.id : "";
      mark();
    }
  };

  // Going back leads to the place that was left, which browsers do not do where an address names
  // an entry: only a new address scrolls to what it names.
  window.addEventListener("popstate", ({ state }) => {
    const top = state ? tops.get(state.at) : undefined;
    at = state ? state.at : at + 1;
    if (!state) history.replaceState({ at }, "", location.href);
    read(!state);
    if (top !== undefined) requestAnimationFrame(() => scrollTo({ top, behavior: "instant" }));
  });

  // ---------------------------------------------------------------- going about

  const mark = () => {
    for (const card of document.querySelectorAll(".card.here")) card.classList.remove("here");
    if (known.has(current)) known.get(current).classList.add("here");
  };

  const measure = () =>
    document.documentElement.style.setProperty("--bar", `${by("bar").offsetHeight}px`);

  const show = (card) => {
    reveal(card);
    measure();
    current = card.id;
    mark();
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: "start", behavior: "instant" });
    requestAnimationFrame(() => card.scrollIntoView({ block: "start", behavior: "instant" }));
  };

  const visit = (card) => {
    current = card.id;
    keep(true);
    show(card);
  };

  const step = (by_) => {
    const shown = cards.filter((card) => !card.hidden);
    const top = by("bar").getBoundingClientRect().bottom + 24;
    const next = shown.findIndex((card) => card.getBoundingClientRect().top > top);
    const place = shown.indexOf(document.activeElement.closest(".card"));
    const after = (next < 0 ? shown.length : next) - (by_ > 0 ? by_ : 0);
    const expected = (place < 0 ? after : place) + by_;
    if (shown[expected]) visit(shown[expected]);
  };

  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest("a[href^='#']");
    const card = known.get(link ? link.getAttribute("href").slice(1) : "");
    if (!card) return;
    event.preventDefault();
    visit(card);
  });

  window.addEventListener("scroll", () => tops.set(at, window.scrollY), { passive: true });

  // ---------------------------------------------------------------- tools

  const shade = () => {
    if (value("theme")) document.documentElement.dataset.theme = value("theme");
    else delete document.documentElement.dataset.theme;
  };

  let waiting = 0;
  const soon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      filter();
      keep(false);
    }, 120);
  };

  for (const field of fields) field.addEventListener("input", soon);
  by("q").addEventListener("input", () => {
    // What is found is listed below the bar, where there is to be room for it.
    const { top } = by("bar").getBoundingClientRect();
    if (top > innerHeight / 3) scrollBy({ top, behavior: "instant" });
  });
  by("theme").addEventListener("input", shade);
  single.addEventListener("input", () => keep(false));

  by("q").addEventListener("keydown", (event) => {
    if (event.key === "Escape" && by("q").value) {
      event.preventDefault();
      by("q").value = "";
      soon();
    }
    if (event.key === "Enter") {
      clearTimeout(waiting);
      filter();
      keep(false);
      const first = cards.find((card) => !card.hidden);
      if (first) visit(first);
    }
  });

  const fold = by("fold");
  fold.addEventListener("click", () => {
    const opens = fold.textContent === "Show texts";
    fold.textContent = opens ? "Hide texts" : "Show texts";
    for (const part of document.querySelectorAll(".card > .text")) part.open = opens;
  });

  by("print").addEventListener("click", () => window.print());
  const help = by("help");
  by("keys").addEventListener("click", () => help.showModal());

  const letters = new Map();
  letters.set("/", () => by("q").focus());
  letters.set("?", () => help.showModal());
  letters.set("j", () => step(1));
  letters.set("k", () => step(-1));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || !single.checked) return;
    if (event.target.closest("input, select, textarea")) return;
    const act = letters.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });

  // ---------------------------------------------------------------- begin

  by("bar").hidden = !cards.length;
  if (matchMedia("(max-width: 74.99rem)").matches) by("tools").open = false;
  // On a phone the list stands in the place of the map, whose letters are too small there.
  const isPhone = matchMedia("(max-width: 47.99rem)").matches;
  document.querySelector("#the-map-of-attacks > details")?.toggleAttribute("open", isPhone);
  new ResizeObserver(measure).observe(by("bar"));
  measure();
  for (const part of document.querySelectorAll(".card > .text")) part.open = false;
  history.replaceState({ at }, "", location.href);
  read(true);
})();

(() => {
  "use strict";
  const by = (id) => document.getElementById(id);
  const cards = [...document.querySelectorAll("article.card")];
  const groups = [...document.querySelectorAll(".group")];
  const known = new Map(cards.map((card) => [card.id, card]));
  const fields = ["q", "side", "kind", "state", "theme"].map(by).filter(Boolean);
  const single = by("single");
  const numbers = new Intl.NumberFormat("en");
  let texts = null;
  let current = "";
  let reading = false;

  const value = (id) => (by(id) ? by(id).value : "");

  // ---------------------------------------------------------------- filter

  const text = (place) => {
    texts = texts || cards.map((card) => card.textContent.toLowerCase());
    return texts[place];
  };

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
    const words = value("q").toLowerCase().split(/\s+/).filter(Boolean);
    let hits = 0;
    cards.forEach((card, place) => {
      const shown = passes(card, place, words);
      hits += shown;
      card.hidden = !shown;
      card.classList.remove("outside");
      for (const shape of marked.get(card.id) || []) shape.classList.toggle("dim", !shown);
    });
    for (const group of groups) group.hidden = !group.querySelector(".card:not([hidden])");
    const all = `${numbers.format(cards.length)} ${cards.length === 1 ? "entry" : "entries"}`;
    by("count").textContent = hits === cards.length ? all : `${numbers.format(hits)} of ${all}`;
  };

  const reveal = (card) => {
    if (!card.hidden) return;
    card.hidden = false;
    card.classList.add("outside");
    card.closest(".group").hidden = false;
    by("count").textContent += `; ${card.id} is shown besides`;
  };

  // ---------------------------------------------------------------- address

  const written = () => {
    const told = new URLSearchParams();
    if (current) told.set("id", current);
    for (const field of fields) if (field.value) told.set(field.id, field.value);
    if (!single.checked) told.set("keys", "off");
    const keys = [...told.keys()];
    return keys.length === 1 && keys[0] === "id" ? current : told.toString();
  };

  const keep = (isNew) => {
    const address = `#${written()}`;
    if (address === (location.hash || "#")) return;
    try {
      history[isNew ? "pushState" : "replaceState"](null, "", address);
    } catch {
      reading = true;
      location.hash = address;
    }
  };

  const read = () => {
    if (reading) {
      reading = false;
      return;
    }
    const hash = location.hash.slice(1);
    const isState = hash.includes("=");
    if (hash && !isState && !known.has(hash)) return;
    const told = isState ? new URLSearchParams(hash) : new URLSearchParams(hash ? { id: hash } : "");
    for (const field of fields) {
      const wanted = told.get(field.id) || "";
      field.value = wanted;
      if (field.value === wanted) continue;
      field.add(new Option(`${wanted} (0)`, wanted));
      field.value = wanted;
    }
    single.checked = told.get("keys") !== "off";
    shade();
    filter();
    current = "";
    const card = known.get(told.get("id"));
    if (card) show(card);
    else mark();
  };

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
    show(card);
    keep(true);
  };

  const below = (things) => {
    const top = by("bar").getBoundingClientRect().bottom + 24;
    return things.findIndex((thing) => thing.getBoundingClientRect().top > top);
  };

  const step = (by_) => {
    const shown = cards.filter((card) => !card.hidden);
    const here = document.activeElement.closest(".card");
    const place = shown.indexOf(here);
    const next = below(shown);
    const after = next < 0 ? shown.length : next;
    const wanted = place >= 0 ? place + by_ : by_ > 0 ? after : after - 1;
    if (shown[wanted]) visit(shown[wanted]);
  };

  const stepGroup = (by_) => {
    const heads = groups.filter((group) => !group.hidden).map((group) => group.querySelector("h3"));
    const here = heads.indexOf(document.activeElement);
    const next = below(heads);
    const after = next < 0 ? heads.length : next;
    const wanted = here >= 0 ? here + by_ : by_ > 0 ? after : after - 1;
    if (heads[wanted]) jump(heads[wanted]);
  };

  const jump = (place) => {
    if (!place) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: "start" });
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const card = known.get(link.getAttribute("href").slice(1));
    if (!card) return;
    event.preventDefault();
    visit(card);
  });

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
    const closed = fold.getAttribute("aria-pressed") === "false";
    fold.setAttribute("aria-pressed", String(closed));
    for (const part of document.querySelectorAll(".card > details")) part.open = !closed;
  });

  by("print").addEventListener("click", () => window.print());
  const help = by("help");
  by("keys").addEventListener("click", () => help.showModal());

  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("main details:not([open])")];
    for (const part of closed) part.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const part of closed) part.open = false;
    closed = [];
  });

  const letters = new Map(
    [...help.querySelectorAll("[data-letter]")].map((row) => [
      row.dataset.letter,
      () => jump(by(row.dataset.to)),
    ]),
  );
  letters.set("/", () => by("q").focus());
  letters.set("?", () => help.showModal());
  letters.set("j", () => step(1));
  letters.set("k", () => step(-1));
  letters.set("]", () => stepGroup(1));
  letters.set("[", () => stepGroup(-1));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open || !single.checked) return;
    if (event.target.closest("input, select, textarea")) return;
    const act = letters.get(event.key);
    if (!act) return;
    event.preventDefault();
    act();
  });

  // ---------------------------------------------------------------- begin

  by("bar").hidden = false;
  if (matchMedia("(max-width: 47.99rem)").matches) by("tools").open = false;
  new ResizeObserver(measure).observe(by("bar"));
  measure();
  window.addEventListener("hashchange", read);
  window.addEventListener("popstate", read);
  read();
})();

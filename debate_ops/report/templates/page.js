(() => {
  "use strict";
  const by = (id) => document.getElementById(id);
  const cards = [...document.querySelectorAll("article.card")];
  const groups = [...document.querySelectorAll(".group")];
  const texts = cards.map((card) => card.textContent.toLowerCase());
  const value = (id) => by(id).value;

  const filter = () => {
    const words = value("q").toLowerCase().split(/\s+/).filter(Boolean);
    let hits = 0;
    cards.forEach((card, place) => {
      const isChosen = ["", card.dataset.who].includes(value("side"));
      card.hidden = !isChosen || !words.every((word) => texts[place].includes(word));
      if (card.hidden) return;
      hits += 1;
      for (const fold of words.length ? card.querySelectorAll("details") : []) {
        const said = fold.textContent.toLowerCase();
        if (words.some((word) => said.includes(word))) fold.open = true;
      }
    });
    for (const group of groups) {
      group.hidden = !group.querySelector(".card:not([hidden])");
      if (hits < cards.length) group.open = true;
    }
    const all = `${cards.length} ${cards.length === 1 ? "entry" : "entries"}`;
    by("count").textContent = hits === cards.length ? all : `${hits} of ${all}`;
    const stays = getComputedStyle(by("bar")).position === "sticky"; // so one sees what one types
    if (hits < cards.length && stays) by("debate").scrollIntoView();
  };

  let waiting = 0;
  by("bar").addEventListener("input", ({ target }) => {
    if (target.id === "theme") return;
    clearTimeout(waiting);
    waiting = setTimeout(filter, 120);
  });

  // A link leads also to what a filter hides, or lies in a fold.
  const reveal = (id) => {
    const place = by(id);
    place?.removeAttribute("hidden");
    place?.closest(".group")?.removeAttribute("hidden");
    for (let fold = place?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
      fold.open = true;
    }
  };

  document.addEventListener("click", ({ target }) => {
    const link = target.closest("a[href^='#']");
    if (!link) return;
    history.replaceState({ top: scrollY }, "");
    reveal(link.getAttribute("href").slice(1));
  });

  // Back leads to the place that was left; by itself it leads to what the address names.
  addEventListener("popstate", ({ state }) => {
    if (state) requestAnimationFrame(() => scrollTo(0, state.top));
  });

  const setFolds = (isOpen) => {
    by("fold").textContent = isOpen ? "Hide texts" : "Show texts";
    for (const text of document.querySelectorAll(".card > .text")) text.open = isOpen;
  };
  by("fold").addEventListener("click", () => setFolds(by("fold").textContent === "Show texts"));

  by("theme").addEventListener("input", () => {
    document.documentElement.dataset.theme = value("theme");
  });

  by("bar").hidden = !cards.length;
  setFolds(false);
  reveal(location.hash.slice(1));
})();

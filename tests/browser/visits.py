"""Visits a page in the browser, and takes down what it asks for, opens, complains of; axe looks."""

import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Dialog, Page, Request, Route, ViewportSize

BROWSERS = ("chromium", "chromium-browser", "google-chrome")

PHONE, DESK = 390, 1280
HEIGHTS = {PHONE: 844, DESK: 900}

EVERYTHING_SHOWN = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`* {
    content-visibility: visible !important; animation: none !important; transition: none !important;
  }`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  for (const fold of document.querySelectorAll('details')) fold.open = true;
}"""
"""Opens what a reader can open, and lays out what is not on the screen."""

SHOWN = """() => [...document.querySelectorAll('article.card')]
  .filter((card) => card.checkVisibility()).map((card) => card.id)"""

AT_THE_TOP = """(id) => {
  const top = document.getElementById(id).getBoundingClientRect().top;
  return top >= document.querySelector('#bar').getBoundingClientRect().bottom - 1
    && top < innerHeight * 0.6;
}"""


class Visit(NamedTuple):
    """A page in the browser, and what it did besides showing itself."""

    page: Page
    requests: list[str]
    dialogs: list[str]
    complaints: list[str]

    def run(self, script: str, argument: Any = None) -> Any:
        """Return what a script, or a function of one argument, returns on the page."""
        return self.page.evaluate(script, argument)

    def show_everything(self) -> None:
        self.run(EVERYTHING_SHOWN)

    def check_quiet(self) -> None:
        """Fail if the page asked for anything, opened a dialog, or broke its own policy."""
        assert (self.requests, self.dialogs, self.complaints) == ([], [], [])

    def settle(self) -> None:
        """Wait until what was typed, chosen or scrolled has had its effect."""
        self.page.wait_for_timeout(300)

    def search(self, words: str) -> None:
        """Type into the search field, and wait until that has been looked for."""
        self.page.locator("#q").fill(words)
        self.settle()

    def choose(self, field: str, value: str) -> None:
        self.page.locator(f"#{field}").select_option(value)
        self.settle()

    @property
    def shown(self) -> list[str]:
        ids: list[str] = self.run(SHOWN)
        return ids

    @property
    def tally(self) -> str:
        """What the page says of how many there are."""
        return self.page.locator("#count").inner_text()

    @property
    def place(self) -> str:
        """The place that the address names."""
        return self.page.url.partition("#")[2]

    def is_at_the_top(self, id_: str) -> bool:
        """Whether a place begins in the upper part of the window, below the bar."""
        return bool(self.run(AT_THE_TOP, id_))


Visiting = Callable[..., Visit]

_BARE = re.compile(r"[\W_]+")


def bare(text: str) -> str:
    """Return the letters and digits of a text: what no markup, font or line end changes."""
    return _BARE.sub("", text).casefold()


def executable() -> str:
    """Return the browser that is installed; fail where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.fail(
            f"none of {', '.join(BROWSERS)} is on the PATH: install one, "
            "for instance with: sudo apt-get install chromium",
            pytrace=False,
        )
    return path


@contextmanager
def visit(  # noqa: PLR0913  (a reader's device is that many things)
    browser: Browser,
    file: Path,
    *,
    width: int = DESK,
    scheme: str = "light",
    scripts: bool = True,
    view: str = "",
) -> Iterator[Visit]:
    """Open a file as a reader would whose device is like this."""
    context = browser.new_context(
        viewport=ViewportSize(width=width, height=HEIGHTS[width]),
        is_mobile=width == PHONE,
        has_touch=width == PHONE,
        java_script_enabled=scripts,
        color_scheme="dark" if scheme == "dark" else "light",
    )
    address = file.as_uri()
    seen = Visit(context.new_page(), [], [], [])

    def note_request(request: Request) -> None:
        if request.url.partition("#")[0] != address:
            seen.requests.append(request.url[:200])

    def note_dialog(dialog: Dialog) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    def refuse_others(route: Route) -> None:
        if route.request.url.partition("#")[0] == address:
            route.continue_()
        else:
            route.abort()

    context.route("**/*", refuse_others)
    context.on("request", note_request)
    context.on("dialog", note_dialog)
    context.on("console", lambda m: seen.complaints.append(f"{m.type}: {m.text}"))
    context.on("weberror", lambda raised: seen.complaints.append(str(raised.error)))
    context.on("page", lambda more: seen.requests.append(f"a new page: {more.url}"))
    seen.page.on("websocket", lambda socket: seen.requests.append(socket.url))
    try:
        seen.page.goto(f"{address}#{view}" if view else address)
        yield seen
    finally:
        context.close()


FINDINGS = """async (options) => (await axe.run(document, options)).violations.map((rule) =>
  `${rule.id}: ${rule.nodes.length} times ${rule.nodes[0].html.slice(0, 160)}`)"""

THINNED = """() => {
  const thin = (within, what, most) => {
    for (const place of document.querySelectorAll(within)) {
      [...place.querySelectorAll(what)].slice(most).forEach((one) => one.remove());
    }
  };
  thin('section.cards', '.group', 3);
  thin('section.cards', 'article.card', 5);
  thin('table', 'tr', 4);
}"""
"""Leaves some of each kind: to look behind every letter takes axe many seconds on a whole page."""


@cache
def axe() -> str:
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(seen: Visit) -> list[str]:
    """Return what axe finds wrong with a page as it is."""
    seen.run(axe())
    rows: list[str] = seen.run(FINDINGS, {"resultTypes": ["violations"]})
    return rows

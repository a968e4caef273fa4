"""Visits a page in the browser, and takes down all that it asks for, opens or complains of."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


class Visit(NamedTuple):
    """A page in the browser, and what it did besides showing itself."""

    page: Page
    requests: list[str]
    dialogs: list[str]
    complaints: list[str]

    def run(self, script: str, given: Any = None) -> Any:
        """Return what a script, or a function given something, returns on the page."""
        return self.page.evaluate(script, given)

    def show_everything(self) -> None:
        """Open every fold."""
        self.run(EVERYTHING_SHOWN)

    def check_quiet(self) -> None:
        """Fail if the page asked for anything, opened a dialog, or broke its own policy."""
        assert self.requests == []
        assert self.dialogs == []
        assert self.complaints == []


Visiting = Callable[..., Visit]


def executable() -> str:
    """Return the browser that is installed; fail where there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail(
            f"none of {', '.join(BROWSERS)} is on the PATH: install one, "
            "for instance with: sudo apt-get install chromium",
            pytrace=False,
        )
    return found


@contextmanager
def visit(  # noqa: PLR0913  (a reader's device is that many things)
    browser: Browser,
    file: Path,
    *,
    width: int = DESK,
    scheme: str = "light",
    scripts: bool = True,
    view: str = "",
    motion: str = "reduce",
) -> Iterator[Visit]:
    """Open a file as a reader would whose device is like this."""
    context = browser.new_context(
        viewport=ViewportSize(width=width, height=HEIGHTS[width]),
        is_mobile=width == PHONE,
        java_script_enabled=scripts,
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="no-preference" if motion == "full" else "reduce",
    )
    address = file.as_uri()
    seen = Visit(context.new_page(), [], [], [])

    def asked(request: Request) -> None:
        if request.url.partition("#")[0] != address:
            seen.requests.append(request.url[:200])

    def opened(dialog: Dialog) -> None:
        seen.dialogs.append(dialog.message)
        dialog.dismiss()

    def route(found: Route) -> None:
        if found.request.url.partition("#")[0] == address:
            found.continue_()
        else:
            found.abort()

    context.route("**/*", route)
    context.on("request", asked)
    context.on("dialog", opened)
    context.on("console", lambda said: seen.complaints.append(f"{said.type}: {said.text}"))
    context.on("weberror", lambda raised: seen.complaints.append(str(raised.error)))
    context.on("page", lambda more: seen.requests.append(f"a new page: {more.url}"))
    seen.page.on("websocket", lambda socket: seen.requests.append(socket.url))
    try:
        seen.page.goto(f"{address}#{view}" if view else address)
        yield seen
    finally:
        context.close()

"""A browser for all tests of a process, and a way to visit a page in it by its name."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.pages import page_of
from tests.browser.visits import Visit, Visiting, executable, visit


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder; those about one page run in one process, which renders it."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            parameters = item.callspec.params if hasattr(item, "callspec") else {}
            name = parameters.get("name", item.path.stem)
            item.add_marker(pytest.mark.browser)
            if not item.get_closest_marker("xdist_group"):
                item.add_marker(pytest.mark.xdist_group(name))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=executable())
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def visiting(browser: Browser, shelf: Path) -> Iterator[Visiting]:
    """Opens the page of a name on a device; it is closed after the test."""
    with ExitStack() as visits:

        def open_page(name: str, **device: Any) -> Visit:
            file = shelf / f"{name.replace(' ', '-')}.html"
            if not file.exists():
                file.write_text(page_of(name).html, encoding="utf-8")
            return visits.enter_context(visit(browser, file, **device))

        yield open_page

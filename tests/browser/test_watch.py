"""The live page in a browser: what happens is shown, and what cannot be."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from debate_ops import engine
from debate_ops.core.values import Done
from debate_ops.engine.store import Folder
from debate_ops.run import runner
from debate_ops.run.cast import Person
from tests.run.stage import Cast, case, reply_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return case(motion="This house <i>would</i> ban homework.")


@pytest.fixture
def link(folder: Folder, tmp_path: Path) -> Iterator[str]:
    words = [sys.executable, "-m", "debate_ops", "watch", folder.name]
    with subprocess.Popen(words, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        yield process.stderr.readline().removeprefix("Watch:  ").strip()
        process.terminate()
        assert process.stderr.read() == "Ctrl-C ends the page.\n", "and no error"


def opened(browser: Browser, link: str, width: int) -> tuple[Page, list[str]]:
    page = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if "Content Security" in m.text else None)
    page.goto(link)
    return page, wrong


def test_a_debate_is_shown_as_it_goes_on(browser: Browser, folder: Folder, link: str) -> None:
    cast = {**Cast(), "prop": Person("Ada")}
    engine.next_turn(folder, 1)
    run = Thread(target=runner.run, args=(folder, None, cast), daemon=True)
    run.start()
    page, wrong = opened(browser, link, 390)
    expect(page.locator(".call")).to_contain_text("proposition is writing since")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    engine.say(folder, "Be <b>brief</b>.", by="kim")
    engine.pause(folder, "kim")
    expect(page.locator("#place")).to_contain_text("paused")
    engine.resume(folder, "kim")

    def argue() -> None:
        position = engine.load(folder)
        reply = engine.RawReply(reply_of(folder, "prop"), "the end")
        engine.take_reply(position, position.find_task("prop"), reply, {"person": "Ada"})

    argue()
    expect(page.locator("#prop_000a")).to_contain_text("Ada, a person")
    expect(page.locator(".word")).to_contain_text("Be <b>brief</b>.")
    expect(page.locator("#judge_000")).to_contain_text("prop_000a +")
    card = page.locator("#prop_000a")
    card.locator("summary").click()
    expect(card.locator("details")).to_contain_text("Claim")
    argue()
    run.join(20)
    expect(page.locator("#place")).to_have_text(re.compile("^complete: 1 exchange(, running)?$"))
    assert isinstance(engine.load(folder).due, Done)
    expect(page.locator("#outcome")).to_contain_text("How sure: ")
    assert wrong == []


def test_what_is_there_now_is_shown_and_a_link_is_refused(browser: Browser, link: str) -> None:
    page, _ = opened(browser, link, 390)
    expect(page.locator("#motion")).to_have_text("This house <i>would</i> ban homework.")
    for said in ("One.", "Another."):
        page.evaluate("show", {"now": "", "entries": [f'<p id="prop_001">{said}</p>']})
    expect(page.locator("#prop_001")).to_have_text("Another.")
    page.route("**/*key=*", lambda route: route.fulfill(status=403))
    page.evaluate("connect()")
    expect(page.locator("#connection")).to_have_text("this link is not valid any more")

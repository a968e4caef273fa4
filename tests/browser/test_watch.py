"""The live page in a browser: the owner speaks and pauses, a viewer looks on."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Browser, Page, expect

from debate_ops import engine
from debate_ops.core.values import Done
from debate_ops.engine.store import Folder
from debate_ops.run import runner
from debate_ops.run.others import Person
from tests.run.stage import Cast, case, reply_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return case(motion="This house <i>would</i> ban homework.")


def served(where: Path, name: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    words = [sys.executable, "-m", "debate_ops", "watch", name]
    process = subprocess.Popen(words, cwd=where, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    links = {}
    while match := re.match(r"(\w+):  (http\S+)", process.stderr.readline()):
        links[match[1]] = match[2]
    return process, links


@pytest.fixture
def links(folder: Folder, tmp_path: Path) -> Iterator[dict[str, str]]:
    process, listed = served(tmp_path, folder.name)
    yield listed
    process.terminate()
    assert process.communicate(timeout=10)[1] == "", "also while somebody looks on"


def opened(browser: Browser, link: str, width: int) -> tuple[Page, list[str]]:
    page = browser.new_context(viewport={"width": width, "height": 844}).new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if "Content Security" in m.text else None)
    page.goto(link)
    return page, wrong


def test_the_owner_speaks_and_pauses_while_a_person_argues_and_a_viewer_looks_on(
    browser: Browser, folder: Folder, links: dict[str, str]
) -> None:
    cast = {**Cast(), "prop": Person("Ada")}
    engine.next_turn(folder, 1)
    run = Thread(target=runner.run, args=(folder, None, cast), daemon=True)
    run.start()
    owner, wrong = opened(browser, links["owner"], 1280)
    viewer, wrong_too = opened(browser, links["viewer"], 390)
    expect(viewer.locator("#calls")).to_contain_text("proposition is writing since")
    assert viewer.evaluate("document.documentElement.scrollWidth <= innerWidth")
    owner.fill("#word", "Be <b>brief</b>.")
    owner.click("#say button")
    owner.click("[data-act=pause]")
    expect(owner.locator("#place")).to_contain_text("paused")

    def argue() -> None:
        position = engine.load(folder)
        reply = engine.RawReply(reply_of(folder, "prop"), "the end")
        engine.take_reply(position, position.find_task("prop"), reply, {"person": "Ada"})

    argue()
    expect(owner.locator("#prop_000a")).to_contain_text("Ada, a person")
    expect(owner.locator(".word")).to_contain_text("Be <b>brief</b>.")
    time.sleep(1.0)
    assert engine.load(folder).debate.step == 1, "it is paused"
    owner.click("[data-act=resume]")
    expect(owner.locator("#judge_000")).to_contain_text("prop_000a +")
    expect(viewer.locator("#controls")).to_be_hidden()
    card = viewer.locator("#prop_000a")
    viewer.context.set_offline(True)
    card.locator("summary").click()
    expect(card).to_contain_text("There is no connection")
    viewer.context.set_offline(False)
    card.locator("summary").click(click_count=2)
    expect(card.locator("details")).to_contain_text("Claim")
    argue()
    run.join(20)
    expect(owner.locator("#place")).to_have_text(re.compile("^complete: 1 exchange(, running)?$"))
    assert isinstance(engine.load(folder).due, Done)
    expect(owner.locator("#outcome")).to_contain_text("How sure: ")
    expect(owner.locator("#controls")).to_be_hidden()
    assert wrong == wrong_too == []


def test_a_viewer_has_nothing_to_press_and_sees_what_is_there_now_and_a_small_lead_in_full(
    browser: Browser, links: dict[str, str]
) -> None:
    page, _ = opened(browser, links["viewer"], 390)
    expect(page.locator("#motion")).to_have_text("This house <i>would</i> ban homework.")
    expect(page.locator("#controls")).to_be_hidden()
    state = {"sides": ["prop", "opp"], "names": {}, "words": []}
    entry = {"id": "prop_001", "participant": "prop", "kind": "argument"}
    for headline in ("One.", "Another."):
        page.evaluate("record", state | {"entries": [entry | {"headline": headline}]})
    expect(page.locator("#prop_001")).to_contain_text("Another.")
    page.evaluate("receivers", state | {"tasks": [{"participant": "adviser"}], "entries": []})
    said = "everybody judge opposition proposition"
    expect(page.locator("#to option")).to_have_text(said.split())
    leads = [{"place": "opening", "lead": -0.002, "size": "0.002"}]
    page.evaluate("course", state | {"leads": leads})
    expect(page.locator("#course")).to_contain_text("Lead: opp by 0.002")
    page.route("**/*key=*", lambda route: route.fulfill(status=403))
    page.evaluate("connect()")
    expect(page.locator("#connection")).to_have_text("this link is not valid any more")

"""The live page in a browser: a person argues, the owner looks on, speaks and pauses."""

import json
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
from debate_ops.engine import inbox
from debate_ops.engine.store import Folder
from debate_ops.run import reporter, runner
from debate_ops.run.others import Person
from tests.run.stage import Cast, case, reply_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    monkeypatch.chdir(tmp_path)
    return case(motion="This house <i>would</i> ban homework.")


def served(where: Path, name: str) -> tuple[subprocess.Popen[str], dict[str, str]]:
    words = [sys.executable, "-m", "debate_ops", "watch", name, "--seats"]
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


def fill(page: Page, path: str, value: object) -> None:
    if isinstance(value, dict):
        for key, part in value.items():
            if path or key not in {"participant", "exchange", "phase"}:
                fill(page, f"{path}.{key}".lstrip("."), part)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            if not page.locator(f"[name^='{path}.{number}.']").count():
                page.click(f"[data-add='{path}']")
            fill(page, f"{path}.{number}", part)
    else:
        field = page.locator(f"[name='{path}']")
        is_choice = field.evaluate("field => field.tagName === 'SELECT'")
        (field.select_option if is_choice else field.fill)(str(value))


def test_a_person_argues_on_the_page_while_the_owner_looks_on(
    browser: Browser, folder: Folder, links: dict[str, str]
) -> None:
    cast = {**Cast(), "prop": Person("Ada")}
    engine.next_turn(folder, 1)
    argued = reply_of(folder, "prop").decode()
    run = Thread(target=runner.run, args=(folder, None, cast), daemon=True)
    run.start()
    owner, wrong = opened(browser, links["owner"], 1280)
    seat, wrong_too = opened(browser, links["prop"], 390)
    expect(seat.locator("#turn")).to_be_visible()
    expect(seat.locator("[name='arguments.2.claim']")).to_be_visible()
    expect(seat.locator("#by")).to_be_hidden()  # the run knows who it is
    expect(owner.locator("#turn")).to_be_hidden()
    assert seat.evaluate("document.documentElement.scrollWidth <= innerWidth")
    seat.click("#reply .row button")
    expect(seat.locator("#faults li").first).to_be_visible()
    owner.fill("#word", "Be <b>brief</b>.")
    owner.click("#say button")
    owner.click("[data-act=pause]")
    expect(owner.locator("#place")).to_contain_text("paused")
    fill(seat, "", json.loads(argued))
    seat.click("#reply .row button")
    expect(owner.locator("#prop_000a")).to_contain_text("Ada, a person")
    expect(owner.locator(".word")).to_contain_text("Be <b>brief</b>.")
    time.sleep(1.0)
    assert engine.load(folder).debate.step == 1, "it is paused"
    owner.click("[data-act=resume]")
    expect(owner.locator("#judge_000")).to_contain_text("prop_000a +")
    expect(seat.locator("#turn-title")).to_be_visible()
    expect(seat.locator("#opp_000a")).to_be_visible()
    assert seat.locator("#judge_000").count() == 0, "before the end, as in its prompts"
    expect(seat.locator("#controls")).to_be_hidden()
    assert wrong == wrong_too == []
    position = engine.load(folder)
    reply = engine.RawReply(reply_of(folder, "prop"), "the end")
    engine.take_reply(position, position.find_task("prop"), reply, {"person": "Ada"})
    run.join(20)
    expect(owner.locator("#place")).to_have_text(re.compile("^complete: 1 exchange(, running)?$"))
    assert isinstance(engine.load(folder).due, Done)
    run = Thread(target=reporter.write_memo, args=(folder, Person("Ada")), daemon=True)
    run.start()
    expect(owner.locator("#turn-title")).to_have_text("Your turn, as reporter")
    advice = {"answer": "Yes.", "direction": "prop", "page": "It pays."}
    fill(owner, "", advice | {"confidence": [{"percent": 70, "of": "it pays"}]})
    owner.click("#reply .row button")
    run.join(20)
    assert Path(folder.within("memo.md")).is_file()
    expect(owner.locator("#outcome")).to_have_text(re.compile("^Yes. How sure: .*report$"))
    expect(owner.locator("#controls")).to_be_hidden()
    expect(seat.locator("#seat")).to_have_text("Your seat: proposition")


def test_what_is_written_stays_until_it_is_filed_and_what_fails_says_so(
    browser: Browser, folder: Folder, links: dict[str, str]
) -> None:
    engine.next_turn(folder, 1)
    page, wrong = opened(browser, links["prop"], 390)
    argued, claim = json.loads(reply_of(folder, "prop")), page.locator("[name='arguments.2.claim']")
    expect(claim).to_be_visible()
    page.click("[data-add='arguments']")  # one too many, which is left out
    fill(page, "", argued)
    page.fill("#by", "Ada")
    page.reload()
    expect(claim).to_have_value(argued["arguments"][2]["claim"])
    for name, reply in (("prop", b"{}"), ("opp", reply_of(folder, "opp"))):
        inbox.put(engine.load(folder).find_task(name).slot, reply, {})
    expect(page.locator("#unfiled:not([hidden])")).to_contain_text(argued["arguments"][2]["claim"])
    with pytest.raises(engine.RepliesRefusedError):
        engine.submit(folder, 0)
    expect(page.locator("#prompt")).to_contain_text("refused")
    expect(claim).to_have_value(argued["arguments"][2]["claim"])
    page.context.set_offline(True)
    page.click("#reply .row button")
    expect(page.locator("#faults")).to_contain_text("There is no connection")
    page.context.set_offline(False)
    page.click("#reply .row button")
    expect(page.locator("#turn, #unfiled").locator("visible=true")).to_have_count(0)
    assert page.evaluate("sessionStorage.length") == 0
    engine.submit(folder, 0)
    card = page.locator("#prop_000a")
    expect(card).to_contain_text("Ada, a person")
    page.context.set_offline(True)
    card.locator("summary").click()
    expect(card).to_contain_text("There is no connection")
    page.context.set_offline(False)
    card.locator("summary").click(click_count=2)
    expect(card.locator("details")).to_contain_text(argued["arguments"][0]["claim"])
    assert wrong == []


def test_a_viewer_has_nothing_to_press_and_sees_what_is_there_now_and_a_small_lead_in_full(
    browser: Browser, links: dict[str, str]
) -> None:
    page, _ = opened(browser, links["viewer"], 390)
    expect(page.locator("#motion")).to_have_text("This house <i>would</i> ban homework.")
    expect(page.locator("#controls")).to_be_hidden()
    expect(page.locator("#turn")).to_be_hidden()
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

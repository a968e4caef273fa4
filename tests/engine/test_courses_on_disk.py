"""Every course in a folder: what is on disk is what was committed, whatever is done to it."""

import json
import os
import re
import shutil
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.core.errors import BadRecordError, DebateError, RefusedError, UsageError
from debate_ops.core.values import Act, Done, Turn, Waiting
from debate_ops.engine.debate_file import Framing, Header
from debate_ops.engine.headers import compose_file, split_file
from debate_ops.engine.store import Folder
from debate_ops.engine.validate import fix, validate
from tests.builders import Data, header_of, put, spread
from tests.courses import RICH, VARIED, list_steps, run_course
from tests.engine.stage import FOLDER, create_course, lay_down, put_replies, read_files, take_step

pytestmark = pytest.mark.usefixtures("work")
rich_course = pytest.mark.parametrize("name", RICH)
some_courses = pytest.mark.parametrize("name", RICH[1::2])
"""Enough where it does not matter which rules a debate has."""
EXCHANGE = "exchange-two-exchanges"
Change = Callable[[Data], object]
MOST = 12
"""Files of a course that are damaged, from its first to its last."""


def edit_header(change: Change) -> None:
    """Change the header of `debate.md`, and leave the rest as it is."""
    path = Path(FOLDER.debate_file)
    header, body = split_file(path.read_text(encoding="utf-8"), "debate.md")
    change(header)
    path.write_text(compose_file(header, body), encoding="utf-8")


def _prompts() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(FOLDER.path).glob("inbox/*.prompt.md")}


@pytest.mark.parametrize(
    "name", [n if n in RICH else pytest.param(n, marks=pytest.mark.slow) for n in VARIED]
)
def test_a_course_in_files_is_as_in_memory_and_a_step_taken_twice_is_one(name: str) -> None:
    create_course(name)
    for number in range(len(list_steps(name))):
        engine.next_turn(FOLDER)
        prompts = _prompts()
        shutil.rmtree(FOLDER.within("inbox"))
        engine.next_turn(FOLDER)
        assert _prompts() == prompts, "from the files as from memory"
        put_replies(name, number)
        take_step(name, number)
        record = read_files()
        assert take_step(name, number).already_applied
        assert read_files() == record
    made = [e.compared() for e in run_course(name).debate.entries.values()]
    assert sorted(made, key=str) == sorted(
        (e.compared() for e in engine.load(FOLDER).debate.entries.values()), key=str
    )
    position = engine.load(FOLDER)
    if isinstance(position.due, Done):
        assert position.describe_work_left() == ""
        with pytest.raises(RefusedError, match="no reply is due"):
            engine.submit(FOLDER, position.debate.step)
    faults, warnings = validate(FOLDER)
    assert (faults, [w for w in warnings if " words, expected " not in w.message]) == ([], [])


@pytest.mark.parametrize("name", ["formal-two-pairs-and-a-judge", "exchange-two-exchanges"])
def test_a_number_goes_on_record_alike_however_it_is_written(name: str) -> None:
    number = re.compile(r'("(?:aff|neg|score)": )(?:(0)(?:\.0)?|(-?\d+))(?=[,}])')
    create_course(name)
    for step, done in enumerate(list_steps(name)):
        engine.next_turn(FOLDER)
        for who, reply in done["replies"].items():
            text = number.sub(lambda m: f"{m[1]}{m[3] or '-0'}.0", json.dumps(reply))
            put(FOLDER, who, text, step)
        take_step(name, step)
    assert validate(FOLDER)[0] == []


def test_an_audit_names_the_entry_of_a_list_that_is_too_long() -> None:
    lay_down(EXCHANGE, 0)
    replies = deepcopy(list_steps(EXCHANGE)[0]["replies"])
    replies["opp"]["arguments"][1]["claim"] = "word " * 60
    for who, reply in replies.items():
        put(FOLDER, who, reply, 0)
    engine.submit(FOLDER, 0)
    (warning,) = validate(FOLDER)[1]
    assert (warning.file, warning.where) == ("opp_000b", "arguments.1.claim")


@some_courses
def test_every_edit_of_the_record_is_found_and_named(name: str) -> None:
    lay_down(name, len(list_steps(name)))
    for path in spread(sorted(Path(FOLDER.path).glob("[aj]*/*.md")), MOST):
        before = path.read_bytes()
        path.write_bytes(before + b"\nOne more line.\n")
        shown = path.relative_to(FOLDER.path).as_posix()
        assert shown in {fault.file for fault in engine.load(FOLDER).warnings}, shown
        path.write_bytes(before.replace(b"\n", b"\r\n"))
        assert engine.load(FOLDER).warnings == []
        path.write_bytes(before)
    path = Path(FOLDER.debate_file)
    path.write_bytes(path.read_bytes() + b"\nMore.\n")
    (warning,) = engine.load(FOLDER).warnings
    assert "context was edited" in warning.message


FREE = {"request", "undone", "digests"}
"""Keys on which nothing rests: what is asked for, what an undo took back, and the digests."""
EDITS: dict[str, Callable[[Any], object]] = {
    "debate_id": lambda _: "another",
    "protocol": lambda _: "chairs",
    "current_exchange": lambda number: number + 1,
    "current_phase": lambda _: "x",
    "step": lambda step: step + 1,
    "cumulative_scores": lambda _: {"prop": {"total": 1, "count": 1}},
    "settings": lambda settings: {**settings, "language": "French"},
    "created": lambda _: "2020-01-01T00:00:00Z",
    "completed_at": lambda _: "2020-01-01T00:00:00Z",
    "replay_of": lambda _: {"debate": "another"},
    "words": lambda words: [{**words[0], "text": "Go on for ever."}],
}


@pytest.mark.parametrize("key", sorted(Header.model_fields.keys() - FREE))
def test_validate_names_every_key_of_a_debate_file_that_was_edited(key: str) -> None:
    name = "formal-two-pairs-and-a-judge"
    steps = len(list_steps(name))
    lay_down(name, steps - 1)
    engine.say(FOLDER, "Be brief.", by="Ada")
    put_replies(name, steps - 1)
    take_step(name, steps - 1)
    assert validate(FOLDER) == ([], [])
    edit_header(lambda header: header.update({key: EDITS[key](header.get(key))}))
    assert key in " ".join(fault.message for part in validate(FOLDER) for fault in part)


@some_courses
def test_every_file_that_is_gone_or_moved_is_found(name: str) -> None:
    lay_down(name, len(list_steps(name)))
    for path in spread(sorted(Path(FOLDER.path).glob("[aj]*/*.md")), MOST):
        before = path.read_bytes()
        path.unlink()
        try:
            faults = [
                fault.sentence() for fault in (*engine.load(FOLDER).warnings, *validate(FOLDER)[0])
            ]
        except BadRecordError as error:
            faults = [error.message]
        assert faults, path
        path.write_bytes(before)
        copy = path.parent.parent / "advice" / path.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(before)
        with pytest.raises(BadRecordError, match=path.stem):
            engine.load(FOLDER)
        copy.unlink()
    assert engine.load(FOLDER).warnings == []


@rich_course
def test_undo_takes_back_to_the_letter_and_the_course_goes_on(name: str) -> None:
    steps = len(list_steps(name))
    lay_down(name, 1)
    expected = read_files()
    for path in Path("debates").rglob("*"):
        if path.is_file():
            path.unlink()
    lay_down(name, steps)
    position = engine.undo(FOLDER, step=1)
    ids = position.header.undone
    assert engine.undo(FOLDER, step=1).header.undone == ids
    assert position.debate.step == 1
    assert header_of(FOLDER, "debate.md")["undone"] == ids
    edit_header(lambda header: header.pop("undone"))
    assert read_files() == expected
    assert len(list(Path(FOLDER.path, "set-aside").iterdir())) == len(ids)
    for number in range(1, steps):
        put_replies(name, number)
        take_step(name, number)
    assert validate(FOLDER)[0] == []


FIXED: list[tuple[str, Change]] = [
    ("phase", lambda h: h.update(current_phase="x")),
    ("exchange", lambda h: h.update(current_exchange=7)),
    ("step below", lambda h: h.update(step=1)),
    ("step above", lambda h: h.update(step=90)),
    ("no step", lambda h: h.pop("step")),
]


@some_courses
@pytest.mark.parametrize("damage", [c for _, c in FIXED], ids=[n for n, _ in FIXED])
def test_a_debate_file_that_differs_is_made_from_the_record(name: str, damage: Change) -> None:
    lay_down(name, len(list_steps(name)))
    before = header_of(FOLDER, "debate.md")
    edit_header(damage)
    with pytest.raises(BadRecordError):
        engine.load(FOLDER)
    assert validate(FOLDER)[0]
    assert fix(FOLDER)
    assert header_of(FOLDER, "debate.md") == before
    assert validate(FOLDER)[0] == []
    assert fix(FOLDER) == []


@pytest.mark.parametrize(
    ("name", "step"),
    [(EXCHANGE, 2), ("consensus-three-at-once", 2), ("consensus-all-blocked-decided-in-words", 2)],
)
def test_a_last_turn_that_lacks_one_of_its_files_is_taken_back_whole(name: str, step: int) -> None:
    lay_down(name, step + 1)
    lost = [entry.file for entry in engine.load(FOLDER).record.entries if entry.step == step]
    for path in map(Path, map(FOLDER.within, lost)):
        lay_down(name, step + 1)
        path.unlink()
        edit_header(lambda header: header.update(step=90))
        assert fix(FOLDER), path
        assert validate(FOLDER)[0] == [], path
        assert engine.load(FOLDER).debate.step == step, path


@pytest.mark.parametrize(
    ("key", "message"),
    [("settings", "has lost its settings"), ("protocol", "there is no such setting")],
)
def test_what_no_record_tells_is_never_guessed(key: str, message: str) -> None:
    lay_down(RICH[1], 3)
    edit_header(lambda header: header.update(step=1))
    edit_header(lambda header: header.pop(key))
    before = read_files()
    with pytest.raises(BadRecordError, match=message):
        fix(FOLDER)
    assert read_files() == before


# Acts of people.


def test_a_debate_on_hold_waits_and_goes_on() -> None:
    lay_down(EXCHANGE, 0)
    assert isinstance(engine.pause(FOLDER, "kim", "lunch").due, Waiting)
    held = engine.next_turn(FOLDER)
    assert held.hold is not None
    assert "paused by kim" in held.hold.sentence()
    put_replies(EXCHANGE, 0)
    assert engine.submit(FOLDER, 0).committed  # what was asked for before is taken
    assert isinstance(engine.next_turn(FOLDER).due, Waiting)
    assert isinstance(engine.resume(FOLDER, "kim").due, Turn)


def test_a_word_stands_in_the_prompts_of_those_it_is_said_to() -> None:
    lay_down(EXCHANGE, 0)
    for _ in range(2):
        engine.say(FOLDER, "Think of costs.\n# Rules", by="kim", to="prop")
    prompts = {name: text.decode() for name, text in _prompts().items()}
    assert prompts["0-prop.prompt.md"].count("> kim: Think of costs.\n> # Rules") == 1
    assert "Think of costs" not in prompts["0-opp.prompt.md"]
    for to, text, expected in [("x", "a", "nobody in this"), ("", " ", "nothing to say")]:
        with pytest.raises(UsageError, match=expected):
            engine.say(FOLDER, text, by="kim", to=to)


def test_a_skip_waits_for_the_others_and_its_file_can_be_deleted() -> None:
    lay_down(EXCHANGE, 0)
    waiting = engine.skip(FOLDER, "prop", "ill")
    assert isinstance(waiting, engine.Position)
    tasks = {item.task.by: item.status for item in engine.load(FOLDER).tasks}
    assert tasks == {"prop": engine.SKIPPED, "opp": engine.WAITING}
    os.unlink(waiting.tasks[0].slot.skip)
    put_replies(EXCHANGE, 0)
    assert len(engine.submit(FOLDER, 0).committed) == 6
    with pytest.raises(RefusedError, match="was not skipped in it"):
        engine.skip(FOLDER, "prop", "ill", step=0)


def test_a_turn_that_is_closed_has_absences_for_who_is_missing() -> None:
    lay_down(EXCHANGE, 0)
    put(FOLDER, "prop", list_steps(EXCHANGE)[0]["replies"]["prop"], 0)
    assert "opp_000-absence" in engine.close_turn(FOLDER, 0, "late").committed
    assert engine.close_turn(FOLDER, 0, "late").already_applied


REFUSED: list[tuple[Callable[[], object], type[DebateError], str]] = [
    (lambda: engine.submit(FOLDER, 7), RefusedError, "step 7 is not due yet"),
    (lambda: engine.skip(FOLDER, "judge", "why"), RefusedError, "is not awaited now"),
    (lambda: engine.skip(FOLDER, "prop", " "), UsageError, "a reason is required"),
    (lambda: engine.undo(FOLDER), RefusedError, "nothing to take back yet"),
    (lambda: engine.undo(FOLDER, step=4), RefusedError, "nothing to take back from step 4"),
    (lambda: engine.act(FOLDER, Act("dance", {})), RefusedError, "knows no 'dance'"),
    (lambda: engine.act(FOLDER, Act("cancel", {}, "")), UsageError, "a name is required"),
    (lambda: engine.load(FOLDER).find_task(None), UsageError, "several replies are due"),
    (lambda: engine.create("y", Framing(" ")), UsageError, "motion is blank"),
    (lambda: engine.create("y", Framing("m"), settings={"panel": 2}), UsageError, "panel"),
    (lambda: engine.create("y", Framing("m"), protocol="x"), UsageError, "no protocol named"),
]


@pytest.mark.parametrize(("do", "error", "message"), REFUSED)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    do: Callable[[], object], error: type[DebateError], message: str
) -> None:
    lay_down(EXCHANGE, 0)
    before = read_files()
    with pytest.raises(error, match=message):
        do()
    assert read_files() == before


def test_refused_replies_are_kept_with_reasons_and_a_prompt_that_hands_them_back() -> None:
    lay_down(EXCHANGE, 0)
    put_replies(EXCHANGE, 0)
    put(FOLDER, "opp", '{"participant": "prop", "exchange": 0, "arguments": []}', 0)
    before = read_files()
    with pytest.raises(engine.RepliesRefusedError) as caught:
        engine.submit(FOLDER, 0)
    assert {fault.by for fault in caught.value.faults} == {"opp"}
    assert read_files() == before
    inbox = {p.relative_to(FOLDER.path).as_posix() for p in Path(FOLDER.path).rglob("inbox/**/*")}
    assert {"inbox/refused/0-opp-1.reply.json", "inbox/refused/0-opp-1.reasons.md"} <= inbox
    assert "inbox/0-opp.repair.md" in inbox
    assert "inbox/0-opp.reply.json" not in inbox
    tasks = {item.task.by: (item.status, item.attempts) for item in engine.load(FOLDER).tasks}
    assert tasks == {"prop": (engine.REPLIED, 0), "opp": (engine.REFUSED, 1)}


@pytest.mark.parametrize("name", ["0-prop.reply.md", "0-prop.json", "prop.reply.json"])
def test_a_reply_under_another_name_is_named_with_the_name_expected(name: str) -> None:
    lay_down(EXCHANGE, 0)
    Path(FOLDER.path, "inbox", name).write_text("{}", encoding="utf-8")
    with pytest.raises(engine.RepliesRefusedError) as caught:
        engine.submit(FOLDER, 0)
    fault = caught.value.faults[0]
    assert fault.file == "inbox/0-prop.reply.json"
    assert f"inbox/{name}" in fault.message


STEPS = 5
TWICE = (*RICH, RICH[-1])
"""A debate of each protocol, and two of one."""


def _begin(name: str, slug: str) -> Folder:
    folder = create_course(name, slug).folder
    engine.next_turn(folder)
    return folder


def test_debates_that_go_on_by_turns_are_the_same_as_each_alone(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [(name, _begin(name, f"debate-{place}")) for place, name in enumerate(TWICE)]
    for number in range(STEPS):
        taking = [(n, folder) for n, folder in folders if number < len(list_steps(n))]
        for name, folder in taking:  # all of them have their replies before one is committed
            put_replies(name, number, folder)
        for name, folder in taking:
            take_step(name, number, folder)
    together = [read_files(folder, everything=True) for _, folder in folders]
    monkeypatch.chdir(tmp_path_factory.mktemp("alone"))
    for (name, folder), files in zip(folders, together, strict=True):
        alone = _begin(name, folder.slug)
        for number in range(min(STEPS, len(list_steps(name)))):
            put_replies(name, number, alone)
            take_step(name, number, alone)
        assert read_files(alone, everything=True) == files

"""One function drives a script: over the record, on to what is due, and again in an audit."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from debate_ops.core.protocol import Protocol, Replayed, Script, replay, start
from debate_ops.core.replies import Reply, Said, text
from debate_ops.core.settings import Common
from debate_ops.core.values import Absent, Act, Debate, Done, Entry, Fault, Task, Turn


class Word(Reply):
    """A word."""

    word: Said = text("Word", words=1)

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        yield Entry(by, turn.round, "word", {"length": len(self.word)}, {"Word": self.word})

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Iterator[Fault]:
        if self.word in {e.texts["Word"] for e in d.find("word")}:
            yield Fault("word", "was said before")


class Relay(Protocol):
    """Two say a word each round; the rules count them."""

    name = "relay"
    Settings = Common
    replies = {"word": Word}

    def participants(self, settings: Common) -> dict[str, str]:
        return {"ann": "debater", "ben": "debater"}

    def script(self, d: Debate) -> Script:
        for number in range(3):
            yield Turn(number, "awaiting_words", (Task("ann", "word"), Task("ben", "word")))
            yield Turn(number, "awaiting_nobody", ())
            count = len(d.find("word", round=number))
            yield Entry("tally", number, "count", {"words": count}, folder="judgments")
        yield Done(2, "completed", "three rounds")


def begin(**settings: Any) -> Replayed:
    return start(Relay(), Debate(Common(**{"first_answer": "off"} | settings)))


def say(at: Replayed, **words: str) -> list[Entry]:
    absent = Absent("skip", "late", "user")
    replies = {
        task.by: at.read(task.by, {"word": words[task.by]})[0] if task.by in words else absent
        for task in at.turn.tasks
    }
    return at.commit(at.make(replies))


def replay_again(
    at: Replayed, record: list[Entry] | None = None, *, audit: bool = True
) -> Replayed:
    entries = list(at.debate.entries.values()) if record is None else record
    return replay(at.protocol, Debate(at.debate.settings), entries, audit=audit)


CHANGES: list[tuple[str, Any]] = [
    ("a computed entry is changed", lambda e: [*e[:2], replace(e[2], data={"words": 7})]),
    ("a key is changed", lambda e: [replace(e[0], data={"length": 9}), *e[1:]]),
    ("a number is true", lambda e: [replace(e[0], data={"length": True}), *e[1:]]),
    ("a text is changed", lambda e: [replace(e[0], texts={"Word": "zzz"}), *e[1:]]),
    ("a text is blank", lambda e: [replace(e[0], texts={"Word": " "}), *e[1:]]),
    ("an entry is missing", lambda e: e[1:]),
    ("a computed entry is missing", lambda e: e[:2]),
    ("an entry is twice there", lambda e: [*e, replace(e[0], number=2)]),
    ("an entry is another's", lambda e: [replace(e[0], by="cyd"), *e[1:]]),
]


@pytest.mark.parametrize("change", [c[1] for c in CHANGES], ids=[c[0] for c in CHANGES])
def test_an_audit_finds_what_no_reply_could_become(change: Any) -> None:
    at = begin()
    entries = say(at, ann="a", ben="b")
    assert replay_again(at, change(entries)).faults != []
    assert replay_again(at, entries).faults == []


BUGS = [AssertionError, AttributeError, KeyError, OSError, StopIteration, TypeError, ValueError]


@pytest.mark.parametrize(
    ("owner", "rule", "error"),
    [
        *((Relay, "script", error) for error in BUGS if error is not StopIteration),
        *((Word, rule, error) for rule in ("find_faults", "become") for error in BUGS),
        *((Word, "recall", error) for error in (AssertionError, OSError)),
    ],
)
def test_a_bug_of_the_rules_is_no_fault_of_the_record(
    owner: type, rule: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    at = begin()
    say(at, ann="a", ben="b")

    def script(*_: object) -> Script:
        yield Turn(0, "awaiting_words", (Task("ann", "word"), Task("ben", "word")))
        raise error

    def fail(*_: object) -> Any:
        raise error

    monkeypatch.setattr(owner, rule, script if rule == "script" else fail)
    with pytest.raises(error):
        replay_again(at)
    damaged = [replace(e, data={"length": 9}) for e in at.debate.find("word")]
    if rule == "script":  # what stops a replay of a damaged record is named as an audit does
        found = replay_again(at, damaged, audit=False).faults
        assert [(fault.file, fault.where) for fault in found] == [(e.id, "length") for e in damaged]


def test_an_audit_applies_the_rules_to_what_is_on_record() -> None:
    at = begin()
    say(at, ann="a", ben="b")
    entries = list(at.debate.entries.values())
    again = [replace(e, round=1, step=1) for e in entries]
    assert [f.message for f in replay_again(at, [*entries, *again]).faults if f.where == "word"]


def test_a_word_limit_only_warns_of_what_is_on_record() -> None:
    at = begin()
    say(at, ann="a b", ben="b")
    strict = begin(word_limits="reject")
    assert [f.is_warning for f in strict.read("ann", {"word": "a b"})[1]] == [False]
    strict.debate.entries = at.debate.entries
    found = replay_again(strict)
    assert (found.faults, [f.where for f in found.warnings]) == ([], ["word"])


def test_a_record_that_goes_on_behind_the_end_is_a_fault() -> None:
    at = begin()
    at.commit(at.protocol.act(at.debate, at.place, Act("cancel", {"reason": "r"})))
    later = Entry("ann", 0, "word", {"length": 1}, {"Word": "a"}, step=1)
    assert replay_again(at, [*at.debate.entries.values(), later]).faults != []


NAMED: list[tuple[dict[str, Any], list[str]]] = [
    ({"participant": "ann", "exchange": 0, "phase": "awaiting_words"}, []),
    ({}, ["exchange", "participant", "phase"]),
    ({"participant": "ben", "exchange": 1, "phase": "x"}, ["exchange", "participant", "phase"]),
    ({"participant": "ann", "exchange": False, "phase": "awaiting_words"}, ["exchange"]),
]


def test_a_reply_in_a_list_is_named_too() -> None:
    _, faults = begin().read("ann", [{"word": "a", "participant": "ben"}])
    assert [f.where for f in faults] == ["participant"]


@pytest.mark.parametrize(("names", "where"), NAMED)
def test_a_reply_says_whose_it_is_and_its_turn(names: dict[str, Any], where: list[str]) -> None:
    _, faults = begin().read("ann", {"word": "a", **names}, is_named=True)
    assert sorted(f.where for f in faults) == where

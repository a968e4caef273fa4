"""A refused reply speaks to nobody: neither in an answer, nor in a repair, nor on a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import pytest

from debate_ops.engine.store import Folder
from tests.builders import SLUG, put
from tests.every_protocol.stage import RICH, Moment, aside, data_of, history, restore
from tests.hostile.filling import filled, misnamed
from tests.hostile.holding import printed
from tests.hostile.laws import differences, unseen
from tests.hostile.texts import CONTROLS, PLAIN, TEXTS

MOST = 48 * 1024
"""Characters of an answer to replies that are refused, the turn that it repeats included."""

FAST = "forged program lines"
"""The text that the fast tests take, in every protocol; the others are each taken in one."""
ALL = {**TEXTS, **{f"{name}, raw": text for name, text in CONTROLS.items()}}


def harmless_as(text: str) -> str:
    """Return plain words with the same control characters: each of them is a fault by itself."""
    return PLAIN + "".join(sorted({sign for sign in text if sign < " " and sign not in "\t\n\r"}))


class Refused(NamedTuple):
    """What comes out when the replies of a turn are refused, by name of output."""

    code: int
    outputs: dict[str, str]


def turns(protocol: str, variant: str) -> Iterator[Moment]:
    """Yield the first turn of each kind of reply."""
    seen: set[str] = set()
    for moment in history(protocol, variant):
        kinds = {item.task.schema for item in moment.position.tasks if moment.texts}
        if kinds - seen:
            yield moment
        seen |= kinds


@cache
def answers(protocol: str, variant: str, text: str) -> tuple[tuple[str, Refused], ...]:
    """Return what comes out at each of these turns, with where it is."""
    return tuple((m.label, refused(m, text)) for m in turns(protocol, variant))


def refused(moment: Moment, text: str) -> Refused:
    """Submit replies in which a text stands for all names: nothing is on record afterwards."""
    with aside():
        folder = restore(moment)
        schemas = {item.task.participant: item.task.schema for item in moment.position.tasks}
        for name, reply in moment.texts.items():
            changed = misnamed(data_of(reply), schemas[name], text)
            put(folder, name, changed, moment.step)
        answer = printed("submit", SLUG, "--step", moment.step)
        again = printed("next", SLUG)
        status = printed("status", SLUG)
        assert _record(folder) == moment.record, moment.label
        written = {
            path.name: path.read_bytes().decode("utf-8")
            for path in sorted(Path(folder.path, "inbox").rglob("*.md"))
        }
    now = {"answer.json": answer.out, "remarks.txt": answer.remarks}
    later = {"next.json": again.out, "next.txt": again.remarks, "status.txt": status.out}
    return Refused(answer.code, now | later | written)


def _record(folder: Folder) -> dict[str, bytes]:
    root = Path(folder.path)
    names = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file()}
    return {n: p.read_bytes() for n, p in sorted(names.items()) if not n.startswith("inbox/")}


def own_lines(text: str) -> int:
    """Count the lines of a file for a participant that the program answers for."""
    return sum(not line.startswith(">") for line in text.splitlines())


every_protocol = pytest.mark.parametrize(("protocol", "variant"), RICH, ids=[p for p, _ in RICH])


@pytest.mark.parametrize(
    ("protocol", "variant", "name"),
    [
        *((*rich, FAST) for rich in RICH),
        *(
            pytest.param(*rich, name, marks=pytest.mark.slow)
            for rich, name in zip(cycle(RICH), ALL, strict=False)
        ),
    ],
)
def test_what_is_said_of_a_refused_reply_has_no_line_and_no_sign_of_its_own(
    protocol: str, variant: str, name: str
) -> None:
    faults = []
    harmless = dict(answers(protocol, variant, harmless_as(ALL[name])))
    for label, hostile in answers(protocol, variant, ALL[name]):
        same = harmless[label]
        assert hostile.code == same.code == 1, label
        assert hostile.outputs.keys() == same.outputs.keys()
        faults += [f"{label}: {f}" for f in _alive(hostile.outputs, same.outputs)]
        if len(hostile.outputs["answer.json"]) > MOST:
            faults.append(f"{label}: an answer of {len(hostile.outputs['answer.json'])}")
    assert faults[:40] == []


def _alive(hostile: dict[str, str], harmless: dict[str, str]) -> Iterator[str]:
    for name, text in hostile.items():
        if name.endswith(".md"):
            more = own_lines(text) - own_lines(harmless[name])
            yield from (f"{name}: {sign}" for sign in unseen(text))
            if more:
                yield f"{name}: {more} more lines of the program's"
        elif name.endswith(".json"):
            keys = json.loads(text).keys() ^ json.loads(harmless[name]).keys()
            yield from (f"{name}: {sign}" for sign in (*unseen(text), *keys))
        else:
            yield from (f"{name}: {part}" for part in differences(name, text, harmless[name]))


@every_protocol
@pytest.mark.parametrize("name", CONTROLS)
def test_a_text_with_control_characters_is_refused_and_not_repeated(
    protocol: str, variant: str, name: str
) -> None:
    for moment in turns(protocol, variant):
        with aside():
            folder = restore(moment)
            schemas = {item.task.participant: item.task.schema for item in moment.position.tasks}
            for who, reply in moment.texts.items():
                put(folder, who, filled(data_of(reply), schemas[who], CONTROLS[name]), moment.step)
            answer = printed("submit", SLUG, "--step", moment.step)
            assert _record(folder) == moment.record, moment.label
        assert answer.code == 1, moment.label
        assert unseen(answer.out) + unseen(answer.remarks) == {}, moment.label

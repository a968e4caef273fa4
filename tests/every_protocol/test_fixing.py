"""`validate --fix`: what the record can tell is mended, and no word is lost whatever it meets."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from itertools import cycle, pairwise, product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from debate_ops import engine, repair, validation
from debate_ops.errors import BadRecordError
from debate_ops.model.turn import Turn
from debate_ops.protocols.table import rules_of
from debate_ops.storage import files, pending
from tests.builders import Data, edit_header, older_debate, put, record_of, spread
from tests.every_protocol.stage import (
    CASES,
    EVENTS,
    Moment,
    all_files,
    aside,
    every_moment,
    every_protocol,
    every_step,
    go,
    history,
    restore,
    swept,
    told,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from debate_ops.storage.folder import Folder

GONE = object()
VIEW = ("current_exchange", "current_phase", "step", "cumulative_scores")


def words(folder: Folder) -> Counter[bytes]:
    """Return every entry there is, on record or set aside."""
    root = Path(folder.path)
    places = ("arguments/*.md", "judgments/*.md", "set-aside/*")
    return Counter(path.read_bytes() for place in places for path in root.glob(place))


def astray(header: Data) -> None:
    """Let `debate.md` state a phase that is none."""
    header["current_phase"] = "awaiting_nothing"


def record(moment: Moment) -> dict[str, bytes]:
    """Return the record of a moment without its events."""
    return {name: data for name, data in moment.record.items() if name != EVENTS}


def new_in(before: Moment, after: Moment) -> list[str]:
    """Return the files that one commit put on record, in their order."""
    return [name for name in record(after) if name not in before.files]


@swept
def test_a_key_that_is_gone_or_damaged_is_made_from_the_record(protocol: str) -> None:
    """Each key in each way, at one moment or another."""
    moments = cycle(every_moment(protocol))
    has_totals = bool(every_moment(protocol)[0].position.debate.state.totals)
    damages = product(VIEW, (GONE, None, [-1], 77))
    for (key, value), moment in zip(damages, moments, strict=False):
        folder = restore(moment)
        if value is not GONE:
            edit_header(folder, "debate.md", lambda header: header.update({key: value}))  # noqa: B023
        elif has_totals or key != "cumulative_scores":
            edit_header(folder, "debate.md", lambda header: header.pop(key))  # noqa: B023
        repair.fix(folder)
        assert told(folder) == record(moment), moment.label
        assert repair.fix(folder) == ()


@swept
def test_a_good_debate_is_left_alone(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        assert repair.fix(folder) == ()
        assert all_files(folder) == moment.files, moment.label


@every_protocol
def test_a_debate_md_older_than_its_record_is_made_new(protocol: str, name: str) -> None:
    """Of what was written just then nobody can say that it was committed: that is set aside."""
    moments = history(protocol, name)
    last = moments[-1]
    for moment in moments[:-1]:
        folder = restore(last)
        Path(folder.debate_file).write_bytes(moment.files["debate.md"])
        before = words(folder)
        codes = {finding.code for finding in repair.fix(folder)}
        if moment.step == last.step - 1:
            assert codes == {"set_aside"}, moment.label
            assert told(folder) == record(moment)
            go(folder, moment)
        else:
            assert codes == {"view_mended"}, moment.label
            assert words(folder) == before
        assert told(folder) == record(last), moment.label


@every_protocol
def test_half_a_commit_never_counts(protocol: str, name: str) -> None:
    """Whether `debate.md` waits for it, or is older still."""
    moments = history(protocol, name)
    for place, (moment, after) in enumerate(pairwise(moments)):
        if not moment.texts or len(new_in(moment, after)) < 2:
            continue
        earlier = moments[max(0, place - 2)]
        for half, before_it in product(_halves(new_in(moment, after)), (moment, earlier)):
            folder, debate_md = restore(moment), before_it.files["debate.md"]
            for file in half:
                Path(folder.within(file)).write_bytes(after.files[file])
            Path(folder.debate_file).write_bytes(debate_md)
            before = words(folder)
            repair.fix(folder)
            assert told(folder) == record(moment), moment.label
            assert words(folder) == before, moment.label
            go(folder, moment)
            assert told(folder) == record(after), moment.label


def _halves(new: list[str]) -> Iterator[list[str]]:
    """Yield what is there when a commit is stopped after its first entries, and before its last.

    Not where the last one is one of several of its participant: a critique fewer is a reply, too.
    """
    who = [Path(file).name.partition("_")[0] for file in new]
    yield [file for file, name in zip(new, who, strict=True) if name == who[0]][: len(new) - 1]
    if who[-1] != who[-2]:
        yield new[:-1]


@swept
def test_a_step_that_was_lowered_by_hand_is_put_back(protocol: str) -> None:
    """All else in `debate.md` says that the last entries count."""
    for before, moment, _ in every_step(protocol):
        if before.position.debate.state == moment.position.debate.state:
            continue  # then nothing else tells them apart
        folder = restore(moment)
        edit_header(folder, "debate.md", lambda header: header.update(step=header["step"] - 1))
        assert {finding.code for finding in repair.fix(folder)} == {"view_mended"}
        assert told(folder) == record(moment), moment.label


@swept
def test_an_undo_that_was_interrupted_comes_to_its_end(protocol: str) -> None:
    for moment, _, last in every_step(protocol):
        folder = restore(last)
        _, ids = engine.undo(folder, step=moment.step)
        undone = told(folder)
        whole = words(folder)
        for file in Path(folder.within("set-aside")).iterdir():
            entry = file.name.removeprefix("1-")
            kind = "arguments" if f"arguments/{entry}" in last.files else "judgments"
            file.rename(folder.within(kind, entry))
        pending.begin_undo(folder, moment.step)
        codes = Counter(finding.code for finding in repair.fix(folder))
        assert codes == Counter({"taken_back": 1, "set_aside": len(ids)}), moment.label
        assert told(folder) == undone
        assert words(folder) == whole
        assert pending.undo_begun(folder) is None


@every_protocol
def test_what_was_taken_back_and_made_again_is_not_called_undone(protocol: str, name: str) -> None:
    """The `debate.md` of just after an undo, beside a record that has gone on since."""
    moments = history(protocol, name)
    last = moments[-1]
    for moment in spread(moments[:-2], 4):
        folder = restore(last)
        engine.undo(folder, step=last.step - 1)
        engine.undo(folder, step=moment.step)
        debate_md = Path(folder.debate_file).read_bytes()
        Path(restore(last).debate_file).write_bytes(debate_md)
        ids = json.loads(debate_md.split(b"---\n")[1])["undone"]
        assert ids
        repair.fix(folder)
        assert told(folder) == record(last), moment.label


@every_protocol
def test_a_damaged_entry_is_refused_by_name_and_nothing_is_touched(
    protocol: str, name: str
) -> None:
    last = history(protocol, name)[-1]
    damages = cycle((b"", b"no header", b'---\n{"id": "x', b"\xff\xfe"))
    entries = [name for name in last.record if name.startswith(("arguments/", "judgments/"))]
    for file, damage in zip(entries, damages, strict=False):
        folder = restore(last)
        Path(folder.within(file)).write_bytes(damage)
        files.stage(folder.debate_file, "half")
        edit_header(folder, "debate.md", astray)
        before = all_files(folder)
        with pytest.raises(BadRecordError, match=re.escape(Path(file).name)):
            repair.fix(folder)
        assert all_files(folder) == before


BEYOND_THE_RECORD: list[dict[str, object]] = [
    {"settings": {"colour": "blue"}},
    {"settings": []},
    {"settings": {"history_characters": -1}},
    {"settings": {}},
    {"protocol": "none"},
    {"protocol": 7},
    {"request": "soon"},
    {"undone": [1]},
    {"created": 2026},
]


@swept
def test_what_the_record_cannot_tell_is_refused_by_name_and_nothing_is_touched(
    protocol: str,
) -> None:
    for change, moment in zip(BEYOND_THE_RECORD, cycle(every_moment(protocol)), strict=False):
        folder = restore(moment)
        files.stage(folder.debate_file, "half")
        nothing = {"current_phase": "awaiting_nothing"}
        edit_header(folder, "debate.md", lambda header: header.update(change | nothing))  # noqa: B023
        before = all_files(folder)
        with pytest.raises(BadRecordError, match="|".join((*change, "colour", "participants"))):
            repair.fix(folder)
        assert all_files(folder) == before, moment.label


@every_protocol
def test_a_record_of_another_protocol_is_refused(protocol: str, name: str) -> None:
    """As where the key `protocol` was lost: its default would make nonsense of the record."""
    last = history(protocol, name)[-1]
    other = "formal" if protocol == "exchange" else "exchange"
    folder = restore(last)
    edit_header(folder, "debate.md", lambda header: header.update(protocol=other, settings={}))
    before = all_files(folder)
    with pytest.raises(BadRecordError, match=f"the protocol '{other}' does not know"):
        repair.fix(folder)
    assert all_files(folder) == before


@every_protocol
@pytest.mark.parametrize(
    "text", [b"", b"notes\n", b"---\n{}\n---\n", b"---\n{\n<<<<<<< ours\n---\n"]
)
def test_a_debate_md_without_a_header_is_refused(protocol: str, name: str, text: bytes) -> None:
    folder = restore(history(protocol, name)[-1])
    Path(folder.debate_file).write_bytes(text)
    before = all_files(folder)
    with pytest.raises(BadRecordError):
        repair.fix(folder)
    assert all_files(folder) == before


@swept
def test_a_strangers_files_stay_where_they_are(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        mine = {
            "arguments/notes.txt": b"notes",
            "judgments/notes.md": b"notes",
            f"arguments/alice_{moment.position.debate.state.exchange + 5:03d}.md": b"---\n"
            b'{"exchange": %d, "step": 99}\n---\n' % (moment.position.debate.state.exchange + 5),
        }
        for file, data in mine.items():
            Path(folder.within(file)).write_bytes(data)
        repair.fix(folder)
        now = told(folder)
        assert {file: now.pop(file) for file in mine} == mine
        assert now == record(moment), moment.label


@every_protocol
def test_a_lost_step_is_told(protocol: str, name: str) -> None:
    """A file in the middle is gone: what is left is no longer the whole debate."""
    moments = history(protocol, name)
    last = moments[-1]
    lost = new_in(moments[1], moments[2])
    folder = restore(last)
    for file in lost:
        Path(folder.within(file)).unlink()
    edit_header(folder, "debate.md", astray)
    codes = Counter(finding.code for finding in repair.fix(folder))
    assert codes == Counter(view_mended=1, step_lost=1)


@swept
def test_replies_that_wait_in_the_inbox_stay(protocol: str) -> None:
    for moment, after, _ in every_step(protocol):
        folder = restore(moment)
        for who, text in moment.texts.items():
            put(folder, who, text, moment.step)
        edit_header(folder, "debate.md", astray)
        repair.fix(folder)
        assert {s.status for s in engine.look(folder).tasks} <= {engine.REPLIED, engine.WAITING}
        go(folder, moment)
        assert told(folder) == record(after), moment.label


@swept
def test_beside_a_submission_the_debate_is_the_same(protocol: str) -> None:
    """Whichever of the two comes first; the other finds nothing to do, or is told to run again."""
    for moment, after, _ in every_step(protocol):
        if not moment.texts:
            continue
        folder = restore(moment)
        for who, text in moment.texts.items():
            put(folder, who, text, moment.step)
        child = os.fork()
        if not child:
            os._exit(bool(repair.fix(folder)))
        engine.submit(folder, moment.step)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, moment.label
        assert told(folder) == record(after), moment.label


def test_an_older_tools_debate_is_left_alone() -> None:
    folder = older_debate()
    before = record_of(folder)
    assert repair.fix(folder) == ()
    assert record_of(folder) == before


@pytest.mark.parametrize("exchange", [0, 3])
def test_an_older_tools_debate_at_a_wrong_exchange_is_mended(exchange: int) -> None:
    folder = older_debate()
    path = Path(folder.debate_file)
    right = path.read_text(encoding="utf-8")
    path.write_text(
        right.replace('"current_exchange": 1', f'"current_exchange": {exchange}'), encoding="utf-8"
    )
    assert validation.validate(folder)[0]
    assert [finding.code for finding in repair.fix(folder)] == ["view_mended"]
    header = json.loads(path.read_text(encoding="utf-8").split("\n\n# Motion")[0])
    assert (header["current_exchange"], header["current_phase"]) == (1, "awaiting_arguments")
    assert engine.look(folder).debate.step == 2
    assert repair.fix(folder) == ()


def test_scores_that_an_older_tool_wrote_ahead_do_not_move_its_debate() -> None:
    """Its commands were not atomic: `debate.md` tells which of them count."""
    folder = older_debate()
    path = Path(folder.debate_file)
    text = path.read_text(encoding="utf-8").replace(
        '"current_exchange": 1', '"current_exchange": 0'
    )
    text = text.replace('"awaiting_arguments"', '"awaiting_judgment"')
    text = re.sub(r'"total": -?0.75,\s*"count": 3', '"total": 0, "count": 0', text)
    path.write_text(text, encoding="utf-8")
    assert engine.look(folder).debate.state[:2] == (0, "awaiting_judgment")
    assert repair.fix(folder) == ()
    assert path.read_text(encoding="utf-8") == text


DAMAGES = st.sampled_from(["drop", "number", "null", "cut", "letter", "gone", "older", "copy"])


@settings(max_examples=12)
@given(st.data())
def test_whatever_is_damaged_no_entry_is_lost_and_twice_is_once(data: st.DataObject) -> None:
    """A refusal touches nothing; a success leaves every entry, on record or set aside."""
    protocol, name = data.draw(st.sampled_from(CASES))
    moments = history(protocol, name)
    moment = data.draw(st.sampled_from(moments[1:]))
    with aside():
        folder = restore(moment)
        for _ in range(data.draw(st.integers(1, 2))):
            _damage(data, folder, moments)
        before, whole = all_files(folder), words(folder)
        try:
            repair.fix(folder)
        except BadRecordError:
            assert all_files(folder) == before
            return
        assert words(folder) == whole
        assert repair.fix(folder) == ()
        try:
            position = engine.next_turn(folder)
        except BadRecordError:  # a file that it does not count stands among those that count
            return
        if isinstance(position.due, Turn):
            assert position.due.step == position.debate.step
        assert rules_of(protocol).derive(position.debate.record, position.debate.settings) == (
            position.debate.state
        )


def _damage(data: st.DataObject, folder: Folder, moments: tuple[Moment, ...]) -> None:
    entries = [
        p for kind in ("arguments", "judgments") for p in Path(folder.within(kind)).iterdir()
    ]
    paths = sorted([Path(folder.debate_file), *entries])
    path = data.draw(st.sampled_from([Path(folder.debate_file), *paths]))
    kind = data.draw(DAMAGES)
    text = path.read_bytes().decode()
    if kind == "gone" and path.name != "debate.md":
        path.unlink()
    elif kind == "older":
        Path(folder.debate_file).write_bytes(data.draw(st.sampled_from(moments)).files["debate.md"])
    elif kind == "copy":
        later = data.draw(st.sampled_from(moments))
        for file in list(record(later))[:: data.draw(st.integers(1, 3))]:
            if "/" in file:
                Path(folder.within(file)).write_bytes(later.files[file])
    elif kind == "cut":
        path.write_text(text[: data.draw(st.integers(0, len(text)))], encoding="utf-8")
    elif kind == "letter":
        at = data.draw(st.integers(0, len(text) - 1)) if text else 0
        letter = data.draw(st.sampled_from('{}[]",:x0\n-'))
        path.write_text(text[:at] + letter + text[at + 1 :], encoding="utf-8")
    elif match := re.search(r'\n  "(\w+)": ("[^"\n]*"|[0-9]+),', text):
        matches = list(re.finditer(r'\n  "(\w+)": ("[^"\n]*"|[0-9]+),', text))
        match = data.draw(st.sampled_from(matches))
        new = {"drop": "", "number": f'\n  "{match[1]}": 3,', "null": f'\n  "{match[1]}": null,'}
        changed = text[: match.start()] + new.get(kind, match[0]) + text[match.end() :]
        path.write_text(changed, encoding="utf-8")

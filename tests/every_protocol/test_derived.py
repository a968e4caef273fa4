"""What is made from the record is made again when it is gone or was edited (PX-07)."""

from __future__ import annotations

from pathlib import Path

from debate_ops import engine, repair, validation
from tests.every_protocol.stage import (
    EVENTS,
    all_files,
    every_moment,
    every_protocol,
    go,
    history,
    prompts,
    prompts_of,
    restore,
    swept,
    told,
)


@swept
def test_prompts_that_were_deleted_or_edited_are_written_again(protocol: str) -> None:
    for moment in every_moment(protocol):
        folder = restore(moment)
        for file in prompts_of(moment):
            Path(folder.within("inbox", file)).write_text("Say yes.", encoding="utf-8")
        Path(folder.within("inbox", f"{moment.step + 9}-somebody.prompt.md")).write_text("old")
        Path(folder.within("inbox", ".gitignore")).unlink()
        engine.next_turn(folder)
        assert all_files(folder) == moment.files, moment.label


@every_protocol
def test_events_are_no_part_of_the_truth(protocol: str, name: str) -> None:
    """Deleted, cut off or full of nonsense: the debate goes on and its record is the same."""
    *moments, last = history(protocol, name)
    for number, text in enumerate((None, b"", b'{"event": "debate_cre', b"\xff\x00 nonsense\n")):
        moment = moments[min(number, len(moments) - 1)]
        folder = restore(moment)
        path = Path(folder.within(EVENTS))
        path.unlink() if text is None else path.write_bytes(text)
        for later in moments[moments.index(moment) :]:
            go(folder, later)
        assert told(folder) == {n: d for n, d in last.record.items() if n != EVENTS}
        assert path.read_bytes().startswith(text or b"")


@swept
def test_a_state_edited_by_hand_is_made_from_the_record_again(protocol: str) -> None:
    """PX-07: `validate` tells the difference, `validate --fix` puts it right to the byte."""
    for moment in every_moment(protocol):
        folder = restore(moment)
        path = Path(folder.debate_file)
        state = moment.position.debate.state
        right = path.read_text(encoding="utf-8")
        wrong = right.replace(f'"current_phase": "{state.phase}"', '"current_phase": "awaiting_x"')
        wrong = wrong.replace(
            f'"current_exchange": {state.exchange}', f'"current_exchange": {state.exchange + 1}'
        )
        path.write_text(wrong, encoding="utf-8")
        faults, _ = validation.validate(folder)
        assert [(f.code, f.actual, f.expected) for f in faults if f.code == "view_differs"] == [
            ("view_differs", str(state.exchange + 1), str(state.exchange)),
            ("view_differs", "awaiting_x", state.phase),
        ], moment.label
        assert [done.code for done in repair.fix(folder)] == ["view_mended"]
        assert path.read_text(encoding="utf-8") == right, moment.label
        assert validation.validate(folder)[0] == ()
        assert engine.next_turn(folder).due == moment.due
        assert prompts(folder) == prompts_of(moment)
        assert repair.fix(folder) == ()

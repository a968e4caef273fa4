"""Every command that writes, in debates of every protocol: made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from debate_ops import engine
from debate_ops.storage import files, pending
from debate_ops.storage.folder import Folder
from tests.builders import SLUG, edit_header, put
from tests.every_protocol.scripts import ROWS
from tests.every_protocol.stage import EVENTS, Moment, history, restore
from tests.reliability.exchange_cases import CASES
from tests.reliability.sweep import Case

if TYPE_CHECKING:
    from debate_ops.model.turn import Act

Found = Iterator[tuple[str, Case]]
"""Cases, each with the phase it is about."""


def _rich(protocol: str) -> tuple[Moment, ...]:
    return history(protocol, next(iter(ROWS[protocol].variants)))


def _at(moment: Moment, *without: str) -> None:
    """Put a debate back to where all its replies wait, except those of some."""
    folder = restore(moment)
    for name, text in moment.texts.items():
        if name not in without:
            put(folder, name, text, moment.step)


def _first_of_each_phase(moments: tuple[Moment, ...]) -> list[Moment]:
    actual: dict[str, Moment] = {}
    for moment in moments:
        actual.setdefault("/".join(item.task.template for item in moment.position.tasks), moment)
    return [moment for moment in actual.values() if moment.texts]


def _phase(moment: Moment) -> str:
    return moment.position.debate.state.phase


def next_(protocol: str) -> Found:
    for moment in _first_of_each_phase(_rich(protocol)):
        yield (
            _phase(moment),
            Case(lambda moment=moment: _without_inbox(moment), ("next", SLUG)),  # type: ignore[misc]
        )


def _without_inbox(moment: Moment) -> None:
    folder = restore(moment)
    for path in Path(folder.within("inbox")).iterdir():
        path.unlink()


def submit(protocol: str) -> Found:
    for moment in _first_of_each_phase(_rich(protocol)):
        words = ("submit", SLUG, "--step", moment.step)
        yield _phase(moment), Case(lambda moment=moment: _at(moment), words)  # type: ignore[misc]


def last_submit(protocol: str) -> Found:
    """The one that ends the debate: nothing is due after it."""
    *_, moment, _ = _rich(protocol)
    yield _phase(moment), Case(lambda: _at(moment), ("submit", SLUG, "--step", moment.step))


def refused(protocol: str) -> Found:
    moment = max(_rich(protocol), key=lambda m: len(m.texts))
    words = ("submit", SLUG, "--step", moment.step)
    yield _phase(moment), Case(lambda: _with_a_bad_one(moment), words, code=1, code_again=1)


def _with_a_bad_one(moment: Moment) -> None:
    _at(moment)
    folder = Folder(f"debates/{SLUG}")
    put(folder, next(iter(moment.texts)), '{"participant": "somebody"}', moment.step)


def skip(protocol: str) -> Found:
    """The last one awaited, and one while others are awaited."""
    reason = ("--reason", "no answer", "--json")
    for moment in _first_of_each_phase(_rich(protocol)):
        *_, name = moment.texts
        words = ("skip", SLUG, "--participant", name, "--step", moment.step, *reason)
        yield _phase(moment), Case(lambda m=moment, n=name: _at(m, n), words)  # type: ignore[misc]
    for moment in [m for m in _rich(protocol) if len(m.texts) > 1][:1]:
        pending = ("skip", SLUG, "--participant", next(iter(moment.texts)), *reason)
        yield "pending", Case(lambda m=moment: _at(m, *m.texts), pending)  # type: ignore[misc]


def advance(protocol: str) -> Found:
    for moment in _first_of_each_phase(_rich(protocol)):
        _, *missing = moment.texts
        words = ("advance", SLUG, "--step", moment.step, "--reason", "time is over", "--json")
        yield _phase(moment), Case(lambda m=moment, n=missing: _at(m, *n), words)  # type: ignore[misc]


def act(protocol: str) -> Found:
    """Every act that a script has; replies that wait then have come too late, and stay."""
    for name in ROWS[protocol].variants:
        for moment in history(protocol, name):
            if moment.act:
                yield moment.act.name, Case(lambda m=moment: _with_late(m), typed(moment.act))  # type: ignore[misc]


def _with_late(moment: Moment) -> None:
    folder = restore(moment)
    for name in moment.names[:1]:
        put(folder, name, '{"title": "Half a thought"}', moment.step)


def typed(done: Act, slug: str = SLUG) -> tuple[object, ...]:
    """Return the command by which a person does this."""
    if done.name == "answer":
        data = [f"{question}={text}" for question, text in done.values.items()]
    else:
        options = ((f"--{key}", value) for key, value in done.values.items() if value)
        data = [word for option in options for word in option]
    return (done.name, slug, *data, "--by", done.by, "--json")


def undo(protocol: str) -> Found:
    *moments, last = _rich(protocol)
    middle = moments[len(moments) // 2]
    for label, moment, step in (
        ("last step", last, last.step - 1),
        ("half", last, middle.step),
        ("under way", middle, 1),
    ):
        words = ("undo", SLUG, "--step", step, "--json")
        yield label, Case(lambda m=moment: _at(m), words)  # type: ignore[misc]


COMMANDS: dict[str, Callable[[str], Found]] = {
    "next": next_,
    "submit": submit,
    "last submit": last_submit,
    "submit, refused": refused,
    "skip": skip,
    "advance": advance,
    "act": act,
    "undo --step": undo,
}

PAIRS = [(protocol, name) for protocol in ROWS for name in COMMANDS]
PAIRS += [("exchange", name) for name in CASES]

QUICK = [
    *(("exchange", name) for name in ("process-exchange, rebuttal", "process-judge, rescore")),
    *(("exchange", name) for name in ("new", "next", "undo", "submit, opening and first answer")),
    *(("formal", name) for name in ("submit, refused", "advance")),
    *(("consensus", name) for name in ("submit", "act")),
    *(("chairs", name) for name in ("skip", "undo --step")),
    *(("design", name) for name in ("last submit", "act")),
    ("speeches", "submit"),
]
"""Every command once, and every protocol, for where not all pairs are taken."""


def cases(protocol: str, name: str) -> Iterator[tuple[str, Case]]:
    """Yield every case of a command in a debate of a protocol, with what it is about."""
    if name in COMMANDS:
        yield from COMMANDS[name](protocol)
    else:
        yield name, CASES[name]


def _new_in(before: Moment, after: Moment) -> list[str]:
    return [name for name in after.record if name not in before.files and name != EVENTS]


def edited(protocol: str) -> None:
    moment = _rich(protocol)[2]
    folder = restore(moment)
    path = Path(folder.debate_file)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'"{_phase(moment)}"', '"awaiting_x"'), encoding="utf-8")
    files.stage(folder.debate_file, "half")
    files.stage(folder.entry("arguments", "x_001"), "half")


def half_written(protocol: str) -> None:
    moments = _rich(protocol)
    place = next(n for n, m in enumerate(moments) if len(m.texts) > 1)
    _at(moments[place])
    for name in _new_in(moments[place], moments[place + 1])[:-1]:
        Path("debates", SLUG, name).write_bytes(moments[place + 1].files[name])


def written(protocol: str) -> None:
    before, after = _rich(protocol)[1:3]
    _at(before)
    for name in _new_in(before, after):
        Path("debates", SLUG, name).write_bytes(after.files[name])


def older(protocol: str) -> None:
    moments = _rich(protocol)
    folder = restore(moments[4])
    Path(folder.debate_file).write_bytes(moments[1].files["debate.md"])


def older_and_half_written(protocol: str) -> None:
    moments = _rich(protocol)
    place = max(n for n, m in enumerate(moments) if len(m.texts) > 1)
    half_of = moments[place]
    new = _new_in(half_of, moments[place + 1])
    folder = restore(half_of)
    for name in new[:-1][:1]:
        Path(folder.within(name)).write_bytes(moments[place + 1].files[name])
    Path(folder.debate_file).write_bytes(moments[max(0, place - 2)].files["debate.md"])


def half_undone(protocol: str) -> None:
    last = _rich(protocol)[-1]
    folder = restore(last)
    engine.undo(folder, step=1)
    aside = sorted(Path(folder.within("set-aside")).iterdir())
    for file in aside[::2]:
        entry = file.name.removeprefix("1-")
        kind = "arguments" if f"arguments/{entry}" in last.files else "judgments"
        file.rename(folder.within(kind, entry))
    pending.begin_undo(folder, 1)


def lost_view(protocol: str) -> None:
    folder = restore(_rich(protocol)[3])
    lost = ("current_exchange", "current_phase", "step", "cumulative_scores")
    edit_header(folder, "debate.md", lambda header: [header.pop(key) for key in lost])


BROKEN_DEBATES: dict[str, Callable[[str], None]] = {
    "edited": edited,
    "half written": half_written,
    "written": written,
    "older": older,
    "older and half written": older_and_half_written,
    "half undone": half_undone,
    "lost view": lost_view,
}

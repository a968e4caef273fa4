"""The flow of a debate of the protocol exchange in every form: see `FlowSheet`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.formats.csv_text import Cell
from debate_ops.model.debate import Debate
from debate_ops.reports.blocks import Block, Paragraph, Ref, Table, line
from debate_ops.reports.exchange import flow_words, numbers
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.page import alone
from debate_ops.reports.text import shorten
from debate_ops.semantics.flow import RULE, THREAD_RULE, Reply, Thread

HEADS = (
    *("id", "thread", "exchange", "attacker", "side", "target", "component", "state", "how"),
    *("answered_by", "defended_by", "countered_by", "conceded_by", "later_turns"),
)

_TITLE = 10
"""Characters of a title that there is always room for."""
_MOTION_LINES = 3


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    told = numbers.of(debate)
    return FlowSheet(
        lines=lambda columns: list(_lines(told, columns)),
        page=lambda: alone(debate, _page(told)),
        heads=HEADS,
        rows=tuple(_rows(told)),
        data=_data(told),
    )


def _page(numbers_: Numbers) -> Iterator[Block]:
    yield Paragraph(line(" ".join(flow_words.tally(numbers_.flow, ", ".join))))
    rows = tuple(
        (
            line(numbers_.kind.place(attack.exchange)),
            line(Ref(attack.attacker)),
            line(f"{attack.component} of ", Ref(attack.target)),
            line(flow_words.came(attack, flow_words.PLAIN)),
        )
        for attack in numbers_.attacks
    )
    yield Table(("Exchange", "Attack", "On", "Outcome"), rows)
    yield Paragraph(line(f"{RULE} {THREAD_RULE}".replace("*", "")))


# ---------------------------------------------------------------- for a terminal


def _lines(told: Numbers, columns: int) -> Iterator[str]:
    sides = told.kind.sides
    motion = shorten(told.framing.motion, _MOTION_LINES * columns)
    yield from _wrapped(motion or "(no motion)", columns, after="  ")
    for thread in told.flow.threads:
        yield ""
        yield from _thread(told, thread, columns)
    yield ""
    for sentence in flow_words.tally(told.flow, ", ".join):
        yield from _wrapped(sentence, columns)
    if passed := list(flow_words.let_pass(told.flow, sides, ", ".join)):
        yield "Dropped or not met directly:"
        for attack in passed:
            yield from _wrapped(attack, columns, "  ")
    yield ""
    yield from _wrapped(f"{RULE} {THREAD_RULE}".replace("*", ""), columns)


def _thread(told: Numbers, thread: Thread, columns: int) -> Iterator[str]:
    """Yield a thread: its opening argument with what came of it, then every reply in it."""
    root = told.standing(thread.root)
    came = flow_words.came_of(thread, told.kind.sides)
    room = columns - len(f"{thread.root}   [{came}]")
    titled = shorten(root.argument.title, max(room, _TITLE)) if root else ""
    yield f"{thread.root}  {titled} [{came}]"
    for exchange, cell in thread.cells.items():
        for reply in cell:
            if told_of := _reply(reply, thread):
                yield from _wrapped(f"{exchange:>3}  {told_of}", columns, "  ", "       ")


def _reply(reply: Reply, thread: Thread) -> str:
    """Return what an argument does in a thread; nothing of the one that only opens it."""
    home = "" if reply.home == thread.root else f" (in the thread of {reply.home})"
    done = flow_words.reply(reply, flow_words.PLAIN)
    return f"{reply.argument}{home} {done}" if done else ""


def _wrapped(text: str, columns: int, before: str = "", after: str = "") -> list[str]:
    """Return a text in lines of at most so many columns; `after` goes before all but the first."""
    return textwrap.wrap(text, columns, initial_indent=before, subsequent_indent=after or before)


# ---------------------------------------------------------------- as rows and as data


def _ids(told: Numbers) -> dict[int, str]:
    """Return an id for each attack by its place: that of its argument, and its number in it."""
    counts: dict[str, int] = {}
    found = {}
    for place, attack in enumerate(told.attacks):
        counts[attack.attacker] = counts.get(attack.attacker, 0) + 1
        found[place] = f"{attack.attacker}-attack-{counts[attack.attacker]}"
    return found


def _threads_of(told: Numbers) -> dict[str, str]:
    """Return the thread of each argument, by the argument that opened it."""
    return {member: thread.root for thread in told.flow.threads for member in thread.members}


def _rows(told: Numbers) -> Iterator[tuple[Cell, ...]]:
    ids, threads = _ids(told), _threads_of(told)
    for place, attack in enumerate(told.attacks):
        yield (
            ids[place],
            threads[attack.target],
            attack.exchange,
            attack.attacker,
            told.kind.sides.get(attack.side, attack.side),
            attack.target,
            attack.component,
            attack.state.code,
            " ".join(answer.code for answer in attack.answers),
            " ".join(attack.answered_by),
            " ".join(attack.defended_by),
            " ".join(attack.countered_by),
            " ".join(attack.conceded_by),
            attack.turns,
        )


def _data(told: Numbers) -> dict[str, Any]:
    flow, threads = told.flow, _threads_of(told)
    return {
        "tally": {state.code: number for state, number in flow.tally().items()},
        "answers": {way.code: number for way, number in flow.answers().items()},
        "attacks": [_attack(dict(zip(HEADS, row, strict=True))) for row in _rows(told)],
        "arguments": [
            {
                "id": s.argument.id,
                "side": told.kind.sides.get(s.argument.side, s.argument.side),
                "exchange": s.argument.exchange,
                "title": s.argument.title,
                "thread": threads[s.argument.id],
                "state": flow.receptions[s.argument.id].code,
            }
            for s in told.standings
        ],
        "threads": [_thread_data(told, thread) for thread in flow.threads],
        "rule": f"{RULE} {THREAD_RULE}".replace("*", ""),
    }


def _attack(row: Mapping[str, Cell]) -> dict[str, Any]:
    lists = ("how", "answered_by", "defended_by", "countered_by", "conceded_by")
    return {key: _words(row, key) if key in lists else value for key, value in row.items()}


def _words(row: Mapping[str, Cell], key: str) -> list[str]:
    return str(row[key]).split()


def _thread_data(told: Numbers, thread: Thread) -> dict[str, Any]:
    return {
        "root": thread.root,
        "side": told.kind.sides.get(thread.side, thread.side),
        "state": thread.state.code,
        "members": list(thread.members),
        "replies": [
            {
                "argument": reply.argument,
                "exchange": reply.exchange,
                "thread": reply.home,
                "attacks": list(dict.fromkeys(a.target for a in reply.attacks)),
                "defends": list(dict.fromkeys(d.target_id for d in reply.defends)),
            }
            for cell in thread.cells.values()
            for reply in cell
        ],
    }

"""The flow sheet of a debate on a page: threads in rows, exchanges in columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from debate_ops.reports.exchange import flow_words
from debate_ops.reports.exchange.flow_words import ON_A_PAGE, came_of
from debate_ops.reports.exchange.numbers import Numbers
from debate_ops.reports.given import Rows
from debate_ops.reports.markdown import table
from debate_ops.reports.phrases import CELL, folded, left_out, newest
from debate_ops.reports.text import counted, inline, shorten
from debate_ops.semantics.flow import THREAD_RULE, Flow, Reply, Thread

COLUMNS = 5
"""Exchanges to a table: more cannot be read beside one another."""

LEGEND = f"{THREAD_RULE} An attack that is not answered is in bold."


def sheet(numbers: Numbers, rows: Rows) -> Iterator[str]:
    """Yield the flow sheet, folded away where it is long."""
    flow = numbers.flow
    exchanges, earlier = newest(flow.exchanges, rows)
    content = [
        part
        for first in range(0, len(exchanges), COLUMNS)
        for part in _table(numbers, flow, exchanges[first : first + COLUMNS], rows)
    ]
    content += [LEGEND, *left_out(earlier, "exchange")]
    threads = counted(len(flow.threads), "thread")
    span = counted(len(flow.exchanges), "exchange")
    yield from folded(f"The flow sheet: {threads} over {span}", content, _size(flow))


def _size(flow: Flow) -> int:
    """Return how many cells are filled."""
    return sum(len(thread.cells) for thread in flow.threads)


def _table(numbers: Numbers, flow: Flow, exchanges: Sequence[int], rows: Rows) -> Iterator[str]:
    """Yield the sheet of some exchanges: the threads in which something was said in them."""
    spoken = [t for t in flow.threads if any(exchange in t.cells for exchange in exchanges)]
    shown, more = newest(spoken, rows)
    heads = ["Thread", *(numbers.kind.place(e).capitalize() for e in exchanges), "Outcome"]
    yield table(heads, [_row(numbers, thread, exchanges) for thread in shown])
    yield from left_out(more, "thread")


def _row(numbers: Numbers, thread: Thread, exchanges: Iterable[int]) -> list[str]:
    root = numbers.standing(thread.root)
    title = inline(shorten(root.argument.title, CELL)) if root else ""
    cells = [" ".join(_reply(r, thread) for r in thread.cells.get(e, ())) for e in exchanges]
    return [f"[{thread.root}] {title}".rstrip(), *cells, came_of(thread, numbers.kind.sides)]


def _reply(reply: Reply, thread: Thread) -> str:
    """Return what an argument does in a thread, as a sentence."""
    home = "" if reply.home == thread.root else f" (in the thread of [{reply.home}])"
    return f"[{reply.argument}]{home} {flow_words.reply(reply, ON_A_PAGE) or 'stated'}."

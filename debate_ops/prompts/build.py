"""One task's prompt: everything the participant may see, in one text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats import entries, schema
from debate_ops.formats.prose import in_short
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.entries import Argument, Entry, Record
from debate_ops.model.ids import order
from debate_ops.model.score import to_number
from debate_ops.model.turn import Context, Task, Turn
from debate_ops.prompts import templates

EXCERPT = 200
"""Characters of an entry that is told in one line."""
LINE = 900
"""Characters to a line at most: agent clients cut longer lines when they read a file."""

TAGS = (
    *("motion", "framing", "document", "entry", "argument", "entries", "arguments"),
    *("own_arguments", "opponent_arguments", "new_arguments", "targets", "others"),
    *("own_entries", "notes", "statements", "question", "proposals", "critiques", "outcome"),
    *("speech", "answered", "debate", "interruption", "evaluation", "personas", "history"),
    *("questions", "clarifications", "requirements", "refinements", "summary", "role"),
    *("facts", "faults", "reply", "refused_reply"),
)
"""Every tag that a template may put around texts of others: no such text can open or close one."""

_UNSEEN = r"[\s\u200b-\u200f\u2060\ufeff]*"
_TAG = re.compile(rf"<(?={_UNSEEN}/?{_UNSEEN}(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
_LONG = re.compile(rf"([^\n]{{1,{LINE}}})(?:[ \t]+|\Z|(?=\n))|([^\n]{{{LINE}}})")


def prompt(debate: Debate, framing: Framing, turn: Turn, task: Task, context: Context) -> str:
    """Return the prompt of one task: the same debate at the same step gives the same bytes."""
    shown, left_out = blocks(debate, context)
    values = {
        "motion": wrap(_inert(framing.motion)),
        "framing": framing_block(framing),
        "participant": task.participant,
        "exchange": str(turn.exchange),
        "phase": turn.phase,
        "language_rule": language_rule(debate.settings),
        "evidence_rule": _evidence_rule(debate.settings, framing),
        "limits_rule": _limits_rule(debate.settings),
        "reply_schema_note": _schema_note(task),
        "left_out": left_out,
    }
    template = templates.read(f"{debate.protocol}/{task.template}")
    own = {name: wrap(_inert(text)) for name, text in context.values.items()}
    return templates.fill(template, values | shown | own)


def repair(participant: str, faults: Iterable[Finding], refused: str) -> str:
    """Return the prompt that hands a refused reply back, with every fault."""
    listed = "\n".join(f"- {wrap(_inert(fault.sentence()))}{_wanted(fault)}" for fault in faults)
    return templates.fill(
        templates.read("repair"),
        {
            "participant": participant,
            "faults": listed,
            "refused_reply": f"<reply>\n{wrap(_inert(refused))}\n</reply>",
        },
    )


def _wanted(fault: Finding) -> str:
    return f" Wanted: {wrap(_inert(fault.wanted))}." if fault.wanted else ""


def framing_block(framing: Framing) -> str:
    """Return definitions, scope and context with their headings; empty where there are none."""
    parts = []
    if framing.definitions:
        terms = [
            f"- {_inert(f'{d.term}: {d.text}' if d.term else d.text)}" for d in framing.definitions
        ]
        parts.append("## Definitions\n\n" + wrap("\n".join(terms)))
    if framing.scope:
        parts.append(f"## Scope\n\n{wrap(_inert(framing.scope))}")
    if framing.context:
        documents = [
            f"<document name={_inert(json.dumps(d.name, ensure_ascii=False))}>\n"
            f"{wrap(_inert(d.text))}\n"
            "</document>"
            for d in framing.context
        ]
        parts.append(
            "## Context\n\nEvery participant is given these documents.\n\n" + "\n\n".join(documents)
        )
    return "\n\n".join(parts)


def blocks(debate: Debate, context: Context) -> tuple[dict[str, str], str]:
    """Return the entries of a context as texts by placeholder, and what was left out of them."""
    cut = _cut(debate, context)
    found = {}
    for name, ids in context.shown.items():
        listed = _lines(debate.record, (i for i in ids if i in cut.listed), context)
        full = [_block(debate.record, i, context) for i in ids if i in cut.full]
        found[name] = "\n\n".join(filter(None, (listed, *full))) or "(none)"
    for name, ids in context.listed.items():
        found[name] = _lines(debate.record, ids, context) or "(none)"
    return found, _left_out(cut)


class _Cut(NamedTuple):
    """Which entries are given in full, which on one line, which by their id alone."""

    full: frozenset[str]
    listed: frozenset[str]
    named: frozenset[str]


def _cut(debate: Debate, context: Context) -> _Cut:
    """Choose how much of each entry to give: the newest in full, until the budget is spent.

    A third of the budget more goes to titles and claims of those before them. What may not be
    shortened is given in full.
    """
    whole = {
        i for name, ids in context.shown.items() if name not in context.may_shorten for i in ids
    }
    may = {i for name in context.may_shorten for i in context.shown[name]}
    newest = _newest_first(debate.record, may)
    budget = int(debate.settings.get("history_characters", 0))
    full, too_long = _within(budget, newest, lambda i: len(_entry(debate.record, i).body))
    others = chain(too_long, newest)
    listed, _ = _within(budget // 3, others, lambda i: len(_told(_entry(debate.record, i))))
    return _Cut(frozenset(full | whole), frozenset(listed), frozenset(may - full - listed))


def _newest_first(record: Record, ids: Iterable[str]) -> Iterator[str]:
    """Yield ids from the newest on; no more files are read than those of the exchanges reached."""
    by_exchange = groupby(sorted(ids, key=order, reverse=True), key=lambda i: order(i)[0])
    for _, group in by_exchange:
        yield from sorted(group, key=lambda i: _entry(record, i).step, reverse=True)


def _within(
    budget: int, ids: Iterable[str], size: Callable[[str], int]
) -> tuple[set[str], tuple[str, ...]]:
    """Return which ids the budget reaches for, and the first for which it does not."""
    taken: set[str] = set()
    for entry_id in ids:
        budget -= size(entry_id)
        if budget < 0:
            return taken, (entry_id,)
        taken.add(entry_id)
    return taken, ()


def _left_out(cut: _Cut) -> str:
    if not cut.listed and not cut.named:
        return ""
    by_id = f", and the {len(cut.named)} before them by their ids alone" if cut.named else ""
    return (
        f"The whole debate would be too long: {len(cut.listed)} older entries are given on one "
        f"line each{by_id}. Do not guess at what else they say."
    )


def _block(record: Record, entry_id: str, context: Context) -> str:
    entry = _entry(record, entry_id)
    value = entries.parse(entry)
    text = wrap(_inert("\n".join(entries.lines(value))))
    told = f'id="{entry_id}" exchange="{entry.exchange}"{_score(entry_id, context)}'
    if isinstance(value, Argument):
        return f"<argument {told}>\n{text}\n</argument>"
    return f'<entry kind="{entry.kind}" {told}>\n{text}\n</entry>'


def _entry(record: Record, entry_id: str) -> Entry:
    entry = record.get(entry_id)
    if entry is None:
        raise KeyError(entry_id)
    return entry


def _lines(record: Record, ids: Iterable[str], context: Context) -> str:
    """Return a line for each entry: its id, its score where that may be seen, title and claim."""
    lines = []
    for entry_id in ids:
        score = _score(entry_id, context)
        told = f" ({score.strip()})" if score else ""
        lines.append(f"- {entry_id}{told} {_told(_entry(record, entry_id))}")
    return wrap(_inert("\n".join(lines)))


def _told(entry: Entry) -> str:
    if entry.kind == "argument":  # known from the header: no need to read it all
        return f"{entry.header.get('title', '')}: {entry.header.get('claim', '')}"
    return in_short(entries.headline(entries.parse(entry)), EXCERPT)


def _score(entry_id: str, context: Context) -> str:
    if context.scores is None:
        return ""
    score = context.scores.get(entry_id)
    return ' score_on_record="none"' if score is None else f' score_on_record="{to_number(score)}"'


def _inert(text: str) -> str:
    """Keep a text from closing, or opening, the tags that mark it as data."""
    return _TAG.sub("&lt;", text)


def wrap(text: str) -> str:
    """Return `text` with long lines broken at white space, so that no client cuts them."""
    if all(len(line) <= LINE for line in text.split("\n")):
        return text
    return "\n".join(_wrapped(line) for line in text.split("\n"))


def _wrapped(line: str) -> str:
    return "\n".join((match[1] or match[2]) for match in _LONG.finditer(line))


def language_rule(settings: Mapping[str, Any]) -> str:
    """Return in which language the debate is held."""
    language = _inert(" ".join(str(settings.get("language") or "").split()))
    return f"Write in {language}." if language else "Write in the language of the motion."


def _evidence_rule(settings: Mapping[str, Any], framing: Framing) -> str:
    if settings.get("web_search") != "forbidden":
        return (
            "You may search the web for evidence, if you can. Cite what you really read, with its "
            "address; never a source from memory that you could not check."
        )
    where = "the context documents above" if framing.context else "general reasoning"
    return (
        f"Do not search the web and cite no outside source. The only evidence allowed is {where}: "
        "name the document as the source and stay with what it says. Where a point rests on your "
        'own reasoning, write "Reasoning" as its source.'
    )


def _limits_rule(settings: Mapping[str, Any]) -> str:
    if settings.get("word_limits") == "reject":
        return "A text over its word limit is refused: count before you answer."
    return "Word limits are measured and reported with the debate; keep within them."


def _schema_note(task: Task) -> str:
    title = schema.load(task.schema).get("title", task.schema)
    return (
        f"The program that reads the reply checks it against a JSON Schema, `{task.schema}` "
        f"({title}). All that it asks for is said above: there is no need to look for it, and no "
        "other file to open."
    )

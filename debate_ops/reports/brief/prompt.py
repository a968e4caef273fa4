"""The prompt that asks an agent for the brief of a debate of any protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from debate_ops.model.score import signed
from debate_ops.model.texts import one_line, quoted
from debate_ops.prompts import build, templates
from debate_ops.reports.brief.fields import Fields
from debate_ops.reports.items import Item
from debate_ops.reports.table import report_of
from debate_ops.reports.text import counted
from debate_ops.reports.view import OPEN, View

_CHARACTERS = 250_000
"""How much of what was said the reporter reads in full: it is asked once."""
_EXCERPT = 120
_NONE = "(none)"


def prompt(view: View) -> str:
    """Return the prompt; the same debate, the same bytes."""
    framing = view.content.framing
    said = [item for item in view.content.items if item.is_said]
    judged = [item for item in view.content.items if not item.is_said]
    values = {
        "motion": quoted(framing.motion),
        "framing": build.framing_block(framing) or _NONE,
        "answer_rule": report_of(view.debate.protocol).ANSWER_RULE,
        "participants": _lines(_participants(view)),
        "choices": _choices(view),
        "sureness": _sureness(view),
        "points": _lines(f"{name}: {one_line(t, _EXCERPT)}" for name, t in view.points.items()),
        "unused": quoted("\n".join(map(one_line, view.unused))) if view.unused else _NONE,
        "fields": _lines(f"{{{name}}} = {value}" for name, value in view.data.items()),
        "attacks": _lines(f"{{attack:{link}}}" for link in Fields(view).attacks),
        "shares": _lines(f"{name}: {signed(share)}" for name, share in view.shares.items()),
        "entries": _entries(said, view),
        "judgments": _blocks(judged),
        "first_answer": _first_answer(view.first_answer),
        "language_rule": build.language_rule(view.debate.settings),
    }
    return templates.fill(templates.read("brief"), values)


def _lines(lines: Iterable[str]) -> str:
    text = "\n".join(map(one_line, lines))
    return quoted(text) if text else _NONE


def _participants(view: View) -> Iterator[str]:
    """Yield who took part, and the persona somebody was given."""
    settings = view.debate.settings.get("participants", ())
    personas = {
        each["name"]: f"; was given the persona: {each['persona']}"
        for each in (settings if isinstance(settings, list) else ())
        if isinstance(each, dict) and each.get("persona")
    }
    for name, what in view.content.participants.items():
        yield f"{name}: {what}{personas.get(name, '')}"


def _choices(view: View) -> str:
    if not view.choices:
        return f'There is nothing to choose between: `direction` is "{OPEN}".'
    listed = _lines(f"{key}: {words}" for key, words in view.choices.items())
    allowed = " or ".join(f'"{key}"' for key in filter(None, (view.favoured, OPEN)))
    return f"By key:\n\n{listed}\n\nBy the record `direction` can be {allowed}."


def _sureness(view: View) -> str:
    if view.sureness is None:
        return "This debate seeks no verdict."
    reasons = "\n".join(reason.text for reason in view.sureness.reasons)
    return f"How sure that is, by the program's rule: {view.sureness.level.words}.\n\n" + (
        quoted(reasons) if reasons else ""
    )


def _first_answer(text: str) -> str:
    if not text:
        return (
            "There is none on record. Before you turn to the record, write one yourself from the "
            "question, its framing and its context alone, as one careful adviser would: the "
            "recommendation with its condition and how sure it is, the strongest reasons for it "
            "and against it, what should not weigh heavily, what it turns on, what to find out, "
            "what to do next; some 700 words, written out in full. Then edit that page; "
            "`changed` is left out."
        )
    return f"<first_answer>\n{quoted(text)}\n</first_answer>"


def _entries(items: list[Item], view: View) -> str:
    """Return what was said, the newest in full; of the oldest the title where it is too much."""
    left = max(_CHARACTERS, int(view.debate.settings.get("history_characters", 0)))
    first = len(items)
    while first and left >= 0:
        left -= sum(len(text) for _, text in items[first - 1].texts)
        first -= left >= 0
    listed = _lines(f"{item.id}: {item.title}" for item in items[:first])
    short = f"Of the {counted(first, 'oldest entry', 'oldest entries')} only titles stand here."
    return "\n\n".join(([f"{short}\n\n{listed}"] if first else []) + [_blocks(items[first:])])


def _blocks(items: Iterable[Item]) -> str:
    return "\n\n".join(map(_block, items)) or _NONE


def _block(item: Item) -> str:
    texts = [f"{name}: {text}" if name else text for name, text in item.texts]
    known = f'id="{item.id}" exchange="{item.entry.exchange}"'
    return f"<entry {known}>\n{quoted(chr(10).join([item.title, *texts]))}\n</entry>"

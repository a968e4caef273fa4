"""One task's prompt: everything the participant may see, in one text.

Whatever somebody else wrote stands in lines that begin with `>`, and nowhere else: see
`model.texts.quoted`. The other lines are the program's own.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from debate_ops.errors import ConfigurationError, Finding
from debate_ops.formats import context_points, entries, schema
from debate_ops.model.debate import Debate, Framing, Word
from debate_ops.model.entries import ARGUMENT, Entry, Record
from debate_ops.model.ids import order, parse_id
from debate_ops.model.score import to_number
from debate_ops.model.texts import LINE, broken, one_line, quoted
from debate_ops.model.turn import Context, Own, Task, Turn

PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_PART = re.compile(r"^<!-- (?:if ([a-z_]+)|end) -->\n", re.MULTILINE)
"""Where a part of a template begins that is left out if a value is empty, and where it ends."""
_BLANK_LINES = re.compile(r"\n{3,}")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def skill_folder() -> str:
    """Return the folder of SKILL.md and the templates: the checkout, or the wheel's copy."""
    packed = os.path.join(_PACKAGE, "_skill")
    return packed if os.path.isdir(os.path.join(packed, "templates")) else os.path.dirname(_PACKAGE)


def read(name: str) -> str:
    """Return a template's text; `name` is its path below `templates/` without `.md`.

    Raises:
        ConfigurationError: the installation lacks it.
    """
    path = os.path.join(skill_folder(), "templates", f"{name}.md")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ConfigurationError(
            f"the template {path} cannot be read: {error.strerror}",
            hint="Install debate_ops again, or bring the file back.",
        ) from None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its placeholders replaced, once: values are never searched again.

    Several blank lines that empty values leave become one.

    >>> fill("A {{x}} B", {"x": "{{y}}"})
    'A {{y}} B'
    """
    first, *rest = PLACEHOLDER.split(_parts(template, values))
    filled = _BLANK_LINES.sub("\n\n", first)
    for name, piece in zip(rest[::2], rest[1::2], strict=True):
        value, after = values[name], _BLANK_LINES.sub("\n\n", piece)
        if not value.strip() and filled.endswith("\n\n"):
            value, after = "", after.lstrip("\n")
        filled += value + after
    return filled


def _parts(template: str, values: Mapping[str, str]) -> str:
    r"""Return a template without its parts that are about a value that is empty.

    >>> _parts("A\n<!-- if x -->\n{{x}}\n<!-- end -->\nB", {"x": ""})
    'A\nB'
    """
    first, *rest = _PART.split(template)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return first + "".join(part for name, part in pairs if not name or values[name].strip())


UNUSED = "unused_points"
"""The placeholder for the points of the context that nobody has named yet."""
MOST_UNUSED = 12
"""How many of them are listed; of more, their number is given."""
EXCERPT = 200
"""Characters of an entry that is given on one line."""
MAX_FAULT, MAX_EXPECTED = 500, 300
"""Characters of what a repair prompt says of a fault, and of what was expected instead."""

_IN_ONE_LINE = LINE - len(">  …")


def prompt(  # noqa: PLR0913, PLR0917  (all that a prompt is made of)
    debate: Debate, framing: Framing, turn: Turn, task: Task, context: Context, name: str = ""
) -> str:
    """Return the prompt of one task: the same debate at the same step gives the same bytes.

    `name` means the debate on the command line, where that is not its slug.
    """
    shown, left_out = blocks(debate, context)
    is_beside = task in turn.beside
    folder = "" if is_beside else f"{debate.protocol}/"
    template = read(f"{folder}{task.template}")
    values = {
        "motion": quoted(framing.motion),
        "framing": framing_block(framing, with_names=not is_beside),
        "participant": task.participant,
        "exchange": str(turn.exchange),
        "phase": turn.phase,
        "language_rule": language_rule(debate.settings),
        "evidence_rule": _evidence_rule(debate.settings, framing),
        "limits_rule": _limits_rule(debate.settings),
        "reply_schema_note": _schema_note(name or debate.slug, task),
        "left_out": left_out,
    }
    if UNUSED in PLACEHOLDER.findall(template):
        values[UNUSED] = _unused_points(debate, framing)
    text = fill(template, values | shown | value_blocks(context.values))
    return text + _said(context.words)  # last, as it is new


def _said(words: Sequence[Word]) -> str:
    listed = [quoted(f"{word.by}: {word.text}") for word in words]
    return "\n".join(("", *_SAID, *listed, "")) if words else ""


_SAID = (
    "## Said by those who run this debate\n",
    "Follow it as far as the rules above allow. It is nobody's argument and no evidence.\n",
)


def value_blocks(values: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a context as they stand in a prompt: quoted, unless they are `Own`."""
    return {
        name: _in_short_lines(text) if isinstance(text, Own) else text and quoted(text)
        for name, text in values.items()
    }


def _in_short_lines(text: str) -> str:
    """Return a text with long lines broken; those that are quoted are short enough already."""
    return "\n".join(part for line in text.split("\n") for part in broken(line))


def repair(participant: str, faults: Iterable[Finding], refused: str) -> str:
    """Return the prompt that hands a refused reply back, with every fault."""
    return fill(
        read("repair"),
        {
            "participant": participant,
            "faults": "\n".join(map(_fault_line, faults)),
            "refused_reply": f"<reply>\n{quoted(refused)}\n</reply>",
        },
    )


def _fault_line(fault: Finding) -> str:
    is_said = fault.expected in fault.message
    expected = "" if is_said else f" Expected: {one_line(fault.expected, MAX_EXPECTED)}."
    return f"- {one_line(fault.sentence(), MAX_FAULT)}{expected}"


def framing_block(framing: Framing, *, with_names: bool = True) -> str:
    """Return definitions, scope and context with their headings; empty where there are none.

    Each point of the context has its name beside it, for those who may have to name one.
    """
    parts = []
    if framing.definitions:
        terms = [f"- {d.term}: {d.text}" if d.term else f"- {d.text}" for d in framing.definitions]
        parts.append("## Definitions\n\n" + quoted("\n".join(terms)))
    if framing.scope:
        parts.append(f"## Scope\n\n{quoted(framing.scope)}")
    if framing.context:
        documents = context_points.named(framing) if with_names else framing.context
        texts = [quoted(f"Name: {one_line(each.name)}\n\n{each.text}") for each in documents]
        rule = f"{_RULE} {_NAMES}" if with_names else _RULE
        listed = [f"<document>\n{text}\n</document>" for text in texts]
        parts.append("\n\n".join(("## Context", rule, *listed)))
    return "\n\n".join(parts)


_RULE = "Every participant is given these documents."
_NAMES = """Their points have names: the one marked
`[#7]` in a document that is called `notes.md` is `notes.md#7`. Where you rest on a point, name it
so, as the `source` if your reply has sources, else in the text."""


_LOOK = """No argument has named these points of the context so far. Look at them before you write:
use one that bears on the question, and leave the others."""


def _unused_points(debate: Debate, framing: Framing) -> str:
    """Return the points of the context that nobody has named yet, with a heading, or nothing."""
    names = context_points.points(framing)
    left = context_points.unused(names, context_points.said(debate.record)) if names else ()
    if not left:
        return ""
    listed = [one_line(f"{name}: {names[name]}", EXCERPT) for name in left[:MOST_UNUSED]]
    more = len(left) - MOST_UNUSED
    parts = [
        "## Facts of the case that nobody has used yet",
        _LOOK,
        quoted("\n".join(listed)),
        f"And {more} more." if more > 0 else "",
    ]
    return "\n\n".join(filter(None, parts))


def blocks(debate: Debate, context: Context) -> tuple[dict[str, str], str]:
    """Return the entries of a context as texts by placeholder, and what was left out of them."""
    cut = _cut(debate, context)
    texts = {}
    for name, ids in context.shown.items():
        listed = _lines(debate.record, (i for i in ids if i in cut.listed), context)
        full = [_block(debate.record, i, context) for i in ids if i in cut.full]
        texts[name] = "\n\n".join(filter(None, (listed, *full))) or "(none)"
    for name, ids in context.listed.items():
        texts[name] = _lines(debate.record, ids, context) or "(none)"
    return texts, _left_out(cut)


class _Cut(NamedTuple):
    """Which entries are given in full, which on one line, and how many by their id alone."""

    full: set[str]
    listed: set[str]
    named: int


def _cut(debate: Debate, context: Context) -> _Cut:
    """Choose how much of each entry to give: the newest in full, until the budget is spent.

    A third of the budget more goes to titles and claims of those before them. What may not be
    shortened is given in full.
    """
    may = {i for name in context.may_shorten for i in context.shown[name]}
    whole = {
        i for name, ids in context.shown.items() for i in ids if name not in context.may_shorten
    }
    budget = int(debate.settings.get("history_characters", 0))
    for_lines = budget // 3
    full: set[str] = set()
    listed: set[str] = set()
    for entry in _newest_first(debate.record, may):
        budget -= len(entry.body) if budget >= 0 else 0
        if budget >= 0:
            full.add(entry.id)
            continue
        for_lines -= len(_gist(entry))
        if for_lines < 0:
            break
        listed.add(entry.id)
    return _Cut(full | whole, listed, len(may - full - listed))


def _newest_first(record: Record, ids: Iterable[str]) -> Iterator[Entry]:
    """Yield entries from the newest on; no file is read of an exchange that is not reached."""
    by_exchange = groupby(sorted(ids, key=order, reverse=True), key=lambda i: order(i)[0])
    for _, group in by_exchange:
        yield from sorted((_entry(record, i) for i in group), key=lambda e: e.step, reverse=True)


def _left_out(cut: _Cut) -> str:
    if not cut.listed and not cut.named:
        return ""
    by_id = f", and the {cut.named} before them by their ids alone" if cut.named else ""
    return (
        f"The whole debate would be too long: {len(cut.listed)} older entries are given on one "
        f"line each{by_id}. Do not guess at what else they say."
    )


def _block(record: Record, entry_id: str, context: Context) -> str:
    entry = _entry(record, entry_id)
    value = entries.parse(entry)
    text = quoted("\n".join(entries.lines(value)))
    known = f'id="{entry_id}" exchange="{entry.exchange}"{_score(entry_id, context)}'
    remarks = [r if isinstance(r, Own) else quoted(r) for r in context.remarks(entry_id)]
    text = "\n".join((text, *remarks))
    if value.kind == ARGUMENT:
        return f"<argument {known}>\n{text}\n</argument>"
    parts = parse_id(entry_id)  # the kind in the header is as foreign as the rest of the file
    return f'<entry kind="{parts.kind if parts else ""}" {known}>\n{text}\n</entry>'


def _entry(record: Record, entry_id: str) -> Entry:
    entry = record.get(entry_id)
    if entry is None:
        raise KeyError(entry_id)
    return entry


def _lines(record: Record, ids: Iterable[str], context: Context) -> str:
    """Return of each entry its id and the score that may be seen, then its gist, quoted."""
    lines = []
    for entry_id in ids:
        score = _score(entry_id, context)
        known = f" ({score.strip()})" if score else ""
        lines.append(f"- {entry_id}{known}\n{quoted(_gist(_entry(record, entry_id)))}")
    return "\n".join(lines)


def _gist(entry: Entry) -> str:
    if entry.kind == ARGUMENT:  # known from the header: no need to read it all
        title, claim = entry.header.get("title", ""), entry.header.get("claim", "")
        return one_line(f"{title}: {claim}", _IN_ONE_LINE)
    return one_line(entries.headline(entries.parse(entry)), EXCERPT)


def _score(entry_id: str, context: Context) -> str:
    if context.scores is None:
        return ""
    score = context.scores.get(entry_id)
    return ' score_on_record="none"' if score is None else f' score_on_record="{to_number(score)}"'


def language_rule(settings: Mapping[str, Any]) -> str:
    """Return in which language the debate is run."""
    language = one_line(str(settings.get("language") or ""))
    if not language:
        return "Write in the language of the motion."
    return f"Write in this language, as its organiser named it:\n{quoted(language)}"


def _evidence_rule(settings: Mapping[str, Any], framing: Framing) -> str:
    return f"{_allowed_evidence(settings, framing)}\n\n{_quotation_rule(settings, framing)}"


def _quotation_rule(settings: Mapping[str, Any], framing: Framing) -> str:
    if not framing.context:
        return "There are no context documents here, so leave `document` out."
    strict = "A quote that is not there word for word is refused. "
    return (
        "Where a ground rests on a context document, name it under `document`, or a point of it, "
        "and copy the words that matter under `quote`: exactly, with […] where you leave some out. "
        f"{strict if settings.get('quotations') == 'strict' else ''}The program compares each "
        "quote with the document, and your opponent and the judge are told what it found. That "
        "words stand in a document does not yet mean that they support your claim."
    )


def _allowed_evidence(settings: Mapping[str, Any], framing: Framing) -> str:
    if settings.get("web_search") != "forbidden":
        return (
            "You may search the web for evidence, if you can. Cite what you really read, with its "
            "address; never a source from memory that you could not check."
        )
    allowed = (
        "the context documents above: name the point as the source and stay with what it says"
        if framing.context
        else "general reasoning"
    )
    return (
        "Do not search the web and cite no outside source. The only evidence allowed is "
        f'{allowed}. Where a point rests on your own reasoning, write "Reasoning" as its source.'
    )


def _limits_rule(settings: Mapping[str, Any]) -> str:
    if settings.get("word_limits") == "reject":
        return "A text over its word limit is refused: count before you answer."
    return "Word limits are measured and reported with the debate; keep within them."


def _schema_note(name: str, task: Task) -> str:
    title = schema.load(task.schema).get("title", task.schema)
    return (
        f"The program that reads the reply checks it against a JSON Schema, `{task.schema}` "
        f"({title}). All that it asks for is said above: there is no need to look for it, and no "
        "other file to open. If you can run commands and `debate-ops` is one of them, "
        f"`debate-ops check-reply {name} FILE --as {task.participant}` names every fault of a "
        "draft in any other file than the reply's, and records nothing."
    )

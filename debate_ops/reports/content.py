"""The content of a debate of any protocol: one walk over its entries, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import groupby
from typing import Any

from debate_ops.analysis.flow import CONCESSION
from debate_ops.formats import debate_file, entries, headers
from debate_ops.model.debate import Debate
from debate_ops.model.entries import ABSENCE, ARGUMENT, JUDGMENT, LEFT_OUT, Contribution, Entry
from debate_ops.model.score import Millis, signed, to_millis
from debate_ops.model.turn import Done, Waiting
from debate_ops.model.views import VIEWED, Argument, absence_of, argument_of, judgment_of
from debate_ops.protocols import evidence
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.citations import SOURCES
from debate_ops.protocols.evidence import CHECKED, Remark
from debate_ops.protocols.table import rules_of
from debate_ops.reports.items import Bond, Citation, Content, Cut, Item, Mark, Part, Relation
from debate_ops.reports.reading import in_order
from debate_ops.reports.table import Outline, report_of
from debate_ops.reports.text import as_sentence, in_words

_SCORE, _RESCORE = "score", "rescore"


def content_of(debate: Debate, *, preparation: bool | None = None) -> Content:
    """Return what readers are shown of a debate whose record has been verified.

    `preparation` says whether the notes that sides made for themselves are shown; None leaves it
    to the debate's own setting.
    """
    outline = report_of(debate.protocol).outline(debate)
    shows_all = outline.shows_private if preparation is None else preparation
    on_record = in_order(debate)
    shown = [entry for entry in on_record if shows_all or not outline.private(entry)]
    hidden = () if shows_all else filter(None, map(outline.private, on_record))
    parsed = [(entry, entries.parse(entry)) for entry in shown]
    marks = tuple(m for entry, value in parsed for m in _marks(outline, entry, value))
    scores = {mark.about: mark.number for mark in marks if mark.kind in {_SCORE, _RESCORE}}
    checked = partial(evidence.of, debate)
    items = tuple(_item(entry, value, scores.get(entry.id), checked) for entry, value in parsed)
    return Content(
        debate=debate,
        framing=debate_file.framing(debate.body),
        participants=outline.participants,
        names={who: _name(outline, who, what) for who, what in outline.participants.items()},
        sides=outline.sides,
        items=items,
        marks=marks,
        parts=tuple(_parts(outline, items)),
        stops_at="" if outline.is_at_rest else _stops_at(debate),
        hidden=tuple(dict.fromkeys(hidden)),
    )


def _stops_at(debate: Debate) -> str:
    """Return where a debate stops as long as anything is due; empty where it is over."""
    rules = rules_of(debate.protocol)
    due = rules.next_turn(debate, debate.created)
    if isinstance(due, Done):
        return ""
    place = f"it stops here: {rules.place(debate.state.exchange, debate.state.phase)}"
    return f"{place}; it waits for a person" if isinstance(due, Waiting) else place


def _name(outline: Outline, who: str, what: str) -> str:
    """Return what readers call a participant."""
    if outline.sides:
        return what
    return who if what in {"", who} else f"{who} ({what})"


def _item(
    entry: Entry,
    value: Contribution,
    score: Millis | None,
    checked: Callable[[Argument], Iterable[Remark]],
) -> Item:
    argument = argument_of(value)
    said = _argument(argument) if argument else texts_of(value)
    texts = tuple((name, text) for name, text in said if text.strip())
    bonds = tuple(_bonds_of(argument) if argument else _of_contribution(value))
    if argument:
        texts += tuple((CHECKED, remark.sentence()) for remark in checked(argument))
    return Item(entry, value, entry.kind, _title(value), texts, bonds, score, argument=argument)


def _title(value: Contribution) -> str:
    if value.kind == ARGUMENT:
        return str(value.data.get("title", ""))
    return _TITLES.get(value.kind) or entries.title(value)


_TITLES = {JUDGMENT: "Judgment", ABSENCE: "No reply"}


def _parts(outline: Outline, items: Iterable[Item]) -> Iterator[Part]:
    for title, group in groupby(items, key=lambda item: outline.place(item.entry)):
        yield Part(title, tuple(_read(outline, item) for item in group))


def _read(outline: Outline, item: Item) -> Item:
    """Return an entry as it is read: a single text without a heading, what was cut set apart."""
    if item.kind in VIEWED:
        return item
    data = item.value.data
    citations = tuple(_citations(data.get("citations")))
    cut = mapping(data.get("cut"))
    apart = {SOURCES if citations else "", LEFT_OUT if cut else ""}
    texts = [(name, text) for name, text in item.texts if name not in apart]
    facts = (
        (key.replace("_", " ").capitalize(), in_words(data[key]))
        for key in outline.shown.get(item.kind, ())
        if data.get(key)
    )
    return item._replace(
        texts=(*facts, *([("", texts[0][1])] if len(texts) == 1 else texts)),
        citations=citations,
        cut=Cut(int(cut["words"]), int(cut["kept"]), item.value.texts.get(LEFT_OUT, ""))
        if cut
        else None,
    )


def _citations(listed: object) -> Iterator[Citation]:
    """Yield citations as they stand in a header; what is none is none."""
    for number, item in enumerate(listed if isinstance(listed, list) else (), 1):
        if isinstance(item, dict):
            yield Citation(number, str(item.get("source", "")), str(item.get("detail", "")))


def texts_of(value: Contribution) -> Iterator[tuple[str, str]]:
    """Yield all that an entry says, each text with its heading."""
    if argument := argument_of(value):
        yield from _argument(argument)
    elif judgment := judgment_of(value):
        for decision in judgment.decisions:
            yield f"{decision.argument_id}: {signed(decision.score)}", decision.reasoning
        for e in judgment.effects:
            yield f"{e.attacker_id} on the {e.component} of {e.target_id}: {e.effect}", e.reasoning
    elif absence := absence_of(value):
        yield "", absence.reason
    else:
        yield from value.texts.items()
        for key, name in entries.LINKS.items():
            linked = headers.links(value.data, key)
            yield name, "\n".join(f"{target} ({kind})" for target, kind in linked)


def _argument(value: Argument) -> Iterator[tuple[str, str]]:
    yield "Claim", value.claim
    for ground in value.grounds:
        yield f"Ground, from {ground.source}", ground.content
        yield f"Quoted from {ground.document or ground.source}", ground.quote
        yield "Why", ground.relevance
    yield "Warrant", value.warrant
    yield "Backing", value.backing
    yield "Qualifier", value.qualifier
    for verb, links in (("Attacks", value.attacks), ("Defends", value.defends)):
        for link in links:
            yield f"{verb} {link.target_id} ({link.type.replace('_', ' ')})", link.content


def _marks(outline: Outline, entry: Entry, value: Contribution) -> Iterator[Mark]:
    """Yield every number that an entry gives, in the order of its file; most give none."""
    by = (entry.exchange, entry.id, entry.participant)
    if judgment := judgment_of(value):
        for item in judgment.scores:
            yield Mark(*by, item.argument_id, _SCORE, item.score, None, item.reasoning)
        for new in judgment.rescores:
            yield Mark(*by, new.argument_id, _RESCORE, new.score, new.previous, new.reasoning)
    elif value.kind not in {ARGUMENT, ABSENCE}:
        for about, kind, number in outline.numbers(value):
            millis = to_millis(number)
            if millis is not None:
                yield Mark(*by, about, kind, millis)


def _bonds_of(argument: Argument) -> Iterator[Bond]:
    for link in argument.attacks:
        yield Bond(argument.id, link.target_id, Relation.ATTACKS, link.type, link.content)
    for link in argument.defends:
        concedes = link.type == CONCESSION
        relation = Relation.CONCEDES if concedes else Relation.SUPPORTS
        yield Bond(argument.id, link.target_id, relation, link.type, link.content)


_LISTS = {"attacks": Relation.ATTACKS, "defends": Relation.SUPPORTS}
_NAMES = {
    "answers": Relation.ANSWERS,
    "question": Relation.ANSWERS,
    "revises": Relation.REVISES,
    "refines": Relation.REVISES,
}
"""Keys of a header under which links stand, and those under which one name stands."""


def _of_contribution(value: Contribution) -> Iterator[Bond]:
    data = value.data
    for key, relation in _LISTS.items():
        for target, kind in headers.links(data, key):
            yield Bond(value.id, target, relation, kind)
    for target, points in _answered_points(data.get("answers")).items():
        yield Bond(value.id, target, Relation.ANSWERS, content="; ".join(points))
    for key, relation in _NAMES.items():
        if isinstance(data.get(key), str):
            yield Bond(value.id, str(data[key]), relation)
    for target in data.get("builds_on") or ():
        yield Bond(value.id, str(target), Relation.BUILDS_ON)


def _answered_points(answers: object) -> Mapping[str, list[str]]:
    """Return by critique how each of its points was answered, where a refinement says so."""
    by_critique: dict[str, list[str]] = {}
    for answer in map(mapping, answers if isinstance(answers, list) else ()):
        if answer:
            verdict = f"point {answer.get('point')} {answer.get('verdict')}"
            by_critique.setdefault(str(answer.get("critique")), []).append(verdict)
    return by_critique


def cancelled(said: Iterable[Contribution]) -> str:
    """Return who cancelled a debate and why, as sentences; empty where nobody did."""
    act = next((value for value in said if value.kind == CANCELLATION), None)
    if act is None:
        return ""
    by = str(act.data.get("by") or "") or "a person"
    reason = as_sentence(act.texts.get("Reason", ""))
    return f"By {by}: {reason}" if reason else f"By {by}."


def mapping(value: Any) -> Mapping[str, Any]:
    """Return an object of a header, and an empty one for anything else."""
    return value if isinstance(value, dict) else {}

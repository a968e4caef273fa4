"""The decision note of a debate of two sides: five lines, from the record alone."""

from __future__ import annotations

from collections.abc import Sequence

from debate_ops.model.score import Millis
from debate_ops.reports.exchange import words
from debate_ops.reports.exchange.flow_words import LATE, outcomes, pairs
from debate_ops.reports.exchange.numbers import Numbers, Standing, lead
from debate_ops.reports.exchange.what_stands import ahead, differs, flip, strength
from debate_ops.reports.markdown import reference, references
from debate_ops.reports.parts import Line, Note
from debate_ops.reports.phrases import CELL, CHANGES, FEW, UNANSWERED, VERDICT, some
from debate_ops.reports.text import capitalised, inline, score, shorten
from debate_ops.semantics.flow import Reception, State

_NOT_ANSWERED = {
    State.NOT_MET: "Not met directly",
    State.DROPPED: "Dropped",
    State.OPEN: "Still to be answered",
    State.NO_TURN: LATE,
}


def note(numbers: Numbers) -> Note:
    """Return the verdict, what stands strongest, what is unanswered, and what would change it."""
    sides = numbers.kind.sides.items()
    told = {
        VERDICT: _verdict(numbers),
        **{f"Strongest of the {name} that stands": _strongest(numbers, s) for s, name in sides},
        UNANSWERED: _unanswered(numbers),
        CHANGES: _would_change(numbers),
    }
    return tuple(Line(label, capitalised(text)) for label, text in told.items())


def _verdict(numbers: Numbers) -> str:
    if not numbers.judged:
        return f"none yet. {words.under_way(numbers)}".rstrip()
    by_strength = ahead(numbers, numbers.weighing.influence.lead)
    verdict = f"**{words.standing(numbers)}** ({words.result(numbers)})"
    told = [
        f"{verdict} after {words.span(numbers)}{words.since(numbers)}.",
        inline(words.judges(numbers)),
        words.under_way(numbers),
        f"By strength {by_strength}." if differs(numbers) else "",
    ]
    return " ".join(filter(None, told))


def _strongest(numbers: Numbers, side: str) -> str:
    own = [s for s in numbers.standings if s.argument.side == side]
    if not own:
        return "it has no argument on record."
    standing = [s for s in own if numbers.weighing.stands(s.argument.id)]
    best = max(standing or own, key=lambda s: _rank(numbers, s))
    argument = best.argument
    title = inline(shorten(argument.title, CELL))
    scored = score(None) if best.score is None else f"score {score(best.score)}"
    figures = f"{scored}, strength {strength(numbers.weighing.strength(argument.id))}"
    part = ", a part conceded" if argument.id in numbers.weighing.graph.conceded else ""
    is_late = numbers.flow.receptions[argument.id] is Reception.TOO_LATE
    last = "made in the last exchange, " if is_late else ""
    told = f"[{argument.id}] {title} ({last}{figures}{part})."
    return told if standing else f"none stands by the links; the strongest is {told}"


def _rank(numbers: Numbers, standing: Standing) -> tuple[bool, float, int]:
    """Return what puts one argument before another: a score before none, then strength."""
    strength_of = numbers.weighing.strength(standing.argument.id)
    return bool(standing.history), strength_of, standing.score or 0


def _unanswered(numbers: Numbers) -> str:
    if not numbers.attacks:
        return "no attack has been made."
    listed = {
        label: some(pairs((a for a in numbers.attacks if a.state is state), reference))
        for state, label in _NOT_ANSWERED.items()
    } | {"Never attacked": _some_ids(numbers.never_attacked)}
    told = (f"{label}: {names}." for label, names in listed.items() if names)
    return " ".join([outcomes(numbers.flow), *told])


def _some_ids(ids: Sequence[str]) -> str:
    more = len(ids) - FEW
    return f"{references(ids[:FEW])}{f' and {more} more' if more > 0 else ''}"


def _would_change(numbers: Numbers) -> str:
    if not numbers.judged:
        return "nothing is decided yet."
    by = lead(numbers.totals)
    if by == 0:
        return "the sides are level: any change of a score decides."
    now = ahead(numbers, numbers.weighing.influence.lead)
    return f"{_one_score(numbers, by)}. By strength, by which {now}, {_one_attack(numbers)}."


def _one_score(numbers: Numbers, by: Millis) -> str:
    """Return the argument whose score alone carries the lead, or that there is none."""
    first = next(iter(numbers.kind.sides))
    carried = {
        s.argument.id: (s.score or 0) * (1 if (s.argument.side == first) == (by > 0) else -1)
        for s in numbers.scored
    }
    most = max(carried, key=lambda i: carried[i])
    if carried[most] >= abs(by):
        without = by - carried[most] if by > 0 else by + carried[most]
        now = score(next(s.score for s in numbers.scored if s.argument.id == most))
        left = words.in_points(numbers, without, "would be")
        return f"if the judge's score of [{most}] ({now}) counted for nothing, {left}"
    return (
        f"no single score carries the lead (the most that one adds to it is "
        f"{score(carried[most])}, [{most}])"
    )


def _one_attack(numbers: Numbers) -> str:
    if flipping := numbers.weighing.influence.flipping:
        return flip(numbers, flipping[0])
    influence = numbers.weighing.influence
    return f"no single attack turns the lead{'' if influence.complete else ' of those tried'}"

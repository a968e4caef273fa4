"""A whole record of the protocol `exchange`, held against its rules once more."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.errors import Finding
from debate_ops.model.entries import ARGUMENTS, JUDGMENTS, Argument, Entry, Judgment
from debate_ops.model.ids import order
from debate_ops.model.score import ONE, RESCORE_LIMIT, Millis, signed
from debate_ops.model.turn import Checked
from debate_ops.protocols.base import Audited
from debate_ops.protocols.exchange import rules

OLDER_SCORES = "scores.json"


def audit(values: Audited) -> Checked:
    """Return the faults and warnings of all entries together, oldest exchange first."""
    faults = (*_side_faults(values), *_link_faults(values), *_score_faults(values))
    return Checked(faults, tuple(_word_warnings(values)))


def _side_faults(values: Audited) -> Iterator[Finding]:
    for entry, value in values:
        if isinstance(value, Argument) and value.side not in rules.SIDES:
            message = f"{value.side} is no side of this debate"
            yield Finding("unknown_side", message, file=f"{ARGUMENTS}/{entry.id}.md")


def _link_faults(values: Audited) -> Iterator[Finding]:
    for entry, value in values:
        if isinstance(value, Argument):
            yield from _contradicting_links(entry, value)
    arguments = {v.id: v for _, v in values if isinstance(v, Argument)}
    for argument in arguments.values():
        for own, links in ((False, argument.attacks), (True, argument.defends)):
            for link in links:
                target = arguments.get(link.target_id)
                problem = _link_problem(argument, target, own=own)
                if problem:
                    yield Finding(
                        "bad_target",
                        f"{link.target_id} {problem}",
                        file=f"{ARGUMENTS}/{argument.id}.md",
                        found=link.target_id,
                    )


def _contradicting_links(entry: Entry, value: Argument) -> Iterator[Finding]:
    """Yield a fault where header and body name different targets: readers use the one or other."""
    for key, links in (("attacks", value.attacks), ("defends", value.defends)):
        header = [(link["target_id"], link["type"]) for link in entry.header.get(key) or ()]
        body = [(link.target_id, link.type) for link in links]
        if header != body:
            message = f"{key} in the header and in the body are not the same"
            yield Finding("links_differ", message, file=f"{ARGUMENTS}/{entry.id}.md")


def _link_problem(argument: Argument, target: Argument | None, *, own: bool) -> str:
    if target is None:
        return "does not exist in this debate"
    if (target.side == argument.side) is not own:
        return "is on the wrong side"
    return "is not from an earlier exchange" if target.exchange >= argument.exchange else ""


def _score_faults(values: Audited) -> Iterator[Finding]:
    """Hold every judgment against the arguments and scores before it, and add up once more."""
    latest: dict[str, Millis] = {}
    totals = dict(rules.NO_TOTALS)
    ids = [v.id for _, v in values if isinstance(v, Argument)]
    for entry, value in values:
        if not isinstance(value, Judgment):
            continue
        file = f"{JUDGMENTS}/{value.id}.md" if not entry.header.get("older") else OLDER_SCORES
        yield from _judgment_faults(value, ids, latest, file)
        totals = rules.add(totals, _of_arguments(value, ids))
        latest |= {item.argument_id: item.score for item in value.decisions}
        if rules.totals_of(entry.header) != totals:
            message = f"cumulative_scores after {value.id} do not follow from the scores"
            yield Finding("totals_differ", message, file=file)


def _of_arguments(value: Judgment, ids: list[str]) -> Judgment:
    """Return what a judgment says of arguments that are there."""
    return value._replace(
        scores=tuple(s for s in value.scores if s.argument_id in ids),
        rescores=tuple(r for r in value.rescores if r.argument_id in ids),
    )


def _judgment_faults(
    value: Judgment, ids: list[str], latest: dict[str, Millis], file: str
) -> Iterator[Finding]:
    new = {i for i in ids if order(i)[0] == value.exchange}
    scored = {s.argument_id for s in value.scores}
    if missing := sorted(new - scored):
        yield Finding("score_missing", f"no score for {', '.join(missing)}", file=file)
    if unknown := sorted(scored - new):
        yield Finding("score_unknown", f"scores for {', '.join(unknown)}", file=file)
    for item in value.decisions:
        if abs(item.score) > ONE:
            message = f"{item.argument_id} has {signed(item.score)}, wanted -1 to 1"
            yield Finding("out_of_range", message, file=file, found=signed(item.score))
    total = sum(s.score for s in value.scores)
    if total:
        message = f"scores of exchange {value.exchange} sum to {signed(total)}, not 0"
        yield Finding("sum_not_zero", message, file=file, found=signed(total), wanted="0")
    for rescore in value.rescores:
        if abs(rescore.score - rescore.previous) > RESCORE_LIMIT:
            message = f"{rescore.argument_id} was rescored by more than {signed(RESCORE_LIMIT)}"
            yield Finding("rescore_too_large", message, file=file)
        before = latest.get(rescore.argument_id)
        if before != rescore.previous:
            message = f"{rescore.argument_id} was not {signed(rescore.previous)} before"
            yield Finding("old_score_wrong", message, file=file)


def _word_warnings(values: Audited) -> Iterator[Finding]:
    for entry, value in values:
        file = OLDER_SCORES if entry.header.get("older") else f"{entry.folder}/{entry.id}.md"
        if isinstance(value, Argument):
            file = f"{ARGUMENTS}/{value.id}.md"
        for found in rules.broken_limits(value):
            yield found._replace(file=file)

"""What an older tool wrote of a debate in exchanges: no steps, and all scores in one file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from debate_ops.errors import BadRecordError
from debate_ops.formats import bounded_json, entries
from debate_ops.formats.headers import totals_as_data
from debate_ops.model.debate import SIDES, Total, totals_after
from debate_ops.model.entries import JUDGMENT, JUDGMENTS, Contribution, Entry
from debate_ops.model.ids import order, parse_id
from debate_ops.model.score import as_millis, to_number
from debate_ops.model.texts import one_line

_Histories = Mapping[str, list[dict[str, Any]]]


def step_due(exchange: int, phase: str) -> int:
    """Return the step that a debate without steps is at: two to an exchange."""
    return 2 * exchange + (1 if phase == "awaiting_judgment" else 0)


def judgments(text: str, name: str, step: int) -> Iterator[Entry]:
    """Yield the judgments before a step that the scores in the file `name` come from, in order.

    Raises:
        BadRecordError: the file is damaged.
    """
    histories = _histories(text, name)
    totals: Mapping[str, Total] = dict.fromkeys(SIDES.values(), Total())
    for judgment in _judgments(histories):
        made_at = 2 * judgment.exchange + 1
        if not 0 < made_at < step:
            continue
        totals = totals_after(totals, judgment)
        header = entries.header(judgment) | {
            "step": made_at,
            "older": True,
            "cumulative_scores": totals_as_data(totals),
            "at": _scored_at(histories, judgment),
        }
        yield Entry(judgment.id, JUDGMENTS, header, entries.body(judgment))


def _histories(text: str, name: str) -> _Histories:
    """Return by argument the scores that it was given, the first one first."""
    try:
        data = bounded_json.read_whole(text)
        return {
            _argument(name): [
                dict(item, score=to_number(as_millis(item["score"]))) for item in entry["history"]
            ]
            for name, entry in data.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise BadRecordError(
            f"{name}:{getattr(error, 'lineno', 1)}: is damaged: {one_line(str(error), 200)}",
            hint=f"Bring back an earlier version of {name} from version control or a backup; it "
            "is the only record of the scores that the older tool gave.",
        ) from None


def _argument(name: str) -> str:
    if name.partition("_")[0] not in SIDES:
        raise ValueError(f"{name!r} is no argument of a side")
    return name


def _exchange(argument_id: str) -> int:
    parts = parse_id(argument_id)
    return parts.exchange if parts else -1


def _judgments(histories: _Histories) -> Iterator[Contribution]:
    lists: dict[int, dict[str, list[dict[str, Any]]]]
    lists = defaultdict(lambda: {"scores": [], "rescores": []})
    for argument_id, history in sorted(histories.items(), key=lambda item: order(item[0])):
        for before, item in zip([None, *history], history, strict=False):
            decision = {"argument_id": argument_id, "score": item["score"]}
            decision["reasoning"] = str(item.get("reasoning", ""))
            if before is None:
                lists[_exchange(argument_id)]["scores"].append(decision)
            else:
                changed = {"previous": before["score"], **decision}
                lists[_exchange(str(item.get("triggered_by", "")))]["rescores"].append(changed)
    for number in sorted(set(map(_exchange, histories))):
        yield Contribution(f"judge_{number:03d}", JUDGMENT, number, JUDGMENTS, lists[number])


def _scored_at(histories: _Histories, judgment: Contribution) -> str:
    names = (score["argument_id"] for score in judgment.data["scores"])
    first = (item for name in names for item in histories[name][:1])
    return max((str(item.get("scored_at", "")) for item in first), default="")

"""Replies in an exchange debate: their one form, and what they are on record, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import ARGUMENT, JUDGMENT, JUDGMENTS, Contribution
from debate_ops.model.ids import EntryId
from debate_ops.model.score import as_millis, to_number
from debate_ops.model.turn import Reply, Task, Turn
from debate_ops.model.views import Effect, Ground
from debate_ops.protocols import filing
from debate_ops.protocols.exchange.effects import are_decided
from debate_ops.protocols.exchange.past import JUDGE, scores_on_record
from debate_ops.protocols.replies import as_list, objects_in, or_empty

LETTERS = "abc"

_TEXTS = ("claim", "warrant", "backing", "qualifier")
_SCORE = ("argument_id", "score", "reasoning")
_BESIDE = ("rescores", "effects")
"""Lists that stand beside the scores in a judgment; either may be left out."""
_SCORES = ("scores", "rescores")
_DECISION = {"argument_id": "argument_id", "score": "score", "reasoning": "reasoning"}
_LINK = {"target_id": "target_id", "content": "content"}
_ITEMS: Mapping[str, Mapping[str, str]] = {
    "attacks": _LINK | {"type": "attack_type"},
    "defends": _LINK | {"type": "defense_type"},
    "grounds": {key: key for key in Ground._fields},
    "scores": _DECISION,
    "rescores": _DECISION | {"previous": "old_score", "score": "new_score"},
    "effects": {key: key for key in Effect._fields},
}
"""By list the keys of its items on record, each with its key in a reply."""
_OPTIONAL: Mapping[str, Any] = {"attacks": [], "defends": [], "backing": "", "qualifier": ""}
"""What an argument may leave out."""
_QUOTED = tuple(Ground._field_defaults)
"""What a ground may leave out; it is not put in, so that a reply without it keeps its digest."""


def normalise(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as its schema describes it, from any of the forms in use."""
    if task.participant == JUDGE:
        plain, notes = as_list(value, "scores", _SCORE, _BESIDE)
        _fill_in(plain, {"rescores": []})
        if plain.get("effects") in (None, []):
            plain.pop("effects", None)  # a judgment without them is what it was before they came
        return plain, notes
    is_listed = isinstance(value, list) and task.schema == "exchange-rebuttal"
    notes = ("a rebuttal is one argument; it was taken out of its list",) if is_listed else ()
    if isinstance(value, dict) and "arguments" not in value:
        value = {"arguments": [value]}
    plain, _ = as_list(_with_participant(value), "arguments", (), ())
    for item in objects_in(plain, "arguments"):
        _fill_in(item, _OPTIONAL)
        for ground in objects_in(item, "grounds"):
            for key in _QUOTED:
                if key in ground and not or_empty(ground[key]):
                    del ground[key]
    return plain, notes


def _fill_in(item: dict[str, Any], optional: Mapping[str, Any]) -> None:
    """Put what an optional part is by default where it is missing or null."""
    item |= {key: usual for key, usual in optional.items() if item.get(key) is None}


def _with_participant(value: Any) -> Any:
    """Return a reply, or its arguments, with `participant` for what names a `side`."""
    if isinstance(value, list):
        return [_with_participant(item) for item in value]
    if not isinstance(value, dict):
        return value
    plain = {key: item for key, item in value.items() if key != "side"}
    named = value.get("participant", value.get("side"))
    if named is not None:
        by_side = {side: participant for participant, side in SIDES.items()}
        plain["participant"] = by_side.get(str(named), named)
    if "arguments" in plain:
        plain["arguments"] = _with_participant(plain["arguments"])
    return plain


def arguments(turn: Turn, reply: Reply) -> Iterator[Contribution]:
    """Yield what a side's checked reply becomes."""
    letters = ("",) if turn.exchange else tuple(LETTERS)
    for letter, said in zip(letters, reply.value["arguments"], strict=True):
        data = {"title": said["title"], "claim": said["claim"]}
        data |= _on_record(said, "attacks", "defends", "grounds")
        texts = filing.sections({key.capitalize(): said[key] for key in _TEXTS})
        own = str(EntryId(reply.participant, turn.exchange, letter))
        yield Contribution(own, ARGUMENT, turn.exchange, data=data, texts=texts)


def judgment(debate: Debate, turn: Turn, reply: Reply) -> Contribution:
    """Return what the judge's checked reply becomes; a rescore that changes nothing is left out."""
    lists = ("scores", "rescores", "effects") if are_decided(debate.settings) else _SCORES
    data = _on_record(reply.value, *(key for key in lists if key in reply.value))
    before = scores_on_record(debate.record, {item["argument_id"] for item in data["rescores"]})
    for item in data["rescores"]:
        item["previous"] = to_number(before[item["argument_id"]])
    for item in (*data["scores"], *data["rescores"]):
        item["score"] = to_number(as_millis(item["score"]))
    data["rescores"] = [i for i in data["rescores"] if i["score"] != i["previous"]]
    own = str(EntryId(JUDGE, turn.exchange))
    return Contribution(own, JUDGMENT, turn.exchange, JUDGMENTS, data)


def _on_record(said: Mapping[str, Any], *lists: str) -> dict[str, list[dict[str, Any]]]:
    """Return lists of a reply as they stand on record."""
    return {
        key: [
            {name: item[part] for name, part in _ITEMS[key].items() if part in item}
            for item in said[key]
        ]
        for key in lists
    }


def _as_replied(data: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the lists of an entry as they stand in a reply."""
    return {
        key: [
            {part: item[name] for name, part in keys.items() if name in item} for item in data[key]
        ]
        for key, keys in _ITEMS.items()
        if key in data
    }


def recall(values: Sequence[Contribution], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this exchange of a recorded debate."""
    named = {"participant": task.participant, "exchange": turn.exchange}
    own = [_argument(value) for value in values if value.kind == ARGUMENT]
    if own:
        return named | {"arguments": own}
    judgments = (named | _as_replied(value.data) for value in values if value.kind == JUDGMENT)
    return next(judgments, None)


def _argument(value: Contribution) -> dict[str, Any]:
    texts = {key: value.texts.get(key.capitalize(), "") for key in _TEXTS}
    known = {key: value.data[key] for key in ("title", "claim") if value.data.get(key)}
    return texts | known | _as_replied(value.data)

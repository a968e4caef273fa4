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
_LINKS: Mapping[str, str] = {"attacks": "attack_type", "defends": "defense_type"}
"""Key of links to the key of their type in a reply."""
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
    for letter, data in zip(letters, reply.value["arguments"], strict=True):
        links = {
            key: [
                _picked(link, target_id="target_id", type=kind, content="content")
                for link in data[key]
            ]
            for key, kind in _LINKS.items()
        }
        yield Contribution(
            str(EntryId(reply.participant, turn.exchange, letter)),
            ARGUMENT,
            turn.exchange,
            data={
                "title": data["title"],
                "claim": data["claim"],
                **links,
                "grounds": [
                    {key: ground[key] for key in Ground._fields if key in ground}
                    for ground in data["grounds"]
                ],
            },
            texts=filing.sections({key.capitalize(): data[key] for key in _TEXTS}),
        )


def judgment(debate: Debate, turn: Turn, reply: Reply) -> Contribution:
    """Return what the judge's checked reply becomes; a rescore that changes nothing is left out."""
    rescored = reply.value["rescores"]
    before = scores_on_record(debate.record, {item["argument_id"] for item in rescored})
    scores = [_decision(item, score=item["score"]) for item in reply.value["scores"]]
    rescores = [
        _decision(item, previous=to_number(before[item["argument_id"]]), score=item["new_score"])
        for item in rescored
        if as_millis(item["new_score"]) != before[item["argument_id"]]
    ]
    identity = str(EntryId(JUDGE, turn.exchange))
    data = {"scores": scores, "rescores": rescores}
    decided = reply.value.get("effects", ()) if are_decided(debate.settings) else ()
    if effects := [{key: item[key] for key in Effect._fields} for item in decided]:
        data["effects"] = effects
    return Contribution(identity, JUDGMENT, turn.exchange, JUDGMENTS, data)


def _decision(item: Mapping[str, Any], **numbers: Any) -> dict[str, Any]:
    """Return a score or a rescore as it stands on record, its numbers in their one form."""
    exact = {key: to_number(as_millis(number)) for key, number in numbers.items()}
    return {"argument_id": item["argument_id"], **exact, "reasoning": item["reasoning"]}


def recall(values: Sequence[Contribution], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this exchange of a recorded debate."""
    named = {"participant": task.participant, "exchange": turn.exchange}
    own = [_argument_as_data(value) for value in values if value.kind == ARGUMENT]
    if own:
        return named | {"arguments": own}
    judgments = (_judgment_as_data(value) for value in values if value.kind == JUDGMENT)
    reply = next(judgments, None)
    return reply and named | reply


def _argument_as_data(argument: Contribution) -> dict[str, Any]:
    data, texts = argument.data, argument.texts
    links = {
        key: [
            _picked(link, target_id="target_id", **{kind: "type"}, content="content")
            for link in data[key]
        ]
        for key, kind in _LINKS.items()
    }
    said = {key: texts.get(key.capitalize(), "") for key in _TEXTS}
    known = {key: data[key] for key in ("title", "claim") if data.get(key)}
    return said | known | {"grounds": data["grounds"]} | links


def _judgment_as_data(judgment: Contribution) -> dict[str, Any]:
    keys = {"argument_id": "argument_id", "old_score": "previous", "new_score": "score"}
    rescores = [_picked(item, **keys, reasoning="reasoning") for item in judgment.data["rescores"]]
    lists = {key: judgment.data[key] for key in ("scores", "effects") if key in judgment.data}
    return lists | {"rescores": rescores}


def _picked(item: Mapping[str, Any], **keys: str) -> dict[str, Any]:
    """Return parts of an item, each under a key of another form."""
    return {new: item[key] for new, key in keys.items()}

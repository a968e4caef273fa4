"""Replies in an exchange debate: their one form, and what they are on record, both ways."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import Argument, Effect, Ground, Judgment, Link, Rescore, Score, Value
from debate_ops.model.ids import EntryId
from debate_ops.model.score import to_number
from debate_ops.model.turn import Reply, Task, Turn
from debate_ops.protocols.exchange.effects import are_decided
from debate_ops.protocols.exchange.past import JUDGE, as_millis, scores_on_record
from debate_ops.protocols.replies import as_list, objects_in, or_empty

LETTERS = "abc"

_TEXTS = ("title", "claim", "warrant", "backing", "qualifier")
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


def arguments(turn: Turn, reply: Reply) -> Iterator[Argument]:
    """Yield what a side's checked reply becomes."""
    letters = ("",) if turn.exchange else tuple(LETTERS)
    for letter, data in zip(letters, reply.value["arguments"], strict=True):
        attacks, defends = (
            tuple(Link(link["target_id"], link[kind], link["content"]) for link in data[key])
            for key, kind in _LINKS.items()
        )
        yield Argument(
            id=str(EntryId(reply.participant, turn.exchange, letter)),
            side=reply.participant,
            exchange=turn.exchange,
            grounds=tuple(_ground(ground) for ground in data["grounds"]),
            attacks=attacks,
            defends=defends,
            **{key: data[key] for key in _TEXTS},
        )


def _ground(data: Mapping[str, str]) -> Ground:
    return Ground(**{key: data[key] for key in Ground._fields if key in data})


def judgment(debate: Debate, turn: Turn, reply: Reply) -> Judgment:
    """Return what the judge's checked reply becomes; a rescore that changes nothing is left out."""
    rescored = reply.value["rescores"]
    before = scores_on_record(debate.record, {item["argument_id"] for item in rescored})
    scores = [
        Score(item["argument_id"], as_millis(item["score"]), item["reasoning"])
        for item in reply.value["scores"]
    ]
    rescores = [
        Rescore(name, before[name], as_millis(item["new_score"]), item["reasoning"])
        for item in rescored
        for name in (item["argument_id"],)
    ]
    changed = tuple(each for each in rescores if each.score != each.previous)
    decided = reply.value.get("effects", ()) if are_decided(debate.settings) else ()
    effects = tuple(Effect(*(item[key] for key in Effect._fields)) for item in decided)
    own = str(EntryId(JUDGE, turn.exchange))
    return Judgment(own, turn.exchange, tuple(scores), changed, effects)


def recall(values: Sequence[Value], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this exchange of a recorded debate."""
    naming = {"participant": task.participant, "exchange": turn.exchange}
    own = [_argument_as_data(value) for value in values if isinstance(value, Argument)]
    if own:
        return naming | {"arguments": own}
    for value in values:
        if isinstance(value, Judgment):
            return naming | _judgment_as_data(value)
    return None


def _argument_as_data(argument: Argument) -> dict[str, Any]:
    links = {
        key: [
            {"target_id": link.target_id, kind: link.type, "content": link.content}
            for link in getattr(argument, key)
        ]
        for key, kind in _LINKS.items()
    }
    texts = {key: getattr(argument, key) for key in _TEXTS}
    grounds = [
        {key: text for key, text in ground._asdict().items() if text or key not in _QUOTED}
        for ground in argument.grounds
    ]
    return texts | {"grounds": grounds} | links


def _judgment_as_data(judgment: Judgment) -> dict[str, Any]:
    effects = [each._asdict() for each in judgment.effects]
    return {
        "scores": [each._asdict() | {"score": to_number(each.score)} for each in judgment.scores],
        "rescores": [
            {
                "argument_id": each.argument_id,
                "old_score": to_number(each.previous),
                "new_score": to_number(each.score),
                "reasoning": each.reasoning,
            }
            for each in judgment.rescores
        ],
        **({"effects": effects} if effects else {}),
    }

"""What is wrong with replies in an exchange debate, as far as no schema can state it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.debate import SIDES, Debate
from debate_ops.model.entries import ARGUMENT, ARGUMENTS, JUDGMENT, JUDGMENTS, Contribution
from debate_ops.model.ids import EntryId, parse_id
from debate_ops.model.score import RESCORE_LIMIT, Millis, as_millis, signed, to_millis, to_number
from debate_ops.model.turn import Absent, Checked, Reply, Task, Turn
from debate_ops.model.views import Effect, Ground
from debate_ops.protocols import filing
from debate_ops.protocols.base import Replies
from debate_ops.protocols.evidence import STRICT, faults, sources_of
from debate_ops.protocols.exchange import effects
from debate_ops.protocols.exchange.effects import are_decided
from debate_ops.protocols.exchange.past import JUDGE, new_ids, participant_of, scores_on_record
from debate_ops.protocols.replies import (
    as_list,
    checked,
    objects,
    objects_in,
    of_participant,
    or_empty,
    too_fine,
)
from debate_ops.protocols.words import too_long

ARGUMENT_WORDS = {"title": (5, 7), "claim": 25, "warrant": 50, "backing": 50, "qualifier": 10}
GROUND_WORDS = {"content": 100, "relevance": 30, "quote": 100}
LINK_WORDS = {"content": 75}
REASONING_WORDS = {"reasoning": 75}
EFFECT_WORDS = {"reasoning": 30}

_LINKS = {"attacks": LINK_WORDS, "defends": LINK_WORDS}
_WORDS: Mapping[str, Any] = {
    "arguments": {**ARGUMENT_WORDS, "grounds": GROUND_WORDS, **_LINKS},
    "scores": REASONING_WORDS,
    "rescores": REASONING_WORDS,
    "effects": EFFECT_WORDS,
}
"""The most words of each text of a reply, or the least and the most."""

_ONLY_WARNED = frozenset(
    {
        "effect_missing",
        "effects_not_asked",
        "rescore_unchanged",
        "rescore_unexplained",
        "same_link_twice",
    }
)
_ONLY_MARKED = frozenset({"quotation_near", "quotation_not_found"})
"""What only a debate with strict quotations refuses."""

Item = Mapping[str, Any]


def check(debate: Debate, turn: Turn, replies: Replies) -> Checked:
    """Return what no schema can state: targets, zero sum, rescores against the record, words."""
    findings: list[Finding] = []
    over: list[Finding] = []
    for name, reply in replies.items():
        if isinstance(reply, Absent):
            continue
        rules = _judgment_faults if name == JUDGE else _argument_faults
        findings += of_participant(name, rules(debate, turn, name, reply.value))
        over += of_participant(name, too_long(_WORDS, reply.value, debate.settings))
    is_strict = debate.settings.get("quotations") == STRICT
    warned = _ONLY_WARNED if is_strict else _ONLY_WARNED | _ONLY_MARKED
    faults = [finding for finding in findings if finding.code not in warned]
    warnings = [finding for finding in findings if finding.code in warned]
    return checked(debate.settings, faults, warnings, over)


def _argument_faults(debate: Debate, turn: Turn, name: str, value: Item) -> Iterator[Finding]:
    context = sources_of(debate)
    for number, argument in objects(value.get("arguments")):
        for place, ground in objects(argument.get("grounds")):
            where = f"$.arguments[{number}].grounds[{place}]"
            yield from faults(context, ground, where) if context else ()
        for key in _LINKS:
            yield from _link_faults(debate, turn, name, argument, f"$.arguments[{number}].{key}")


def _link_faults(
    debate: Debate, turn: Turn, name: str, argument: Item, path: str
) -> Iterator[Finding]:
    key = path.rpartition(".")[2]
    is_own = key == "defends"
    side = "own" if is_own else "opponent's"
    expected = f"the id of one of the {side} arguments of an earlier exchange"
    seen: set[tuple[str, str]] = set()
    for place, link in objects(argument.get(key)):
        target, where = link.get("target_id"), f"{path}[{place}].target_id"
        if not isinstance(target, str):
            continue
        if problem := _target_problem(debate, turn, name, target, is_own=is_own):
            message = f"{messages.name(target)} {problem}"
            yield Finding("bad_target", message, where=where, actual=target, expected=expected)
        kind = str(link.get("attack_type") or link.get("defense_type"))
        if (target, kind) in seen:
            message = " is named twice with ".join(map(messages.name, (target, kind)))
            yield Finding("same_link_twice", message, where=where)
        seen.add((target, kind))


def _target_problem(debate: Debate, turn: Turn, name: str, target: str, *, is_own: bool) -> str:
    """Return why an argument cannot be attacked or, if `is_own`, defended; empty where it can."""
    parts = parse_id(target)
    entry = debate.record.get(target) if parts else None
    if parts and parts.exchange == turn.exchange and parts.participant in SIDES:
        return f"is not from an earlier exchange: this is exchange {turn.exchange}"
    if entry is None or entry.folder != ARGUMENTS:
        return "does not exist in this debate"
    if is_own and entry.header.get("side") != name:
        return "belongs to the opponent; only own arguments can be defended"
    if not is_own and entry.header.get("side") == name:
        return "is your own argument; only the opponent's can be attacked"
    return ""


def _judgment_faults(debate: Debate, turn: Turn, _: str, value: Item) -> Iterator[Finding]:
    new = new_ids(debate.record, turn.exchange)
    scored = objects(value.get("scores"))
    yield from _scored_ids(new, scored)
    for place, item in scored:
        yield from too_fine(item.get("score"), f"$.scores[{place}].score")
    scores = [to_millis(item.get("score")) for _, item in scored]
    known = [score for score in scores if score is not None]
    if len({participant_of(i) for i in new}) == 1:
        if any(scores):
            message = "the other side gave no argument in this exchange, so every score must be 0"
            expected = "0 for every new argument"
            yield Finding("opponent_absent", message, where="$.scores", expected=expected)
    elif len(known) == len(scores) and sum(known) != 0:
        total = signed(sum(known))
        listed = messages.names(
            [f"{item.get('argument_id')} {signed(known[k])}" for k, (_, item) in enumerate(scored)]
        )
        message = f"scores must sum to exactly 0, they sum to {total} ({listed})"
        yield Finding("sum_not_zero", message, where="$.scores", actual=total, expected="0")
    yield from _rescore_faults(debate, new, value)
    yield from effects.faults(debate, turn.exchange, value)


def _scored_ids(new: tuple[str, ...], scored: list[tuple[int, Any]]) -> Iterator[Finding]:
    named, every = [item.get("argument_id") for _, item in scored], ", ".join(new)
    if missing := [i for i in new if i not in named]:
        message = f"{len(new)} new arguments must be scored; no score for {', '.join(missing)}"
        scores = f"{len(named)} scores"
        yield Finding("score_missing", message, where="$.scores", actual=scores, expected=every)
    seen: set[str] = set()
    for place, item in scored:
        target, where = item.get("argument_id"), f"$.scores[{place}].argument_id"
        if not isinstance(target, str):
            continue
        if target not in new:
            message = f"{messages.name(target)} is not a new argument of this exchange"
            yield Finding("score_unknown", message, where=where, actual=target, expected=every)
        elif target in seen:
            yield Finding("score_twice", f"{target} is scored twice", where=where)
        seen.add(target)


def _rescore_faults(debate: Debate, new: tuple[str, ...], value: Item) -> Iterator[Finding]:
    rescored = objects(value.get("rescores"))
    named = {str(item.get("argument_id")) for _, item in rescored}
    on_record = scores_on_record(debate.record, named)
    seen: set[str] = set()
    for place, item in rescored:
        target, where = item.get("argument_id"), f"$.rescores[{place}]"
        if not isinstance(target, str):
            continue
        problem = _not_rescorable(debate, target, new, on_record)
        if target in seen:
            problem = ("rescore_twice", f"{messages.name(target)} is rescored twice")
        seen.add(target)
        if problem:
            yield Finding(*problem, where=f"{where}.argument_id", actual=target)
        else:
            yield from _rescore_numbers(item, on_record[target], where)


def _not_rescorable(
    debate: Debate, target: str, new: tuple[str, ...], on_record: Mapping[str, Millis]
) -> tuple[str, str] | None:
    if target in new:
        return ("rescore_new", f"{target} is new: give it a score, not a rescore")
    entry = debate.record.get(target) if parse_id(target) else None
    if entry is None or entry.folder != ARGUMENTS:
        return ("rescore_unknown", f"{messages.name(target)} does not exist in this debate")
    if target not in on_record:
        return ("rescore_unscored", f"{target} has no score on record that could be changed")
    return None


def _rescore_numbers(item: Item, recorded: Millis, where: str) -> Iterator[Finding]:
    for key in ("old_score", "new_score"):
        yield from too_fine(item.get(key), f"{where}.{key}")
    old, new = to_millis(item.get("old_score")), to_millis(item.get("new_score"))
    name, now = item["argument_id"], signed(recorded)
    if old is not None and old != recorded:
        message, at = f"{name} has {now} on record, not {signed(old)}", f"{where}.old_score"
        yield Finding("old_score_wrong", message, where=at, actual=signed(old), expected=now)
    if new is None:
        return
    if abs(new - recorded) > RESCORE_LIMIT:
        yield Finding(
            "rescore_too_large",
            f"{name} would change by {signed(new - recorded)}, from {now} to {signed(new)}; at "
            f"most {signed(RESCORE_LIMIT).lstrip('+')} either way is allowed",
            where=f"{where}.new_score",
            actual=signed(new),
            expected=f"between {signed(recorded - RESCORE_LIMIT)} and "
            f"{signed(recorded + RESCORE_LIMIT)}",
        )
    if new == recorded:
        message = f"{name} keeps its score of {now}; the rescore is left out"
        yield Finding("rescore_unchanged", message, where=where)


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

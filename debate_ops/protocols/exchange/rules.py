"""Proposition against opposition, with a judge whose scores sum to zero.

Exchange 0 is the opening: three independent arguments a side. Every later exchange brings one
rebuttal a side, which may attack the opponent's earlier arguments and defend its own. After each
exchange a judge scores the new arguments and may rescore earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model import messages
from debate_ops.model.debate import Debate, State, Total
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    Absence,
    Argument,
    Entry,
    Ground,
    Judgment,
    Link,
    Record,
    Rescore,
    Score,
    Value,
)
from debate_ops.model.ids import EntryId, parse_id
from debate_ops.model.score import RESCORE_LIMIT, Millis, signed, to_millis, to_number
from debate_ops.model.turn import (
    Absent,
    Act,
    Checked,
    Context,
    Done,
    Met,
    Own,
    Reply,
    Step,
    Task,
    Turn,
    Waiting,
)
from debate_ops.protocols import filing
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.exchange import drops
from debate_ops.protocols.replies import checked, objects
from debate_ops.protocols.settings import (
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
    LANGUAGE,
    WEB_SEARCH,
    WORD_LIMITS,
)

PROP, OPP, JUDGE = "prop", "opp", "judge"
SIDES: Mapping[str, str] = {PROP: "proposition", OPP: "opposition"}
_AGENTS: Mapping[str, str] = {PROP: "debater", OPP: "debater", JUDGE: "judge"}

AWAITING_ARGUMENTS = "awaiting_arguments"
AWAITING_JUDGMENT = "awaiting_judgment"

LETTERS = "abc"

CYCLE = "exchange"
EVENTS: Mapping[str, str] = {"argument": "argument_filed"}
ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {}
REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {}
SETTINGS = (
    WORD_LIMITS,
    WEB_SEARCH,
    LANGUAGE,
    FIRST_ANSWER,
    HISTORY_CHARACTERS,
)

# Words at least and at most, by field.
ARGUMENT_WORDS = {"title": (5, 7), "claim": (0, 25), "warrant": (0, 50)} | {
    "backing": (0, 50),
    "qualifier": (0, 10),
}
GROUND_WORDS = {"content": (0, 100), "relevance": (0, 30)}
LINK_WORDS = {"content": (0, 75)}
REASONING_WORDS = {"reasoning": (0, 75)}


def folder_of(entry_id: str) -> str:
    """Return the record folder of an entry by its id; empty where it is of no kind."""
    parts = parse_id(entry_id)
    if parts is None or parts.kind not in {"", "absence"}:
        return ""
    return JUDGMENTS if parts.kind or parts.participant == JUDGE else ARGUMENTS


def clashes(settings: Settings) -> Iterator[str]:  # noqa: ARG001  (they are independent)
    """Yield nothing: every setting fits every other."""
    yield from ()


def participants(settings: Settings) -> Mapping[str, str]:  # noqa: ARG001  (always the same)
    """Return the kind of agent that acts for each participant."""
    return _AGENTS


def place(exchange: int, phase: str) -> str:  # noqa: ARG001  (the exchange says it)
    """Return in words where a debate is."""
    return f"exchange {exchange}" if exchange else "opening"


def why_not_asked(debate: Debate, turn: Turn, participant: str) -> str:  # noqa: ARG001
    """Return why a participant has no task in this turn."""
    if participant == JUDGE:
        return "the judge is asked when both sides have argued"
    return "the sides are asked when the exchange before is judged"


NO_TOTALS: Mapping[str, Total] = dict.fromkeys(SIDES.values(), Total())
"""The totals before anything is scored."""


def derive(record: Record, settings: Settings) -> State:  # noqa: ARG001  (no setting bears on it)
    """Return the state that the record leads to: its last exchange, and the last totals."""
    arguments, judgments = record.ids(ARGUMENTS), record.ids(JUDGMENTS)
    totals = _last_totals(record, judgments)
    newest = [_exchange_of(ids[-1]) for ids in (arguments, judgments) if ids]
    if not newest:
        return State(0, AWAITING_ARGUMENTS, NO_TOTALS)
    exchange = max(newest)
    decided = _of_exchange(judgments, exchange)
    argued = bool(arguments) and _exchange_of(arguments[-1]) == exchange
    if argued and not any(_participant_of(entry_id) == JUDGE for entry_id in decided):
        return State(exchange, AWAITING_JUDGMENT, totals)
    return State(exchange + 1, AWAITING_ARGUMENTS, totals)


def next_turn(debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG001  (no deadlines here)
    """Return both sides' task, or the judge's: this protocol never ends by itself."""
    exchange, phase, _ = debate.state
    if phase == AWAITING_JUDGMENT:
        tasks: tuple[Task, ...] = (Task(JUDGE, _AGENTS[JUDGE], "judge", "exchange-judgment"),)
    else:
        kind = "rebuttal" if exchange else "opening"
        tasks = tuple(
            Task(side, _AGENTS[side], f"debater-{kind}", f"exchange-{kind}") for side in SIDES
        )
    return Turn(debate.step, exchange, phase, tasks)


def last_exchange(settings: Settings) -> int | None:  # noqa: ARG001
    """Return None: this protocol goes on for as long as it is asked to."""
    return None


def calls_left(debate: Debate, until: int | None) -> int:
    """Return how many agent calls it takes until `until` exchanges are judged; 0 if none are."""
    exchange, phase, _ = debate.state
    until = exchange if until is None else until
    turns_done = 2 if phase == AWAITING_JUDGMENT else 0
    return max(0, 3 * (until - exchange) - turns_done)


def context(debate: Debate, turn: Turn, task: Task) -> Context:
    """Return what a participant sees: debaters no scores, nobody a peer's argument of this turn."""
    if task.participant == JUDGE:
        return _judge_context(debate, turn)
    earlier = [i for i in debate.record.ids(ARGUMENTS) if _exchange_of(i) < turn.exchange]
    own = tuple(i for i in earlier if _participant_of(i) == task.participant)
    theirs = tuple(i for i in earlier if _participant_of(i) != task.participant)
    side = SIDES[task.participant]
    on_own, on_theirs = drops.for_debater(
        debate.record, task.participant, tuple(SIDES), turn.exchange
    )
    return Context(
        values={
            "side_name": Own(side),
            "stance": Own("for the motion" if task.participant == PROP else "against the motion"),
            "own_ids": Own(", ".join(own)),
            "opponent_ids": Own(", ".join(theirs)),
            "unanswered_attacks": on_own,
            "own_unanswered_attacks": on_theirs,
        },
        shown={"own_arguments": own, "opponent_arguments": theirs},
        may_shorten=("own_arguments", "opponent_arguments"),
    )


def _judge_context(debate: Debate, turn: Turn) -> Context:
    record = debate.record
    new = _new_ids(record, turn.exchange)
    if turn.exchange % 2:  # neither side is always read first
        new = tuple(sorted(new, key=lambda i: _participant_of(i) == PROP))
    targets = tuple(dict.fromkeys(target for i in new for target in _targets(record, i)))
    apart = set(new) | set(targets)
    others = tuple(i for i in record.ids(ARGUMENTS) if i not in apart)
    absent = [side for side in SIDES if not any(_participant_of(i) == side for i in new)]
    note = "".join(
        f"The {SIDES[side]} gave no argument in this exchange. Score every new argument 0: there "
        "is nothing to weigh it against. You may still rescore earlier arguments."
        for side in absent
    )
    return Context(
        values={
            "new_ids": Own(", ".join(new)),
            "absence_note": Own(note),
            "unanswered_attacks": drops.for_judge(record, SIDES, turn.exchange),
        },
        shown={"new_arguments": new, "targets": targets},
        listed={"others": others},
        scores=scores_on_record(record),
    )


def scores_on_record(record: Record) -> dict[str, Millis]:
    """Return each scored argument's latest score."""
    latest: dict[str, Millis] = {}
    for entry in _judgments(record):
        for item in entry.header.get("scores") or ():
            latest[item["argument_id"]] = _millis(item["score"])
        for item in entry.header.get("rescores") or ():
            latest[item["argument_id"]] = _millis(item["score"])
    return latest


def latest_scores(record: Record, ids: Collection[str]) -> dict[str, Millis]:
    """Return the latest score of each of these arguments, the newest looked up first."""
    latest: dict[str, Millis] = {}
    for entry_id in reversed(record.ids(JUDGMENTS)):
        if len(latest) == len(set(ids)):
            break
        entry = record.get(entry_id)
        header: Mapping[str, Any] = entry.header if entry and not entry.is_absence else {}
        for item in (*(header.get("rescores") or ()), *(header.get("scores") or ())):
            if item["argument_id"] in ids:
                latest.setdefault(item["argument_id"], _millis(item["score"]))
    return latest


def normalise(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return a reply as its schema describes it, from any of the forms in use."""
    if task.participant == JUDGE:
        return _normalise_judgment(value)
    return _normalise_arguments(task, value)


def _normalise_arguments(task: Task, value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if isinstance(value, list):
        if task.schema == "exchange-rebuttal":
            notes = ("a rebuttal is one argument; it was taken out of its list",)
        value = {"arguments": value}
    elif "arguments" not in value:
        value = {"arguments": [value]}
    arguments = value["arguments"]
    if isinstance(arguments, dict):
        arguments = [arguments]
    naming = _named(value)
    if isinstance(arguments, list):
        for item in filter(_is_object, arguments):
            for key, told in _named(item).items():
                if naming.setdefault(key, told) != told:
                    naming[key] = messages.name(f"{naming[key]} and {told}")  # fits nobody
        arguments = [_plain_argument(item) if _is_object(item) else item for item in arguments]
    rest = {key: item for key, item in value.items() if key not in {"side", "arguments"}}
    return rest | naming | {"arguments": arguments}, notes


def _plain_argument(argument: dict[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in argument.items() if k not in {"participant", "side", "exchange"}}
    for key in ("attacks", "defends"):
        if kept.get(key) is None:
            kept[key] = []
    for key in ("backing", "qualifier"):
        if kept.get(key) is None:
            kept[key] = ""
    return kept


def _named(naming: Mapping[str, Any]) -> dict[str, Any]:
    by_side = {side: participant for participant, side in SIDES.items()}
    named = {}
    if "exchange" in naming:
        named["exchange"] = naming["exchange"]
    participant = naming.get("participant", naming.get("side"))
    if participant is not None:
        named["participant"] = by_side.get(str(participant), participant)
    return named


def _normalise_judgment(value: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    notes: tuple[str, ...] = ()
    if isinstance(value, list):
        value = {"scores": value}
    elif "scores" not in value and "argument_id" in value:
        keys = ("argument_id", "score", "reasoning")
        single = {key: value[key] for key in keys if key in value}
        value = {key: item for key, item in value.items() if key not in keys} | {"scores": [single]}
    if value.get("rescores") is None:
        value = dict(value) | {"rescores": []}
    return value, notes


def check(debate: Debate, turn: Turn, replies: Replies) -> Checked:
    """Return what no schema can state: targets, zero sum, rescores against the record, words."""
    found: list[Finding] = []
    over: list[Finding] = []
    for participant, reply in replies.items():
        if isinstance(reply, Absent):
            continue
        if participant == JUDGE:
            found += _judgment_faults(debate, turn, reply)
            over += _judgment_words(reply)
        else:
            found += _argument_faults(debate, turn, reply)
            over += _argument_words(reply)
    faults = [f for f in found if f.code not in _ONLY_WARNED]
    warnings = [f for f in found if f.code in _ONLY_WARNED]
    return checked(debate.settings, faults, warnings, over)


_ONLY_WARNED = frozenset({"rescore_unchanged", "same_link_twice"})


def _argument_faults(debate: Debate, turn: Turn, reply: Reply) -> Iterator[Finding]:
    for number, argument in objects(reply.value.get("arguments")):
        for key in ("attacks", "defends"):
            seen: set[tuple[str, str]] = set()
            for place, link in objects(argument.get(key)):
                target = link.get("target_id")
                kind = link.get("attack_type") or link.get("defense_type")
                where = f"$.arguments[{number}].{key}[{place}].target_id"
                if not isinstance(target, str):
                    continue
                yield from _target_fault(debate, turn, reply.participant, target, where)
                if (target, str(kind)) in seen:
                    told = map(messages.name, (target, kind))
                    message = " is named twice with ".join(told)
                    yield Finding("same_link_twice", message, reply.participant, where=where)
                seen.add((target, str(kind)))


def _target_fault(
    debate: Debate, turn: Turn, participant: str, target: str, where: str
) -> Iterator[Finding]:
    parts = parse_id(target)
    own = ".defends[" in where
    side = "own" if own else "opponent's"
    wanted = f"the id of one of the {side} arguments of an earlier exchange"
    entry = debate.record.get(target) if parts else None
    problem = ""
    if parts is not None and parts.exchange == turn.exchange and parts.participant in SIDES:
        problem = f"is not from an earlier exchange: this is exchange {turn.exchange}"
    elif entry is None or entry.folder != ARGUMENTS:
        problem = "does not exist in this debate"
    elif own and entry.header.get("side") != participant:
        problem = "belongs to the opponent; only own arguments can be defended"
    elif not own and entry.header.get("side") == participant:
        problem = "is your own argument; only the opponent's can be attacked"
    if problem:
        message = f"{messages.name(target)} {problem}"
        yield Finding("bad_target", message, participant, where=where, found=target, wanted=wanted)


def _judgment_faults(debate: Debate, turn: Turn, reply: Reply) -> Iterator[Finding]:
    new = _new_ids(debate.record, turn.exchange)
    scored = objects(reply.value.get("scores"))
    yield from _scored_ids(new, scored)
    scores = [to_millis(item.get("score")) for _, item in scored]
    for (place, item), score in zip(scored, scores, strict=True):
        if score is None and _is_number(item.get("score")):
            yield _too_fine(f"$.scores[{place}].score", item["score"])
    one_sided = len({_participant_of(i) for i in new}) == 1
    if one_sided and any(scores):
        yield Finding(
            "opponent_absent",
            "the other side gave no argument in this exchange, so every score must be 0",
            JUDGE,
            where="$.scores",
            wanted="0 for every new argument",
        )
    known = [score for score in scores if score is not None]
    if len(known) == len(scores) and sum(known) != 0 and not one_sided:
        listed = messages.names(
            [f"{item.get('argument_id')} {signed(known[k])}" for k, (_, item) in enumerate(scored)]
        )
        yield Finding(
            "sum_not_zero",
            f"scores must sum to exactly 0, they sum to {signed(sum(known))} ({listed})",
            JUDGE,
            where="$.scores",
            found=signed(sum(known)),
            wanted="0",
        )
    yield from _rescore_faults(debate, new, reply)


def _scored_ids(
    new: tuple[str, ...], scored: list[tuple[int, dict[str, Any]]]
) -> Iterator[Finding]:
    named = [item.get("argument_id") for _, item in scored]
    missing = [i for i in new if i not in named]
    if missing:
        yield Finding(
            "score_missing",
            f"{len(new)} new arguments must be scored; no score for {', '.join(missing)}",
            JUDGE,
            where="$.scores",
            found=f"{len(named)} scores",
            wanted=", ".join(new),
        )
    seen: set[str] = set()
    for place, item in scored:
        target, where = item.get("argument_id"), f"$.scores[{place}].argument_id"
        if not isinstance(target, str):
            continue
        if target not in new:
            yield Finding(
                "score_unknown",
                f"{messages.name(target)} is not a new argument of this exchange",
                JUDGE,
                where=where,
                found=target,
                wanted=", ".join(new),
            )
        elif target in seen:
            yield Finding("score_twice", f"{target} is scored twice", JUDGE, where=where)
        seen.add(target)


def _rescore_faults(debate: Debate, new: tuple[str, ...], reply: Reply) -> Iterator[Finding]:
    rescored = objects(reply.value.get("rescores"))
    named = {str(item.get("argument_id")) for _, item in rescored}
    on_record = latest_scores(debate.record, named)
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
            yield Finding(*problem, JUDGE, where=f"{where}.argument_id", found=target)
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


def _rescore_numbers(item: Mapping[str, Any], recorded: Millis, where: str) -> Iterator[Finding]:
    for key in ("old_score", "new_score"):
        if to_millis(item.get(key)) is None and _is_number(item.get(key)):
            yield _too_fine(f"{where}.{key}", item[key])
    old, new = to_millis(item.get("old_score")), to_millis(item.get("new_score"))
    name = item["argument_id"]
    if old is not None and old != recorded:
        yield Finding(
            "old_score_wrong",
            f"{name} has {signed(recorded)} on record, not {signed(old)}",
            JUDGE,
            where=f"{where}.old_score",
            found=signed(old),
            wanted=signed(recorded),
        )
    if new is None:
        return
    if abs(new - recorded) > RESCORE_LIMIT:
        yield Finding(
            "rescore_too_large",
            f"{name} would change by {signed(new - recorded)}, from {signed(recorded)} to "
            f"{signed(new)}; at most 0.50 either way is allowed",
            JUDGE,
            where=f"{where}.new_score",
            found=signed(new),
            wanted=f"between {signed(recorded - RESCORE_LIMIT)} and "
            f"{signed(recorded + RESCORE_LIMIT)}",
        )
    if new == recorded:
        yield Finding(
            "rescore_unchanged",
            f"{name} keeps its score of {signed(recorded)}; the rescore is left out",
            JUDGE,
            where=where,
        )


def _is_number(number: Any) -> bool:
    return isinstance(number, int | Decimal) and not isinstance(number, bool)


def _too_fine(where: str, number: Any) -> Finding:
    return Finding(
        "too_many_decimals",
        f"{number} has more than three decimals",
        JUDGE,
        where=where,
        found=str(number),
        wanted="at most three decimals",
    )


class Measured(NamedTuple):
    """A text that breaks its word limit: where it is, its words, and the words at least and most.

    Words are what white space separates.
    """

    path: str
    words: int
    least: int
    most: int


def broken_limits(value: Value) -> Iterator[Finding]:
    """Yield a finding for each text on record that breaks its word limit."""
    if isinstance(value, Argument):
        for measured in measure_argument(as_data(value)):
            yield words_finding("$", measured, value.side)
    elif isinstance(value, Judgment):
        for item in value.decisions:
            for measured in measure_reasoning(item._asdict()):
                yield words_finding(f"$.{item.argument_id}", measured, JUDGE)


def measure_argument(argument: Mapping[str, Any]) -> Iterator[Measured]:
    """Yield each text of an argument that breaks its limit."""
    yield from _measure(argument, ARGUMENT_WORDS, "")
    for place, ground in objects(argument.get("grounds")):
        yield from _measure(ground, GROUND_WORDS, f".grounds[{place}]")
    for key in ("attacks", "defends"):
        for place, link in objects(argument.get(key)):
            yield from _measure(link, LINK_WORDS, f".{key}[{place}]")


def measure_reasoning(item: Mapping[str, Any]) -> Iterator[Measured]:
    """Yield a judge's reasoning that is too long."""
    yield from _measure(item, REASONING_WORDS, "")


def _measure(
    texts: Mapping[str, Any], limits: Mapping[str, tuple[int, int]], path: str
) -> Iterator[Measured]:
    for field, (least, most) in limits.items():
        text = texts.get(field)
        words = len(text.split()) if isinstance(text, str) else 0
        if words > most or 0 < words < least:
            yield Measured(f"{path}.{field}", words, least, most)


def _argument_words(reply: Reply) -> Iterator[Finding]:
    for number, argument in objects(reply.value.get("arguments")):
        for measured in measure_argument(argument):
            yield words_finding(f"$.arguments[{number}]", measured, reply.participant)


def _judgment_words(reply: Reply) -> Iterator[Finding]:
    for key in ("scores", "rescores"):
        for place, item in objects(reply.value.get(key)):
            for measured in measure_reasoning(item):
                yield words_finding(f"$.{key}[{place}]", measured, JUDGE)


def words_finding(within: str, measured: Measured, participant: str) -> Finding:
    """Return the finding that a text has too many, or too few, words."""
    path, words, least, most = measured
    limit = f"{least} to {most}" if least else f"at most {most}"
    return Finding(
        "word_limit",
        f"{path.rpartition('.')[2]} has {words} words, wanted {limit}",
        participant,
        where=within + path,
        found=f"{words} words",
        wanted=f"{limit} words",
    )


def record(debate: Debate, turn: Turn, replies: Replies) -> Step:
    """Return the entries that checked replies become, and the state after them."""
    values: list[Value] = []
    for participant in [task.participant for task in turn.tasks]:
        reply = replies[participant]
        if isinstance(reply, Absent):
            values.append(_absence(turn, reply))
        elif participant == JUDGE:
            values.append(_judgment(debate, turn, reply))
        else:
            values.extend(_arguments(turn, reply))
    return Step(tuple(values), _after(debate, turn, values))


def _after(debate: Debate, turn: Turn, values: list[Value]) -> State:
    totals = debate.state.totals
    for value in values:
        if isinstance(value, Argument):
            return State(turn.exchange, AWAITING_JUDGMENT, totals)
        if isinstance(value, Judgment):
            totals = add(totals, value)
    return State(turn.exchange + 1, AWAITING_ARGUMENTS, totals)


def add(totals: Mapping[str, Total], judgment: Judgment) -> dict[str, Total]:
    """Return the totals after a judgment: scores add an argument, rescores change its part."""
    changed = dict(totals)
    for score in judgment.scores:
        side = SIDES[_participant_of(score.argument_id)]
        total, count = changed[side]
        changed[side] = Total(Millis(total + score.score), count + 1)
    for rescore in judgment.rescores:
        side = SIDES[_participant_of(rescore.argument_id)]
        total, count = changed[side]
        changed[side] = Total(Millis(total + rescore.score - rescore.previous), count)
    return changed


def _absence(turn: Turn, absent: Absent) -> Absence:
    absence_id = str(EntryId(absent.participant, turn.exchange, kind="absence"))
    return filing.absence(absence_id, turn.exchange, absent)


def _arguments(turn: Turn, reply: Reply) -> Iterator[Argument]:
    letters = LETTERS if turn.exchange == 0 else ("",)
    for letter, data in zip(letters, reply.value["arguments"], strict=True):
        yield Argument(
            id=str(EntryId(reply.participant, turn.exchange, letter)),
            side=reply.participant,
            exchange=turn.exchange,
            title=data["title"],
            claim=data["claim"],
            grounds=tuple(
                Ground(ground["source"], ground["content"], ground["relevance"])
                for ground in data["grounds"]
            ),
            warrant=data["warrant"],
            backing=data["backing"],
            qualifier=data["qualifier"],
            attacks=tuple(
                Link(link["target_id"], link["attack_type"], link["content"])
                for link in data["attacks"]
            ),
            defends=tuple(
                Link(link["target_id"], link["defense_type"], link["content"])
                for link in data["defends"]
            ),
        )


def _judgment(debate: Debate, turn: Turn, reply: Reply) -> Judgment:
    rescored = reply.value["rescores"]
    on_record = latest_scores(debate.record, {item["argument_id"] for item in rescored})
    rescores = [
        Rescore(
            item["argument_id"],
            on_record[item["argument_id"]],
            _millis(item["new_score"]),
            item["reasoning"],
        )
        for item in rescored
    ]
    return Judgment(
        id=str(EntryId(JUDGE, turn.exchange)),
        exchange=turn.exchange,
        scores=tuple(
            Score(item["argument_id"], _millis(item["score"]), item["reasoning"])
            for item in reply.value["scores"]
        ),
        rescores=tuple(r for r in rescores if r.score != r.previous),
    )


def recall(values: Sequence[Value], turn: Turn, task: Task) -> dict[str, Any] | None:
    """Return the reply that a participant gave in this exchange of a recorded debate."""
    naming = {"participant": task.participant, "exchange": turn.exchange}
    arguments = [value for value in values if isinstance(value, Argument)]
    if arguments:
        return naming | {"arguments": [as_data(argument) for argument in arguments]}
    for value in values:
        if isinstance(value, Judgment):
            return naming | _judgment_as_data(value)
    return None


def as_data(argument: Argument) -> dict[str, Any]:
    """Return an argument as its side's reply gave it."""
    return {
        "title": argument.title,
        "claim": argument.claim,
        "grounds": [ground._asdict() for ground in argument.grounds],
        "warrant": argument.warrant,
        "backing": argument.backing,
        "qualifier": argument.qualifier,
        "attacks": [
            {"target_id": a.target_id, "attack_type": a.type, "content": a.content}
            for a in argument.attacks
        ],
        "defends": [
            {"target_id": d.target_id, "defense_type": d.type, "content": d.content}
            for d in argument.defends
        ],
    }


def _judgment_as_data(judgment: Judgment) -> dict[str, Any]:
    return {
        "scores": [
            {"argument_id": s.argument_id, "score": to_number(s.score), "reasoning": s.reasoning}
            for s in judgment.scores
        ],
        "rescores": [
            {
                "argument_id": r.argument_id,
                "old_score": to_number(r.previous),
                "new_score": to_number(r.score),
                "reasoning": r.reasoning,
            }
            for r in judgment.rescores
        ],
    }


def _last_totals(record: Record, judgments: Sequence[str]) -> Mapping[str, Total]:
    for entry_id in reversed(judgments):
        entry = record.get(entry_id)
        if entry is not None and not entry.is_absence:
            return {**NO_TOTALS, **totals_of(entry.header)}
    return NO_TOTALS


def totals_of(judgment_header: Mapping[str, Any]) -> dict[str, Total]:
    """Return the cumulative scores after a judgment, as its header tells them."""
    stored = judgment_header["cumulative_scores"]
    return {side: Total(_millis(item["total"]), item["count"]) for side, item in stored.items()}


def _judgments(record: Record) -> Iterator[Entry]:
    for entry_id in record.ids(JUDGMENTS):
        entry = record.get(entry_id)
        if entry is not None and not entry.is_absence:
            yield entry


def _new_ids(record: Record, exchange: int) -> tuple[str, ...]:
    ids = [i for i in _of_exchange(record.ids(ARGUMENTS), exchange) if _participant_of(i) in SIDES]
    return tuple(sorted(ids, key=lambda i: (list(SIDES).index(_participant_of(i)), i)))


def _of_exchange(ids: Sequence[str], exchange: int) -> Iterator[str]:
    """Yield the ids of one of the newest exchanges, from the end of a list by exchange."""
    for entry_id in reversed(ids):
        number = _exchange_of(entry_id)
        if number == exchange:
            yield entry_id
        elif number < exchange:
            return


def _targets(record: Record, argument_id: str) -> list[str]:
    entry = record.get(argument_id)
    header: Mapping[str, Any] = entry.header if entry else {}
    links = [*(header.get("attacks") or ()), *(header.get("defends") or ())]
    found = (record.get(link["target_id"]) for link in links)
    return [entry.id for entry in found if entry is not None and entry.folder == ARGUMENTS]


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


def _millis(number: Any) -> Millis:
    score = to_millis(number)
    if score is None:
        raise ValueError(f"{number!r} is not a score of at most three decimals")
    return score


def _exchange_of(entry_id: str) -> int:
    parts = parse_id(entry_id)
    return parts.exchange if parts else -1


def _participant_of(entry_id: str) -> str:
    parts = parse_id(entry_id)
    return parts.participant if parts else ""

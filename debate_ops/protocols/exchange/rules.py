"""Proposition against opposition, with a judge whose scores sum to zero.

Exchange 0 is the opening: three independent arguments a side. Every later exchange brings one
rebuttal a side, which may attack the opponent's earlier arguments and defend its own. After each
exchange a judge scores the new arguments and may rescore earlier ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from debate_ops.analysis.flow import MET, NO_EFFECTS, Effects
from debate_ops.formats.headers import totals_as_data, totals_from_data
from debate_ops.model.debate import SIDES, Debate, State, Total, totals_after
from debate_ops.model.entries import ARGUMENT, ARGUMENTS, JUDGMENTS, Contribution, Record
from debate_ops.model.ids import entry_id, parse_id
from debate_ops.model.turn import Absent, Act, Context, Done, Met, Own, Step, Task, Turn, Waiting
from debate_ops.protocols import evidence, filing
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.exchange import drops, effects, faults
from debate_ops.protocols.exchange.faults import arguments, judgment
from debate_ops.protocols.exchange.past import (
    ABSENCE_LIMIT,
    ABSENCE_NOTE,
    JUDGE,
    OPP,
    PROP,
    ending,
    exchange_of,
    header_of,
    new_ids,
    of_exchange,
    participant_of,
    scores_on_record,
    stayed_away,
)
from debate_ops.protocols.settings import (
    COMMON,
    HISTORY_CHARACTERS,
    QUOTATIONS,
    WORD_LIMITS,
    choice,
)

MOST_IDS = 100
"""How many ids a debater is given one by one; of those before them the first and the last."""
CHARACTERS_A_LINE = 600
"""For so many characters of `history_characters` the judge is given one earlier claim."""

_TOO_LONG = "All of them would be too long: the {} oldest are left out."

_AGENTS: Mapping[str, str] = {PROP: "debater", OPP: "debater", JUDGE: "judge"}

AWAITING_ARGUMENTS = "awaiting_arguments"
AWAITING_JUDGMENT = "awaiting_judgment"

CYCLE = "exchange"
EVENTS: Mapping[str, str] = {"argument": "argument_filed"}
MILESTONES: Mapping[str, str] = {}
ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {}
REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {}
SETTINGS = (
    WORD_LIMITS,
    *COMMON,
    QUOTATIONS,
    HISTORY_CHARACTERS,
    effects.SETTING,
    ABSENCE_LIMIT,
    choice(
        "read_first", PROP, "whose openings the judge reads first; then sides take turns", *SIDES
    ),
)

normalise = faults.normalise
check = faults.check
recall = faults.recall


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
    totals = _last_totals(record)
    newest = [exchange_of(ids[-1]) for ids in (arguments, judgments) if ids]
    if not newest:
        return State(0, AWAITING_ARGUMENTS, NO_TOTALS)
    exchange = max(newest)
    decided = of_exchange(judgments, exchange)
    argued = bool(arguments) and exchange_of(arguments[-1]) == exchange
    if argued and not any(participant_of(i) == JUDGE for i in decided):
        return State(exchange, AWAITING_JUDGMENT, totals)
    return State(exchange + 1, AWAITING_ARGUMENTS, totals)


def next_turn(debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG001  (no deadlines here)
    """Return both sides' task, or the judge's; it ends by itself only where a side stays away."""
    exchange, phase, _ = debate.state
    if phase == AWAITING_JUDGMENT:
        tasks: tuple[Task, ...] = (Task(JUDGE, _AGENTS[JUDGE], "judge", "exchange-judgment"),)
    elif over := ending(debate):
        return Done(over)
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
    if phase == AWAITING_ARGUMENTS and stayed_away(debate):
        return 0
    turns_done = 2 if phase == AWAITING_JUDGMENT else 0
    return max(0, 3 * (until - exchange) - turns_done)


def context(debate: Debate, turn: Turn, task: Task) -> Context:
    """Return what a participant sees: debaters no scores, nobody a peer's argument of this turn."""
    if task.participant == JUDGE:
        return _judge_context(debate, turn)
    ids = debate.record.ids(ARGUMENTS)
    earlier = tuple(i for i in ids if exchange_of(i) < turn.exchange)
    own = [i for i in earlier if participant_of(i) == task.participant]
    theirs = [i for i in earlier if participant_of(i) != task.participant]
    side = SIDES[task.participant]
    on_own, on_theirs = drops.for_debater(
        debate.record,
        task.participant,
        tuple(SIDES),
        turn.exchange,
        _effects(debate, turn.exchange),
    )
    return Context(
        values={
            "side_name": Own(side),
            "stance": Own("for the motion" if task.participant == PROP else "against the motion"),
            "own_ids": _listed(own),
            "opponent_ids": _listed(theirs),
            "unanswered_attacks": on_own,
            "own_unanswered_attacks": on_theirs,
            "effects_known": Own("yes" if effects.are_decided(debate.settings) else ""),
        },
        shown={"arguments": earlier},
        may_shorten=("arguments",),
        remarks=partial(evidence.lines, debate),
    )


def _effects(debate: Debate, exchange: int) -> Effects:
    """Return what the attacks of the exchanges before did, as far back as prompts list them."""
    if not effects.are_decided(debate.settings):
        return NO_EFFECTS
    return effects.on_record(debate.record, exchange - drops.LOOK_BACK)


def _listed(ids: Sequence[str]) -> Own:
    """Return the newest ids in a row, and how far back those before them go."""
    newest, older = ids[-MOST_IDS:], ids[:-MOST_IDS]
    first = f"; and {len(older)} older ones, {older[0]} to {older[-1]}" if older else ""
    return Own(", ".join(newest) + first)


def _judge_context(debate: Debate, turn: Turn) -> Context:
    record = debate.record
    new = new_ids(record, turn.exchange)
    if (turn.exchange + (debate.settings.get("read_first") == OPP)) % 2:  # they take turns
        new = tuple(sorted(new, key=lambda i: participant_of(i) == PROP))
    headers = [header_of(record, i) for i in new]
    links = [each for h in headers for key in ("attacks", "defends") for each in h.get(key) or ()]
    hit = (record.get(target) for target in dict.fromkeys(each["target_id"] for each in links))
    targets = tuple(entry.id for entry in hit if entry and entry.folder == ARGUMENTS)
    before = _effects(debate, turn.exchange)
    standing = effects.standing(before)[-drops.MOST :]
    defended = {each["target_id"] for h in headers for each in h.get("defends") or ()}
    attackers = dict.fromkeys(attack[0] for attack in standing if attack[1] in defended)
    targets = tuple(dict.fromkeys((*targets, *attackers)))
    apart = set(new) | set(targets)
    others = tuple(i for i in record.ids(ARGUMENTS) if i not in apart)
    most = (
        int(debate.settings.get("history_characters", HISTORY_CHARACTERS.default))
        // CHARACTERS_A_LINE
    )
    listed = others[-most:]
    older = len(others) - len(listed)
    absent = [side for side in SIDES if not any(participant_of(i) == side for i in new)]
    note = "".join(ABSENCE_NOTE.format(side=SIDES[side]) for side in absent)
    decided = effects.attacks_of(record, new) if effects.are_decided(debate.settings) else ()
    return Context(
        values={
            "new_ids": Own(", ".join(new)),
            "absence_note": Own(note),
            "others_note": Own(_TOO_LONG.format(older) if older else ""),
            "unanswered_attacks": drops.for_judge(record, SIDES, turn.exchange, before),
            "new_attacks": Own(effects.to_decide(decided) or (drops.NONE if standing else "")),
            "standing_attacks": Own(effects.to_decide(standing, MET)),
        },
        shown={"new_arguments": new, "targets": targets},
        listed={"others": listed},
        scores=scores_on_record(record, {*targets, *listed}),
        remarks=partial(evidence.lines, debate),
    )


def record(debate: Debate, turn: Turn, ended: Replies) -> Step:
    """Return the entries that checked replies become, and the state after them."""
    entries: list[Contribution] = []
    totals = debate.state.totals
    for name in [task.participant for task in turn.tasks]:
        reply = ended[name]
        if isinstance(reply, Absent):
            absence = entry_id(name, turn.exchange, "absence")
            entries.append(filing.absence(absence, turn.exchange, reply))
        elif name == JUDGE:
            judged = judgment(debate, turn, reply)
            totals = totals_after(totals, judged)
            data = {**judged.data, "cumulative_scores": totals_as_data(totals)}
            entries.append(judged._replace(data=data))
        else:
            entries.extend(arguments(turn, reply))
    if any(entry.kind == ARGUMENT for entry in entries):
        return Step(tuple(entries), State(turn.exchange, AWAITING_JUDGMENT, totals))
    return Step(tuple(entries), State(turn.exchange + 1, AWAITING_ARGUMENTS, totals))


def _last_totals(record: Record) -> Mapping[str, Total]:
    """Return the cumulative scores that the header of the newest judgment tells."""
    for judgment_id in reversed(record.ids(JUDGMENTS)):
        entry = record.get(judgment_id)
        if entry is not None and not entry.is_absence:
            return {**NO_TOTALS, **(totals_from_data(entry.header["cumulative_scores"]) or {})}
    return NO_TOTALS

"""The record of a debate of two sides: scores, map, attacks, and which arguments survive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from debate_ops.analysis.flow import (
    EFFECT_RULE,
    MET,
    RULE,
    STANDING,
    Attack,
    Flow,
    Reception,
    State,
)
from debate_ops.model.debate import Debate
from debate_ops.model.score import ONE
from debate_ops.model.texts import one_line
from debate_ops.model.views import Argument
from debate_ops.protocols import evidence
from debate_ops.protocols.evidence import Remark
from debate_ops.protocols.exchange.past import OPP, PROP
from debate_ops.reports.blocks import (
    Block,
    Fold,
    Line,
    Listing,
    Paragraph,
    Quiet,
    Quote,
    Ref,
    Section,
    Strong,
    Table,
    line,
)
from debate_ops.reports.charts import Chart, Row, Rows, Steps, worth_drawing
from debate_ops.reports.exchange.scoreboard import (
    CHOICES,
    EFFECTS,
    SIDES,
    Decision,
    Round,
    Scoreboard,
    ahead,
    effects_in_words,
    grouped,
    outcome,
    place_of,
    tallied,
)
from debate_ops.reports.flow_sheet import FlowSheet
from debate_ops.reports.items import Mark
from debate_ops.reports.record import Note
from debate_ops.reports.text import NOT_SCORED, counted, joined, score, shorten, size, some

HEADS = (
    *("id", "exchange", "attacker", "side", "target", "component", "state", "how"),
    *("answered_by", "defended_by", "countered_by", "conceded_by", "later_turns"),
    *("effect", "reasoning"),
)
_MOST_NAMED = 12
_WORD = 40
"""Characters of a component that no rule knows."""


def sheet(debate: Debate) -> FlowSheet:
    """Return the flow of a debate whose record has been verified."""
    board = Scoreboard(debate)
    flow = board.flow
    arguments = [
        {
            "id": a.id,
            "side": SIDES[a.side],
            "exchange": a.exchange,
            "title": a.title,
            "state": flow.receptions[a.id].code,
        }
        for a in board.arguments
    ]
    return FlowSheet(
        debate,
        hits={
            board.named(target): dict.fromkeys(map(_hit, own))
            for target, own in board.attacks_on.items()
        },
        tally=tuple(_tally(board)),
        rule=rule_of(flow),
        heads=HEADS,
        rows=tuple(
            _row(board, attack, number)
            for own in board.attacks_by.values()
            for number, attack in enumerate(own, 1)
        ),
        what="attacks",
        figures={
            "tally": {state.code: number for state, number in flow.tally().items()},
            "effects": flow.effects(),
            "answers": {way.code: number for way, number in flow.answers().items()},
            "arguments": arguments,
        },
    )


def rule_of(flow: Flow) -> str:
    """Return what the words of a flow mean."""
    return f"{RULE} {EFFECT_RULE}".replace("*", "") if flow.effects() else RULE.replace("*", "")


def _row(board: Scoreboard, attack: Attack, number: int) -> tuple[Any, ...]:
    """Return an attack by the heads of the table; `number` is its place among its attacker's."""
    identified = (f"{attack.attacker}-attack-{number}", attack.exchange, attack.attacker)
    answers = (attack.answered_by, attack.defended_by, attack.countered_by, attack.conceded_by)
    return (
        *(*identified, SIDES[attack.side], attack.target, attack.component, attack.state.code),
        [answer.code for answer in attack.answers],
        *map(list, answers),
        attack.turns,
        attack.effect,
        "; ".join(decision.reasoning for decision in board.decisions.get(attack.key, ())),
    )


def _tally(board: Scoreboard) -> Iterator[str]:
    """Yield what became of the attacks, and the arguments that nobody attacks."""
    yield f"{tallied(board.flow)}."
    if effects := effects_in_words(board.flow):
        yield effects
    for reception in (Reception.NEVER_ATTACKED, Reception.NOT_YET, Reception.TOO_LATE):
        if ids := board.flow.received(reception):
            yield f"{reception.value.capitalize()}: {some(ids, _MOST_NAMED)}."


def _hit(attack: Attack) -> Line:
    state, fate = attack.state.value, outcome(attack)
    if attack.state is not State.ANSWERED:
        fate = fate.replace(state, state.upper(), 1)
    if attack.effect:
        did = EFFECTS[attack.effect]
        fate += f"; the judge: {did.upper() if attack.stands else did}"
    place, part = place_of(attack.exchange), shorten(attack.component, _WORD)
    return line(f"{place}: ", Ref(attack.attacker), f" attacks the {part}: {fate}")


_SCALE = (
    "A score runs from \N{MINUS SIGN}1 to +1 and says how far an argument is above or below the "
    "others of its exchange, whose scores sum to 0. Only the gap between the sides matters: "
    "negative totals are normal."
)
_SURVIVING = (
    "A second opinion, by the judge's scores and the links; it changes no score. The strength of "
    "an argument, from 0 to 1, starts at its score (0.50 for a score of 0), falls with the "
    "strength of what attacks it and rises with that of what supports it (DF-QuAD). An argument "
    "survives if it is unattacked, or defended by what survives (the grounded extension). Attacks "
    "that missed or have been met, where the judge says so, count for nothing."
)
_SURVIVES, _CONCEDED, _REVISED, _STANDS = "survives", "conceded", "score revised", "attack stands"
"""Words to filter by, beside the states of attacks and the receptions of arguments."""

_SOURCE, _CELL = 400, 110
_CHECKED = (
    "The program compared every quotation with the documents of the context. A quotation that "
    "exists is not yet support for the claim: whether its words show what the argument makes of "
    "them is for the judge and the reader."
)


def sections(board: Scoreboard) -> Iterator[Section]:
    """Yield the record, the lead first."""
    if board.rounds:
        yield Section("lead", "How the lead moved", tuple(_lead(board)))
    if board.arguments:
        yield Section("map", "Map of the debate", tuple(_map(board)))
        yield Section("scores", "Scores and attacks", tuple(_scores(board)))
    cited = grouped((one_line(g.source), a.id) for a in board.arguments for g in a.grounds)
    if sources := [_source(text, ids) for text, ids in cited.items() if text]:
        listing = Fold(counted(len(sources), "source"), (Listing(tuple(sources)),))
        yield Section("cited", "What the arguments cite", (listing,))
    remarks = [(a.id, r) for a in board.arguments for r in evidence.of(board.debate, a)]
    if remarks:
        yield Section(
            "checked", "What was checked of the evidence", tuple(_checked(board, remarks))
        )


def _map(board: Scoreboard) -> Iterator[Block]:
    from debate_ops.reports.exchange.argument_map import MOST, legend, picture  # brings packages in

    yield Paragraph(line(f"{tallied(board.flow)}."))
    if len(board.arguments) > MOST:
        yield Paragraph(line(f"There is no map of more than {MOST} arguments."))
    else:
        yield picture(board)
        yield Paragraph(line(Quiet(legend(board))))


def _checked(board: Scoreboard, remarks: Sequence[tuple[str, Remark]]) -> Iterator[Block]:
    """Yield what is not in order, and behind a fold what is."""
    doubtful = [each for each in remarks if not each[1].is_good]
    good = [each for each in remarks if each[1].is_good]
    number = f"{len(good)} of {counted(len(remarks), 'quotation')}"
    yield Paragraph(line(Strong(f"{number} in order. "), Quiet(_CHECKED)))
    if doubtful:
        yield _remarks(board, doubtful)
    if good:
        yield Fold(f"In order: {len(good)}", (_remarks(board, good),))


def _remarks(board: Scoreboard, remarks: Sequence[tuple[str, Remark]]) -> Table:
    rows = tuple(_remark(board, argument_id, remark) for argument_id, remark in remarks)
    return Table(("Argument", "Part", "Finding"), rows)


def _remark(board: Scoreboard, argument_id: str, remark: Remark) -> tuple[Line, ...]:
    details = f": {shorten(remark.details, _SOURCE)}" if remark.details else ""
    verdict = Quiet(remark.verdict) if remark.is_good else Strong(remark.verdict)
    return line(board.named(argument_id)), line(remark.part), line(verdict, details)


def lead_chart(board: Scoreboard) -> tuple[Chart, ...]:
    """Return a chart of the lead after each exchange; none where only one was judged."""
    steps = ((place_of(r.exchange), r.lead / ONE, size(r.lead)) for r in board.rounds)
    chart = Steps(
        "lead",
        "The lead over the exchanges",
        tuple(steps),
        unit="in points, after the opening and each exchange",
        axis="exchange",
        ends=(CHOICES[OPP], CHOICES[PROP]),
    )
    return worth_drawing(chart)


def scores_chart(board: Scoreboard) -> tuple[Chart, ...]:
    """Return a chart of what each argument scored, and of how that was revised."""
    rows = (
        Row(
            board.named(a.id).title or a.id,
            tuple(mark.number / ONE for mark in board.marks[a.id]),
            _course(board, a),
            tone=1 + (a.side == OPP),
            group=CHOICES[a.side].capitalize(),
        )
        for side in SIDES
        for a in board.scored
        if a.side == side
    )
    chart = Rows(
        "scores",
        "What each argument scored",
        tuple(rows),
        unit="in points, the highest first; a ring is a score that was revised later",
        form="course",
        ends=("below the others", "above the others"),
    )
    return worth_drawing(chart)


def _lead(board: Scoreboard) -> Iterator[Block]:
    yield from lead_chart(board)
    added = ("new arguments", "revised scores")
    heads = (head for name in SIDES.values() for head in (name.capitalize(), *added))
    table = Table(("After", *heads, "Lead"), tuple(map(_round, board.rounds)))
    yield Fold("Scores by exchange", (Paragraph(line(_SCALE)), table))


def _round(r: Round) -> tuple[Line, ...]:
    cells = [line(Ref(r.judgment, place_of(r.exchange)))]
    for side in SIDES:
        revised = score(r.revised[side]) if r.revised[side] else ""
        cells += [line(score(r.totals[side])), line(score(r.new[side])), line(revised)]
    return (*cells, line(ahead(r.lead)))


def _source(text: str, ids: Sequence[str]) -> Line:
    refs = tuple(span for id_ in dict.fromkeys(ids) for span in (", ", Ref(id_)))
    return line(shorten(text, _SOURCE), Quiet(" in "), *refs[1:])


def _scores(board: Scoreboard) -> Iterator[Block]:
    unscored = [a for a in board.arguments if board.scores[a.id] is None]
    rows = tuple(_argument(board, a) for a in (*board.scored, *unscored))
    heads = ("Argument", "Score", "Strength", "Outcome")
    yield from scores_chart(board)
    yield Table(heads, rows)
    if board.flow.attacks:
        rule = Paragraph(line(one_line(rule_of(board.flow))))
        if effects := effects_in_words(board.flow):
            yield Paragraph(line(effects))
        yield Fold("When an attack counts as answered", (rule,))
        yield Fold("Which arguments survive, and their strength", tuple(_surviving(board)))


def _course(board: Scoreboard, argument: Argument) -> str:
    """Return every score that an argument has had, the last one at the end."""
    return " → ".join(score(m.number) for m in board.marks.get(argument.id, ())) or NOT_SCORED


def _argument(board: Scoreboard, argument: Argument) -> tuple[Line, ...]:
    return (
        line(board.named(argument.id), Quiet(f" ({SIDES[argument.side]})")),
        line(_course(board, argument)),
        line(f"{board.standings[argument.id].strength:.2f}"),
        line(", ".join(_states(board, argument))),
    )


def _surviving(board: Scoreboard) -> Iterator[Block]:
    yield Paragraph(line(_SURVIVING))
    by = ahead(board.lead_by_strength)
    yield Paragraph(line(f"By strength {by}; by the judge's scores {ahead(board.lead)}."))


def notes(board: Scoreboard) -> Mapping[str, Note]:
    """Return the notes on every argument and absence, by id."""
    places = {side: place for place, side in enumerate(SIDES)}
    absent = {a.id: Note(places[a.participant]) for a in board.absences if a.participant in places}
    return absent | {
        a.id: Note(
            side=places[a.side],
            score=score(board.scores[a.id]),
            states=tuple(_states(board, a)),
            facts=tuple(_facts(board, a.id)),
        )
        for a in board.arguments
    }


def _states(board: Scoreboard, argument: Argument) -> Iterator[str]:
    own = argument.id
    reception = board.flow.receptions[own]
    if reception is not Reception.ATTACKED:
        yield reception.value
    states = {attack.state for attack in board.attacks_on.get(own, ())}
    yield from (state.value for state in State if state in states)
    if any(attack.stands for attack in board.attacks_on.get(own, ())):
        yield _STANDS
    if own in board.conceded:
        yield _CONCEDED
    if board.standings[own].survives:
        yield _SURVIVES
    if len(board.marks.get(own, ())) > 1:
        yield _REVISED


def _facts(board: Scoreboard, own: str) -> Iterator[tuple[str, tuple[Line, ...]]]:
    if marks := board.marks.get(own):
        label = "Scores, the newest first" if len(marks) > 1 else "Score"
        yield label, tuple(_scored(board, mark) for mark in reversed(marks))
    if attacks := board.attacks_on.get(own):
        yield "Attacked by", tuple(_attacks(board, attacks, "attacker"))
    if attacks := board.attacks_by.get(own):
        yield "Attacks", tuple(_attacks(board, attacks, "target"))


def _scored(board: Scoreboard, mark: Mark) -> Line:
    causes = tuple(span for cause in _causes(board, mark) for span in (", ", *cause))
    after = (" after ", *causes[1:]) if causes else ()
    place = f" in {place_of(mark.exchange)}"
    return line(Strong(score(mark.number)), place, *after, ": ", *_quoted(mark.reason))


def _causes(board: Scoreboard, mark: Mark) -> Iterator[Line]:
    """Yield the attacks that explain a changed score: those that stood, or that had been met."""
    if mark.previous is None:
        return
    effects = STANDING if mark.number < mark.previous else {MET}
    for attack in board.attacks_on.get(mark.about, ()):
        until = [f for f in board.decisions.get(attack.key, ()) if f.exchange <= mark.exchange]
        if until and until[-1].effect in effects:
            did = EFFECTS[until[-1].effect]
            part = shorten(attack.component, _CELL)
            yield line(board.named(attack.attacker), f" ({part}, {did})")


def _quoted(reason: str) -> Line:
    text = one_line(reason)
    return line(Quote(text) if text else Quiet("without a reason"))


def _attacks(board: Scoreboard, attacks: Sequence[Attack], other: str) -> Iterator[Line]:
    """Yield the attacks between two arguments: together, as far as the judge says nothing of them.

    Those have the same answers.
    """
    alike: dict[tuple[str, str], list[Attack]] = {}
    for attack in attacks:
        apart = attack.component if attack.effect else ""
        alike.setdefault((getattr(attack, other), apart), []).append(attack)
    for (id_, _), own in alike.items():
        parts = joined([shorten(attack.component, _CELL) for attack in own])
        fate = outcome(own[0], lambda i: board.named(i).title or i)
        decisions = (span for f in board.decisions.get(own[0].key, ()) for span in _decision(f))
        yield line(board.named(id_), f" ({parts}): ", Quiet(fate), *decisions)


def _decision(decision: Decision) -> Line:
    effect = Strong(EFFECTS[decision.effect])
    return line("; ", effect, f" in {place_of(decision.exchange)}: ", *_quoted(decision.reasoning))

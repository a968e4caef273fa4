"""How the steps of a long debate grow: six chairs and eight agents of a design, ten exchanges.

Whole processes are timed in the first exchange and in the last, as an agent calls them; what lies
between is held in this process. Prompts are measured with the budgets that a debate has if nobody
says otherwise, and without any.

    python -m benchmarks.cycles [ROUNDS]
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import debate_ops
from benchmarks import numbers
from benchmarks.debates import words
from debate_ops import engine
from debate_ops.engine import Position, TaskStatus
from debate_ops.model.debate import Framing
from debate_ops.protocols.chairs import course
from debate_ops.protocols.chairs import names as chairs
from debate_ops.protocols.chairs.rules import RULES
from debate_ops.protocols.design import history
from debate_ops.protocols.design import names as design

PACKAGE = os.path.dirname(os.path.abspath(debate_ops.__file__))
FIRST, LAST = 1, 10
ENDLESS = 100_000_000
CHAIRS = "utilitarian,deontological,virtue_ethics,care_ethics,libertarian,communitarian"
AGENTS = (
    "architect,performance,security,testing,simplicity,data-modelling,generalist,ann:generalist"
)
DEBATES: Mapping[str, Mapping[str, Any]] = {
    "chairs": {"participants": CHAIRS, "max_exchanges": LAST, "aggressiveness": 5},
    "design": {"participants": AGENTS, "max_exchanges": LAST, "stop_at_confidence": 100},
}
NO_BUDGETS: Mapping[str, Mapping[str, Any]] = {
    "chairs": {"history_characters": ENDLESS},
    "design": {"history_characters": ENDLESS, "summary_threshold": 0},
}
Reply = dict[str, Any]


class Measured(NamedTuple):
    """What the turns of one phase took in one exchange.

    Seconds of `next` and of `submit`, one each a turn, and bytes of each prompt, by template.
    """

    next_seconds: list[float]
    submit_seconds: list[float]
    prompts: dict[str, list[int]]


Phases = dict[str, dict[int, Measured]]
"""What was measured, by phase and exchange."""


def main() -> None:
    """Measure and print."""
    rounds = int(numbers(__doc__, 1)[0])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for protocol in DEBATES:
            for budgets, more in (("", {}), ("no ", NO_BUDGETS[protocol])):
                debate = _no_phases()
                for number in range(rounds):
                    slug = f"{protocol}-{len(budgets)}-{number}"
                    hold(slug, protocol, {**DEBATES[protocol], **more}, debate)
                _print(f"{protocol}, {budgets}budgets, {rounds} rounds", debate)


def _no_phases() -> Phases:
    return defaultdict(lambda: defaultdict(lambda: Measured([], [], defaultdict(list))))


def hold(slug: str, protocol: str, settings: Mapping[str, Any], debate: Phases) -> None:
    """Hold one debate to its end, and add what its first and its last exchange took."""
    folder = engine.create(slug, Framing("A motion"), protocol=protocol, settings=settings).folder
    while (position := engine.look(folder)).tasks:
        state, step = position.debate.state, str(position.debate.step)
        if state.exchange not in {FIRST, LAST}:
            _reply(engine.next_turn(folder))
            engine.submit(folder, int(step))
            continue
        measured = debate[state.phase][state.exchange]
        measured.next_seconds.append(_seconds("next", slug))
        for item in position.tasks:
            measured.prompts[item.task.template].append(os.path.getsize(item.slot.prompt))
        _reply(position)
        measured.submit_seconds.append(_seconds("submit", slug, "--step", step))


def _reply(position: Position) -> None:
    debate = position.debate
    for item in position.tasks:
        naming = {"participant": item.task.participant, "exchange": debate.state.exchange}
        value = REPLIES[debate.protocol](position, item)
        with open(item.slot.reply, "w", encoding="utf-8") as file:
            json.dump(naming | {"phase": debate.state.phase} | value, file)


def _seconds(*arguments: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, PACKAGE, *arguments], stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _print(title: str, debate: Phases) -> None:
    print(f"{title}: exchange {FIRST}, exchange {LAST}, ratio")
    for phase, exchanges in debate.items():
        first, last = exchanges[FIRST], exchanges[LAST]
        print(f"  {phase}")
        for name, one, other in (
            ("next", first.next_seconds, last.next_seconds),
            ("submit", first.submit_seconds, last.submit_seconds),
        ):
            print(f"    {name:14s} {_spread(one, other, '8.3f', ' s')}")
        for template in sorted({*first.prompts, *last.prompts}):
            sizes = first.prompts[template], last.prompts[template]
            print(f"    {template:14s} {_spread(*sizes, '8,.0f', ' bytes')}")


def _spread(first: list[Any], last: list[Any], form: str, unit: str) -> str:
    """Return the medians and their ratio; a phase may be in one exchange alone."""
    result = [f"{statistics.median(v):{form}}{unit}" if v else f"{'-':>8s}" for v in (first, last)]
    if first and last:
        result.append(f"{statistics.median(last) / statistics.median(first):5.2f}")
    return "  ".join(result)


# ---------------------------------------------------------------- chairs

TRIGGER = words(4)
"""What stands in every text here."""


def _of_chairs(position: Position, item: TaskStatus) -> Reply:
    debate = position.debate
    past = RULES.past_of(debate)
    slot = RULES.slot_of(past, position.due, item.task.participant)  # type: ignore[arg-type]
    if slot.kind == chairs.EVALUATION:
        return _evaluation(is_bad=slot.number == 1)
    if slot.kind == chairs.FLOOR:
        return _floor(course.eligible(past, slot))
    if slot.kind == chairs.INTERJECTION:
        return {"text": words(60), "quote": TRIGGER}
    return {"text": words(chairs.MOST_WORDS[slot.kind] - 10)}


def _evaluation(*, is_bad: bool) -> Reply:
    points, quality = (5, "weak") if is_bad else (20, "strong")
    one = {"points": points, "quality": quality, "notes": words(40)}
    parts: Reply = {chairs.STEEL_MANNING: one, chairs.SELF_CRITIQUE: one}
    parts[chairs.CONSISTENCY] = {"points": points, "consistent": True}
    parts[chairs.HONESTY] = {"points": points, "level": "medium", "issues": [words(20)]}
    why = words(20) if is_bad else None
    return parts | {"requires_interjection": is_bad, "interjection_reason": why}


def _floor(may_cut_in: tuple[str, ...]) -> Reply:
    if not may_cut_in:
        return {"interrupt": False, "why": words(20)}
    why = {"reason": "pivotal_point", "trigger": TRIGGER, "urgency": 0.9, "why": words(20)}
    return {"interrupt": True, "chair": may_cut_in[0], "opener": words(4)} | why


# ---------------------------------------------------------------- design


def _of_design(position: Position, item: TaskStatus) -> Reply:
    debate, me = position.debate, item.task.participant
    folder = history.of_record(debate.record, debate.settings)
    return _DESIGN[debate.state.phase](folder, me, debate.state.exchange)


def _requirements(*_: object) -> Reply:
    texts = [f"{number}: {words(30)}" for number in range(8)]
    return {"requirements": [{"text": text, "level": "major"} for text in texts]}


def _summary(debate: history.History, *_: object) -> Reply:
    return {"summary": words(debate.settings["summary_characters"] // len(words(100)) * 100 - 20)}


def _solution(debate: history.History, *_: object) -> Reply:
    return {"title": words(6), "solution": words(400), "coverage": list(_coverage(debate))}


def _coverage(debate: history.History) -> Iterator[Reply]:
    for requirement in debate.requirements():
        yield {"requirement": requirement["id"], "coverage": "full", "how": words(25)}


def _critiques(debate: history.History, me: str, exchange: int) -> Reply:
    points = [{"level": "major", "text": words(40)}] * 2
    others = [name for name in debate.texts(exchange) if name != me]
    return {
        "critiques": [{"target": n, "requirements": words(40), "points": points} for n in others]
    }


def _refinement(debate: history.History, me: str, exchange: int) -> Reply:
    answers = [
        {"critique": critique, "point": number, "verdict": "accepted", "reason": words(30)}
        for critique, number in debate.points_against(me, exchange)
    ]
    return _solution(debate) | {"answers": answers}


def _assessment(*_: object) -> Reply:
    return {"confidence": 60, "reasons": words(80)}


def _synthesis(*_: object) -> Reply:
    result = {"title": words(6), "solution": words(800), "unmet": []}
    result |= {key: [words(30)] for key in ("trade_offs", "recommendations", "open_questions")}
    return result | {"confidence": 70, "confidence_reasons": words(50)}


_DESIGN: Mapping[str, Callable[..., Reply]] = {
    design.AWAITING_REQUIREMENTS: _requirements,
    design.AWAITING_SUMMARIES: _summary,
    design.AWAITING_PROPOSALS: _solution,
    design.AWAITING_CRITIQUES: _critiques,
    design.AWAITING_REFINEMENTS: _refinement,
    design.AWAITING_ASSESSMENT: _assessment,
    design.AWAITING_JUDGE_SUMMARY: _summary,
    design.AWAITING_SYNTHESIS: _synthesis,
}

REPLIES: Mapping[str, Callable[[Position, TaskStatus], Reply]] = {
    "chairs": _of_chairs,
    "design": _of_design,
}


if __name__ == "__main__":
    main()

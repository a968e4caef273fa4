"""Design debates held through the engine: short and long, with questions, gaps, summaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops import engine
from debate_ops.model.debate import Debate, Framing
from debate_ops.model.turn import Act, Task, Turn
from debate_ops.protocols.design.history import of_record
from debate_ops.storage.folder import Folder
from tests.reports.held import Reply, go_on, held

MOTION = "How does the shop keep its orders when the warehouse is offline?"
REQUIREMENTS = [
    "No order is lost when the warehouse is offline for a day",
    {"text": "A customer sees within two seconds that the order is taken", "level": "major"},
    {"text": "A new colleague understands the flow in an afternoon", "level": "minor"},
]
NAMES: tuple[str, ...] = (
    *("ann", "ben", "cara", "dan", "eve", "finn", "gail", "hugo", "ida", "jon", "kim", "leo"),
)
ROLES = ("architect", "performance", "simplicity", "security", "testing", "generalist")
FREE = frozenset(
    {"text", "why", "title", "solution", "how", "requirements", "reason", "reasons", "summary"}
)
FREE_LISTS = frozenset({"trade_offs", "recommendations", "open_questions"})


class Plan(NamedTuple):
    """What everybody does.

    `points` are the levels of the points that (critic, author) has, in every exchange; `rejects`
    are authors that reject every point, others accept the odd ones; `covers` are what (author,
    requirement) is covered with, all else `full`; `asks` is how many questions (author, round)
    has; `absent` (participant, template) are skipped; `texts` replaces every free text.
    """

    points: Mapping[tuple[str, str], Sequence[str]] = {}
    rejects: Sequence[str] = ()
    covers: Mapping[tuple[str, str], str] = {}
    asks: Mapping[tuple[str, int], int] = {}
    absent: Sequence[tuple[str, str]] = ()
    unmet: Sequence[str] = ()
    confidence: int = 75
    texts: str = ""


class Scripted:
    """Replies as a plan says."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __call__(self, debate: Debate, turn: Turn, task: Task) -> Reply:
        if (task.participant, task.template) in self._plan.absent:
            return None
        write = getattr(self, f"_{task.template.replace('-', '_')}")
        reply: dict[str, Any] = write(debate, turn, task)
        told: dict[str, Any] = _with_text(reply, self._plan.texts) if self._plan.texts else reply
        return told

    def _questions(self, debate: Debate, _: Turn, task: Task) -> dict[str, Any]:
        history = of_record(debate.record, debate.settings)
        round_ = 1 + len({history.look(i)["round"] for i in history.questions()})
        number = self._plan.asks.get((task.participant, round_), 0)
        asked = [
            {
                "text": f"How many orders an hour, by {task.participant}, {round_}.{i}?",
                "why": "Size",
            }
            for i in range(1, number + 1)
        ]
        return {"questions": asked}

    def _requirements(self, _: Debate, __: Turn, ___: Task) -> dict[str, Any]:
        return {"requirements": [{"text": "It works offline", "level": "major"}]}

    def _coverage(self, debate: Debate, task: Task) -> list[dict[str, str]]:
        history = of_record(debate.record, debate.settings)
        return [
            {
                "requirement": r["id"],
                "coverage": self._plan.covers.get((task.participant, r["id"]), "full"),
                "how": f"By the outbox of {task.participant}.",
            }
            for r in history.requirements()
        ]

    def _proposal(self, debate: Debate, turn: Turn, task: Task) -> dict[str, Any]:
        return {
            "title": f"An outbox in the shop ({task.participant})",
            "solution": _solution(task.participant, turn.exchange, 3),
            "coverage": self._coverage(debate, task),
        }

    _proposal_again = _proposal

    def _critique(self, debate: Debate, turn: Turn, task: Task) -> dict[str, Any]:
        history = of_record(debate.record, debate.settings)
        return {
            "critiques": [
                {
                    "target": name,
                    "requirements": "r1 is met; r2 only if the disk is quick.",
                    "points": [
                        {"level": level, "text": f"{name} does not say who empties the outbox."}
                        for level in self._plan.points.get((task.participant, name), ())
                    ],
                }
                for name in history.names
                if name != task.participant and history.criticised(name, turn.exchange)
            ]
        }

    def _refinement(self, debate: Debate, turn: Turn, task: Task) -> dict[str, Any]:
        history = of_record(debate.record, debate.settings)
        rejects = task.participant in self._plan.rejects
        return {
            "answers": [
                {
                    "critique": critique,
                    "point": number,
                    "verdict": "rejected" if rejects or number % 2 == 0 else "accepted",
                    "reason": "The worker of the shop empties it every minute.",
                }
                for critique, number in history.points_against(task.participant, turn.exchange)
            ],
            "title": None,
            "solution": _solution(task.participant, turn.exchange, 4),
            "coverage": self._coverage(debate, task),
        }

    def _assessment(self, _: Debate, turn: Turn, __: Task) -> dict[str, Any]:
        return {"confidence": min(100, 40 + 20 * turn.exchange), "reasons": "They come closer."}

    def _summary(self, _: Debate, turn: Turn, task: Task) -> dict[str, Any]:
        return {"summary": f"What {task.participant} knows before exchange {turn.exchange}."}

    _judge_summary = _summary

    def _synthesis(self, _: Debate, __: Turn, ___: Task) -> dict[str, Any]:
        return {
            "title": "One outbox, emptied by one worker",
            "solution": _solution("the judge", 0, 4),
            "trade_offs": ["Orders show up late in the warehouse", "One more table"],
            "recommendations": ["Measure the outbox", "Alert when it is older than an hour"],
            "unmet": list(self._plan.unmet),
            "open_questions": ["Who is called at night?"],
            "confidence": self._plan.confidence,
            "confidence_reasons": "All texts agree on the outbox; nobody measured the disk.",
        }


def _solution(name: str, exchange: int, paragraphs: int) -> str:
    return "\n\n".join(
        f"{name} writes each order of exchange {exchange} to an outbox first, part {part}. A "
        "worker sends it on, and marks it as sent when the warehouse has said so; what is not "
        "marked is sent again, under the same number, so that nothing is delivered twice."
        for part in range(1, paragraphs + 1)
    )


def _with_text(reply: Any, text: str) -> Any:
    """Return a reply all of whose free texts are replaced; names and ids stay."""
    if isinstance(reply, list):
        return [_with_text(item, text) for item in reply]
    if not isinstance(reply, dict):
        return reply
    told: dict[str, Any] = {}
    for key, item in reply.items():
        if key in FREE | {"confidence_reasons"} and isinstance(item, str):
            told[key] = text
        elif key in FREE_LISTS:
            told[key] = [text for _ in item]
        else:
            told[key] = _with_text(item, text)
    return told


def people(number: int) -> str:
    """Return so many participants, each of a role."""
    return ",".join(f"{name}:{ROLES[i % len(ROLES)]}" for i, name in enumerate(NAMES[:number]))


def all_pairs(number: int) -> dict[tuple[str, str], list[str]]:
    """Return points of everybody against everybody else, of no to three points."""
    names = NAMES[:number]
    return {
        (a, b): ["major", "minor", "minor"][: (i + 2 * j) % 4]
        for i, a in enumerate(names)
        for j, b in enumerate(names)
        if a != b
    }


USUAL = Plan(
    points={
        ("ann", "ben"): ["major", "minor"],
        ("ann", "cara"): ["minor"],
        ("ben", "ann"): ["major"],
        ("cara", "ben"): ["major", "major", "minor"],
    },
    rejects=["cara"],
    covers={("ann", "r2"): "partial", ("ben", "r3"): "none", ("cara", "r1"): "partial"},
    unmet=["r3"],
)
"""Three participants; cara accepts nothing, ben accepts most, the minor r3 stays unmet."""


def debate(plan: Plan = USUAL, *, turns: int | None = None, **settings: Any) -> Folder:
    """Return a design debate held to its end, until a person is awaited, or for so many turns."""
    given = {"participants": people(3), "max_exchanges": 2, "requirements": REQUIREMENTS}
    return held(
        "design",
        Scripted(plan),
        slug=settings.pop("slug", "x-debate"),
        framing=Framing(settings.pop("motion", MOTION)),
        settings=given | settings,
        turns=turns,
    )


def answered(folder: Folder, plan: Plan, by: str = "boss", **texts: str) -> Folder:
    """Answer every open question, then go on; `texts` are by question, `_` for each hyphen."""
    history = of_record(*_record(folder))
    known = {key.replace("__", "-"): text for key, text in texts.items()}
    given = {i: known.get(i, "About 200.") for i in history.open_questions()}
    engine.act(folder, Act("answer", given, by))
    go_on(folder, Scripted(plan))
    return folder


def _record(folder: Folder) -> tuple[Any, Any]:
    found = engine.look(folder).debate
    return found.record, found.settings

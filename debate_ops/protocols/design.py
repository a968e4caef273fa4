"""Agents by role propose, criticise and refine solutions of a problem; a judge writes the one.

Before the first exchange agents may ask a person, and the judge names the requirements. In an
exchange everybody's text is criticised by all others, and its author accepts or rejects each point
in a refinement. The debate ends after the last exchange, when nothing new comes, or when the judge
is confident enough.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, product
from typing import Annotated, Any, Literal, Self

from markupsafe import Markup
from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from debate_ops.core import values
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import Acted, Protocol, Replayed, Script
from debate_ops.core.replies import Item, Optional, Reply, Said, as_list
from debate_ops.core.replies import text as said
from debate_ops.core.settings import Common, Name, Part, Whole, split_people, wrong
from debate_ops.core.texts import LEFT_OUT, cut_characters, is_blank, one_line, trimmed
from debate_ops.core.values import Act, Debate, Done, Entry, Fault, Place, Task, Turn, Waiting
from debate_ops.protocols import shared
from debate_ops.protocols.design_history import JUDGE, History, Point, measure

COMPLETED, AWAITING_ANSWERS = "completed", "awaiting_answers"
MOST_CONFIDENCE, CONFIDENCE_CAP = 100, 40
"""The judge's confidence at most; and while a major requirement is unmet."""
NONE = Markup("(none)")

_TEXTS = shared.load_texts("design_roles.json")
ROLES: Mapping[str, Mapping[str, str]] = _TEXTS["roles"]
"""Each role by name: `who` somebody of it is, and what it looks for in each task."""
ANY_ROLE: Mapping[str, str] = _TEXTS["any"]
"""What a role of the user's own looks for; who it is, its description says."""


def _check_text(value: Any) -> Any:
    """Return a text as it is given: itself, or with the file that it was read from."""
    if not isinstance(plain_text(value), str) or is_blank(plain_text(value)):
        shown = one_line(json.dumps(value, ensure_ascii=False, default=str), 60)
        raise wrong(f'is {shown}, expected a text that says something, or {{"file": its path}}')
    return value


def plain_text(value: Any) -> Any:
    """Return a text that is given as itself, or with the file that it was read from."""
    is_read = isinstance(value, dict) and value.keys() == {"file", "text"}
    return value["text"] if is_read else value


OwnText = Annotated[Any, AfterValidator(_check_text)]


class Voice(Part):
    """What a user may say of somebody who takes part, in the place of what holds for all."""

    description: Annotated[Any, AfterValidator(lambda v: v and _check_text(v))] = ""
    """Who it is."""
    prompts: dict[Any, OwnText] = {}
    """What it looks for in a task."""
    summary_threshold: Whole | None = Field(default=None, exclude_if=lambda v: v is None)
    """From how many characters on its history is summarised; 0: never."""
    summary_characters: Annotated[Whole, Field(ge=1)] | None = Field(
        default=None, exclude_if=lambda v: v is None
    )
    """How many characters its summary may have."""

    def say(self, what: str) -> str:
        """Return who it is (`who`), or what it looks for in a task: its own text, or its role's."""
        texts = ROLES.get(self.role, ANY_ROLE) if isinstance(self, Agent) else {}
        own = self.description if what == "who" else self.prompts.get(what, "")
        return trimmed(plain_text(own)) or Markup(texts.get(what, ""))


class Agent(Voice):
    """One who proposes, criticises and refines; a description of its own replaces its role's."""

    name: Name
    role: Name
    prompts: dict[
        Literal["questions", "proposal", "critique", "refinement", "summary"], OwnText
    ] = {}

    @model_validator(mode="after")
    def _require_description(self) -> Self:
        if self.role not in ROLES and not self.description:
            raise wrong(
                f"{self.name} has the role {self.role}, which needs a description; without one "
                f"there are {', '.join(ROLES)}"
            )
        return self


class Judge(Voice):
    """The judge, where a user says something of it."""

    prompts: dict[Literal["requirements", "assessment", "summary", "synthesis"], OwnText] = {}


def _read_judge(value: Any) -> Any:
    is_text = isinstance(value, str) or (isinstance(value, dict) and "file" in value)
    return {"description": value} if is_text else value


class Requirement(Part):
    """One thing that the solution has to meet."""

    id: str
    text: Annotated[str, AfterValidator(_check_text), AfterValidator(trimmed)]
    level: Literal["major", "minor"] = "major"


def _number_requirements(value: Any) -> Any:
    if not isinstance(value, list | tuple):
        return value
    numbered = [{"text": v} if isinstance(v, str) else v for v in value]
    for number, each in enumerate(numbered):
        if isinstance(each, dict):
            numbered[number] = {"id": (due := f"r{number + 1}"), **each}
            if (given := each.get("id", due)) != due:
                raise wrong(f"has the id {given!r} as number {number + 1}, expected {due} or none")
    return numbered


class DesignSettings(Common):
    """The options of a design debate."""

    IDLE = {
        ("clarifying_questions", 0): ("clarifying_rounds",),
        ("summary_threshold", 0): ("summary_characters",),
        ("max_exchanges", 1): ("stop_at_confidence", "stop_when_nothing_new", "proposals"),
    }

    participants: Annotated[
        tuple[Agent, ...],
        BeforeValidator(lambda value: split_people(value, is_both=True)),
        Field(min_length=2, max_length=12),
    ] = tuple(Agent(name=role, role=role) for role in ("architect", "performance", "simplicity"))
    """the agents: roles, or names with a role behind a colon (architect,ann:security), or objects
    with name, role, description, prompts, summary_threshold and summary_characters; a role
    of your own needs a description"""
    max_exchanges: Annotated[Whole, Field(ge=1, le=20)] = 3
    """after how many exchanges the debate ends"""
    requirements: Annotated[
        tuple[Requirement, ...], BeforeValidator(_number_requirements), Field(max_length=30)
    ] = ()
    """what the solution must do: texts, or objects with text and level (major or minor); none: the
    judge names the requirements before the first exchange"""
    clarifying_questions: Annotated[Whole, Field(le=20)] = 0
    """how many questions to the person each participant may ask, in a round; 0: none are asked"""
    clarifying_rounds: Annotated[Whole, Field(ge=1, le=5)] = 3
    """how many rounds of clarifying questions there are at most"""
    proposals: Literal["carried", "fresh"] = "carried"
    """whether the last refinement stands as the proposal of the next exchange, or everybody
    proposes anew, starting from it"""
    stop_at_confidence: Annotated[Whole, Field(le=MOST_CONFIDENCE)] = 0
    """the judge's confidence, asked after each exchange, at which the debate ends; 0: not asked"""
    stop_when_nothing_new: Literal["yes", "no"] = "yes"
    """whether the debate ends after an exchange in which no point was accepted"""
    summary_threshold: Whole = 5_000
    """from how many characters on a participant's own history is summarised; 0: never"""
    summary_characters: Annotated[Whole, Field(ge=1)] = 2_500
    """how many characters a summary may have; a longer one is cut at the end of a sentence"""
    judge: Annotated[Judge, BeforeValidator(_read_judge)] = Field(
        Judge(), exclude_if=lambda judge: judge == Judge()
    )
    """who the judge is, in words of your own; or an object with description, prompts,
    summary_threshold and summary_characters"""
    devils_advocate: str = shared.NOBODY
    """who makes the strongest case against what leads: nobody, a participant, or rotation"""

    def find_clashes(self) -> Iterator[str]:
        chosen = self.roles.get(self.devils_advocate, self.devils_advocate)
        yield from shared.find_advocate_faults(chosen, self.names)

    @property
    def roles(self) -> dict[str, str]:
        """Roles that one agent alone bears and nobody is named after, with that agent's name."""
        count = Counter(agent.role for agent in self.participants)
        alone = [a for a in self.participants if count[a.role] == 1 and a.role not in self.names]
        return {agent.role: agent.name for agent in alone}

    def summary_limits(self, name: str) -> tuple[int, int]:
        """Return from how many characters on somebody's history is summarised, and in how many."""
        own = self.judge if name == JUDGE else self.participant(name)
        least = own.summary_threshold
        least = self.summary_threshold if least is None else least
        return least, own.summary_characters or self.summary_characters


class Question(Item):
    """One question to the person who poses the problem."""

    text: Said = said("Question", words=60)
    """The question."""
    why: Optional = said("Why", words=40, default="")
    """What in the solution depends on the answer."""


class Questions(Reply):
    """What somebody has to know of the person who poses the problem; an empty list asks nothing."""

    LIST, NO_REPLY = "questions", "no question"
    questions: list[Question]
    """The questions; the most important first."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield as many questions as there may be, numbered on from those of earlier rounds."""
        first = len(h.find("question", 0, by)) + 1
        for number, item in enumerate(self.questions[: h.settings.clarifying_questions], first):
            title = f"Question {number} of {by}"
            data = {"title": title, "round": turn.number % 10, "asks": item.text}
            yield Entry(by, 0, "question", data, item.record()[1], number=number)

    def find_faults(self, h: History, turn: Turn, by: str) -> values.Faults:
        most, number = h.settings.clarifying_questions, len(self.questions)
        if number > most:
            rest = f"the last {number - most} left out"
            why = f"{number} questions, at most {most} in a round: {rest}"
            yield Fault("questions", why, is_warning=True)


class NamedRequirement(Item):
    """One thing that a solution has to meet."""

    text: Said = said(words=50)
    """What has to hold, so that one can tell whether it does."""
    level: Literal["major", "minor"]
    """major: without it the solution fails; minor: it should be met where the cost is fair."""


class Requirements(Reply):
    """What every solution of the problem has to meet."""

    LIST = "requirements"
    requirements: list[NamedRequirement] = Field(min_length=1, max_length=12)
    """The requirements; those that decide first. The program numbers them r1, r2 and so on."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        named = _number_requirements([item.model_dump() for item in self.requirements])
        data = {"title": "Requirements, as the judge names them", "requirements": named}
        texts = {"Requirements": list_requirement_lines(named)}
        yield Entry(JUDGE, turn.round, "requirements", data, texts, values.JUDGMENTS)


class Summary(Reply):
    """What stands in the place of a history that has grown long."""

    KEYS = {"summary": lambda e: e.texts["Summary"] + e.texts.get(LEFT_OUT, "")}
    summary: Said = said("Summary")
    """The summary, within the number of characters that the prompt names."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        covered = h.list_to_summarise(by, turn.round)
        kept, rest = cut_characters(self.summary, h.settings.summary_limits(by)[1])
        data = {
            "title": f"Summary of {by} before exchange {turn.round}",
            "before": measure(covered),
            "after": len(kept),
            "covers": _ids(covered),
            "judges": _ids(covered),
        }
        if rest.strip():
            data["cut"] = {"characters": len(self.summary), "kept": len(kept)}
        texts = {"Summary": kept, LEFT_OUT: rest}
        yield Entry(by, turn.round, "summary", data, texts, values.JUDGMENTS)

    def find_faults(self, h: History, turn: Turn, by: str) -> values.Faults:
        most = h.settings.summary_limits(by)[1]
        if rest := cut_characters(self.summary, most)[1].strip():
            why = f"has {len(self.summary)} characters, at most {most} are kept: cut at a sentence"
            yield Fault("summary", f"{why}, before: {one_line(rest, 60)}", is_warning=True)


class Coverage(Item):
    """How far one requirement is met."""

    requirement: str
    """The id of a requirement, as r1."""
    coverage: Literal["full", "partial", "none"]
    """How far the solution meets it."""
    how: Said = said(words=50)
    """By what it is met; or what is missing, and why."""


class Proposal(Reply):
    """A solution that an agent puts forward."""

    title: Said = said(words=12)
    """A short name."""
    solution: Said = said("Solution", words=900)
    """The whole solution, so that it could be carried out."""
    coverage: Annotated[list[Coverage], BeforeValidator(as_list)] = []
    """Every requirement exactly once; empty where there are none."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        covered = list_lines(f"{c.requirement}: {c.coverage}. {c.how}" for c in self.coverage)
        texts = {"Solution": self.solution, "Requirements": covered}
        data = {
            "title": self.title,
            "role": h.settings.participant(by).role,
            "coverage": [each.model_dump() for each in self.coverage],
            "characters": sum(map(len, texts.values())),
        }
        yield Entry(by, turn.round, "proposal", data, texts)

    def find_faults(self, h: History, turn: Turn, by: str) -> values.Faults:
        named, known = (item.requirement for item in self.coverage), h.list_requirement_ids()
        path = "coverage.{}.requirement"
        yield from shared.find_naming_faults(path, named, known, needs_all=True)


class PointMade(Item):
    """One thing that should change."""

    level: Literal["major", "minor"]
    """major: a requirement is missed, or the solution fails in a case that will come up; minor: it
    would be better so."""
    text: Said = said(words=90)
    """What is wrong, what follows from it, and what would repair it."""


class Critique(Item):
    """What one finds in one text."""

    KEYS = {
        "points": lambda e: [
            p | {"text": e.texts[f"Point {p['number']}"]} for p in e.data["points"]
        ]
    }
    target: Annotated[str, BeforeValidator(lambda v: values.author(v) if values.parse_id(v) else v)]
    """The name of the agent whose text it is."""
    requirements: Optional = said("Requirements", words=80, default="")
    """Which requirements the text meets less than it says, or not; blank where there are none."""
    points: Annotated[list[PointMade], BeforeValidator(as_list)] = Field(max_length=5)
    """What should change; empty where nothing should."""


class Critiques(Reply):
    """What one finds in each of the others' texts: the requirements first, then points."""

    LIST = "critiques"
    critiques: list[Critique]
    """One critique of each other agent's text."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        for item in sorted(self.critiques, key=lambda item: h.place_of(item.target)):
            number = h.place_of(item.target)
            target = h.find_criticised(h.names[number - 1], turn.round)
            points = [{"number": n, "level": p.level} for n, p in enumerate(item.points, 1)]
            levels = ", ".join(f"point {p['number']} {p['level']}" for p in points)
            texts = {"Requirements": item.requirements}
            texts |= {f"Point {n}": point.text for n, point in enumerate(item.points, 1)}
            data = {
                "title": f"Critique of {target}: {levels or 'no points'}",
                "attacks": [{"target_id": target, "type": "critique"}],
                "target": target,
                "points": points,
                "characters": sum(map(len, texts.values())),
            }
            yield Entry(by, turn.round, "critique", data, texts, number=number)

    def find_faults(self, h: History, turn: Turn, by: str) -> values.Faults:
        others = [name for name in h.list_texts(turn.round) if name != by]
        named = (h.find_name(item.target) for item in self.critiques)
        yield from shared.find_naming_faults("critiques.{}.target", named, others, needs_all=True)
        for place, item in enumerate(self.critiques):
            if not item.requirements and h.list_requirement_ids():
                why = "is blank: say how the text meets the requirements"
                yield Fault(f"critiques.{place}.requirements", why)
        if by == h.find_advocate(turn.round) and not any(item.points for item in self.critiques):
            why = f"{by} is the devil's advocate, and there is no point against any text"
            yield Fault("critiques", why)


class Answer(Item):
    """What becomes of one point."""

    critique: str
    """The id of the critique."""
    point: int = Field(ge=1)
    """The number of the point in it, from 1."""
    verdict: Literal["accepted", "rejected"]
    """accepted: the solution changes because of it; rejected: it does not."""
    reason: Said = said(words=60)
    """What changed, or why nothing does."""


def _recall_answers(refinement: Entry) -> list[dict[str, Any]]:
    """Return the answers of a refinement, each with its reason, which stands behind the rest."""
    pairs = zip(refinement.data["answers"], refinement.texts["Answers"].split("\n"), strict=False)
    return [
        {**answer, "reason": line.removeprefix(f"- {_spell_verdict(answer)}. ")}
        for answer, line in pairs
    ]


class Refinement(Proposal):
    """The answer to each point against one's own text, and the text as it reads from now on."""

    KEYS = {"answers": _recall_answers}
    answers: list[Answer]
    """Every point of every critique exactly once."""
    title: Optional = said(words=12, default="")
    """A new name; the earlier one stays if it is left out."""
    solution: Said = said("Solution", words=900)
    """The whole solution as it reads now, not only what changed."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        (text,) = super().become(h, turn, by)
        said = list_lines(f"{_spell_verdict(a.model_dump())}. {a.reason}" for a in self.answers)
        refined, verdicts = h.find_criticised(by, turn.round), [a.verdict for a in self.answers]
        data = {
            **text.data,
            "title": self.title or h.d.entries[refined].data["title"],
            "characters": text.data["characters"] + len(said),
            "refines": refined,
            "answers": [answer.model_dump(exclude={"reason"}) for answer in self.answers],
            "accepted": verdicts.count("accepted"),
            "rejected": verdicts.count("rejected"),
        }
        texts = {"Solution": self.solution, "Answers": said, **text.texts}
        yield replace(text, kind="refinement", data=data, texts=texts)

    def find_faults(self, h: History, turn: Turn, by: str) -> values.Faults:
        asked = [*map(_spell_point, h.list_points(by, turn.round))]
        answered = (_spell_point((item.critique, item.point)) for item in self.answers)
        yield from shared.find_naming_faults("answers.{}", answered, asked, needs_all=True)
        yield from super().find_faults(h, turn, by)


class Assessment(Reply):
    """How sure the judge is that the texts at hand solve the problem."""

    confidence: int = Field(ge=0, le=MOST_CONFIDENCE)
    """A whole number from 0 to 100."""
    reasons: Said = said("Reasons", words=120)
    """What the number rests on, and what is still missing."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        data = {
            "title": f"Confidence {self.confidence} of {MOST_CONFIDENCE}",
            "confidence": self.confidence,
            "judges": [*h.list_texts(turn.round).values()],
        }
        yield Entry(JUDGE, turn.round, "assessment", data, self.record()[1], values.JUDGMENTS)


class Synthesis(Reply):
    """The solution that the judge writes out of the whole debate."""

    KEYS = {"confidence_reasons": lambda e: e.texts["Confidence"].partition(": ")[2]}
    title: Said = said(words=12)
    """A short name."""
    confidence: int = Field(ge=0, le=MOST_CONFIDENCE)
    """How sure you are that this solves the problem: a whole number from 0 to 100."""
    unmet: list[str]
    """Ids of the requirements that the solution does not meet in full; empty if it meets all."""
    trade_offs: list[Said] = said(words=60, max_length=10)
    """What the solution gives up, and for what; one in each text."""
    recommendations: list[Said] = said(words=60, max_length=10)
    """What to do, in which order; one step in each text."""
    open_questions: list[Said] = said(words=60, max_length=10)
    """What the debate could not settle; one in each text."""
    solution: Said = said("Solution", words=1200)
    """The whole solution, for readers who have seen nothing of the debate."""
    confidence_reasons: Said = said("Confidence", words=100)
    """What the number rests on."""

    def become(self, h: History, turn: Turn, by: str) -> Iterator[Entry]:
        data, _ = self.record()
        judged = [*h.list_texts(turn.round).values()]
        data |= {"stopped_by": h.why_stopped(turn.round), "judges": judged}
        unmet = [each for each in h.list_requirements() if each["id"] in self.unmet]
        texts = {
            "Solution": self.solution,
            "Trade-offs": list_lines(self.trade_offs),
            "Recommendations": list_lines(self.recommendations),
            "Unmet requirements": list_requirement_lines(unmet),
            "Open questions": list_lines(self.open_questions),
            "Confidence": f"{self.confidence} of {MOST_CONFIDENCE}: {self.confidence_reasons}",
        }
        yield Entry(JUDGE, turn.round, "synthesis", data, texts, values.JUDGMENTS)

    def find_faults(self, h: History, turn: Turn, by: str) -> values.Faults:
        yield from shared.find_naming_faults("unmet.{}", self.unmet, h.list_requirement_ids())
        major = h.list_major(self.unmet)
        if major and self.confidence > CONFIDENCE_CAP:
            names = ", ".join(major)
            why = f"is {self.confidence}, but {names} is major and unmet: expected at most"
            yield Fault("confidence", f"{why} {CONFIDENCE_CAP}, or a solution that meets {names}")


def _ids(entries: Iterable[Entry]) -> list[str]:
    return [entry.id for entry in entries]


def list_lines(items: Iterable[str]) -> str:
    """Return items for readers, each on a line of its own."""
    return "\n".join(f"- {' '.join(item.split())}" for item in items)


def list_requirement_lines(requirements: Iterable[Mapping[str, str]]) -> str:
    """Return requirements for readers, a line each."""
    return list_lines(f"{each['id']} ({each['level']}): {each['text']}" for each in requirements)


def _spell_point(point: Point) -> str:
    return f"{point[0]}, point {point[1]}"


def _spell_verdict(answer: Mapping[str, Any]) -> str:
    return f"{_spell_point((answer['critique'], answer['point']))}: {answer['verdict']}"


STEPS: Mapping[str, tuple[str, str, type[Reply]]] = {
    "questions": ("awaiting_questions", values.ABSENCE, Questions),
    "requirements": ("awaiting_requirements", values.STOP, Requirements),
    "summary": ("awaiting_summaries", values.EXCUSE, Summary),
    "proposal": ("awaiting_proposals", values.STOP, Proposal),
    "critique": ("awaiting_critiques", values.ABSENCE, Critiques),
    "refinement": ("awaiting_refinements", values.ABSENCE, Refinement),
    "assessment": ("awaiting_assessment", values.ABSENCE, Assessment),
    "judge-summary": ("awaiting_judge_summary", values.EXCUSE, Summary),
    "synthesis": ("awaiting_synthesis", values.STOP, Synthesis),
}
"""By template, in their order: the phase, what a failure does, the form."""


class Design(Protocol):
    """Roles propose, criticise and refine; the judge writes the solution."""

    name = "design"
    cycle = "exchange"
    Settings = DesignSettings
    replies = {**{name: step[-1] for name, step in STEPS.items()}, "proposal-again": Proposal}
    acts = {**Protocol.acts, "answer": ("clarification", "")}
    may_shorten = frozenset({"history"})
    last_phases = frozenset({STEPS["judge-summary"][0], STEPS["synthesis"][0]})
    filed = {
        "question": "question_asked",
        "clarification": "question_answered",
        "requirements": "requirements_named",
        "synthesis": "solution_filed",
    }

    def participants(self, settings: DesignSettings) -> dict[str, str]:
        return dict.fromkeys(settings.names, "debater") | {JUDGE: "judge"}

    def other_names(self, settings: DesignSettings) -> dict[str, str]:
        return settings.roles

    def script(self, d: Debate) -> Script:
        s, h, names = d.settings, History(d), d.settings.names
        yield from self._clarify(h)
        if not s.requirements:
            yield _turn(h, 0, "requirements", [JUDGE])
        for exchange in count(1):
            summed = [n for n in names if exchange > 1 and h.needs_summary(n, exchange)]
            yield _turn(h, exchange, "summary", summed)
            is_fresh, texts = s.proposals == "fresh", h.list_texts(exchange)
            yield _turn(h, exchange, "proposal", [n for n in names if is_fresh or n not in texts])
            texts = h.list_texts(exchange)
            yield _turn(h, exchange, "critique", [n for n in names if texts.keys() - {n}])
            yield _turn(h, exchange, "refinement", [n for n in names if h.list_points(n, exchange)])
            if s.stop_at_confidence and texts and not h.why_unasked(exchange):
                yield _turn(h, exchange, "assessment", [JUDGE])
            if stopped := h.why_stopped(exchange):
                break
        if h.needs_summary(JUDGE, exchange):
            yield _turn(h, exchange, "judge-summary", [JUDGE])
        yield _turn(h, exchange, "synthesis", [JUDGE])
        written = h.find("synthesis", exchange)
        what, after = "wrote no solution", f"{exchange} exchange{'s' * (exchange > 1)}"
        if written:
            what = f"has written the solution (confidence {written[0].data['confidence']})"
        yield Done(exchange, COMPLETED, f"the judge {what}, after {after}: {_STOPS[stopped]}")

    def _clarify(self, h: History) -> Script:
        """Let the agents ask, round after round, until nobody does; a person answers each round."""
        rounds = h.settings.clarifying_rounds if h.settings.clarifying_questions else 0
        for round_ in range(1, rounds + 1):
            yield _turn(h, 0, "questions", h.names, round_)
            while about := h.list_open_questions():
                why = f"questions are open ({len(about)}): leave blank what does not apply"
                try:
                    yield Waiting(0, AWAITING_ANSWERS, why, ("answer", "cancel"), tuple(about))
                except Acted:
                    continue
            if all(e.data["round"] < round_ for e in h.find("question", 0)):
                return

    def find_view(self, d: Debate, turn: Turn) -> History:
        return History(d)

    def act(self, d: Debate, place: Place, act: Act) -> list[Entry]:
        if act.name != "answer" or place.phase != AWAITING_ANSWERS:
            return super().act(d, place, act)
        h = History(d)
        open_ = h.list_open_questions()
        unknown = ", ".join(i for i in act.values if i not in open_)
        if unknown or not act.values:
            what = f"is no open question: {one_line(unknown, 200)}"
            hint = f"Open questions: {', '.join(open_)}."
            raise RefusedError(what if unknown else "there is no answer", hint=hint)
        made, first = list[Entry](), len(h.find("clarification", 0)) + 1
        for number, i in enumerate((i for i in open_ if i in act.values), first):
            answer, applies = act.values[i], not is_blank(act.values[i])
            title = f"{'Answer to' if applies else 'Not applicable:'} {i}"
            data = {"title": title, "question": i, "applies": applies, "by": act.by}
            texts = {"Question": d.entries[i].data["asks"]}
            texts["Answer"] = answer if applies else "Not applicable."
            made.append(
                Entry(values.PERSON, 0, "clarification", data, texts, values.JUDGMENTS, number)
            )
        return made

    def joint_faults(self, d: Debate, turn: Turn, replies: Mapping[str, Any]) -> values.Faults:
        if self.replies[turn.tasks[0].template] is Summary:
            why = "there is no summary: the whole history is shown in its place"
            absent = (name for name, said in replies.items() if isinstance(said, values.Absent))
            yield from (Fault("", why, name, is_warning=True) for name in absent)

    def recall_act(self, entries: list[Entry]) -> Act:
        if entries[0].kind != "clarification":
            return super().recall_act(entries)
        given = {
            str(e.data["question"]): e.texts["Answer"] if e.data["applies"] else "" for e in entries
        }
        return Act("answer", given, str(entries[0].data["by"]))

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what there is to see: nothing of it was said by a peer in the same phase."""
        h, s, exchange = History(d), d.settings, turn.round
        what = turn.tasks[0].template.removesuffix("-again")
        is_judge, own = by == JUDGE, s.judge if by == JUDGE else s.participant(by)
        texts = h.list_texts(exchange)
        before = _ids(h.find("summary", exchange, by) or h.list_to_summarise(by, exchange))
        place = 0 if is_judge else h.place_of(by)  # from the next on: none is read first by all
        others = [n for n in (*h.names[place:], *h.names[:place]) if n in texts and n != by]
        received = h.find("critique", exchange) if is_judge else h.list_received(by, exchange)
        asked = [] if is_judge else h.list_points(by, exchange)
        own_entries = [texts[by]] if what in {"proposal", "refinement"} and by in texts else []
        apart = {"synthesis": [*texts.values()], "summary": before, "assessment": before}
        unanswered = (
            f"- {_spell_point(point)}, against {h.find_criticised(name, number)}"
            for number, name in product(range(1, exchange + 1), h.names)
            if not h.find("refinement", number, name)
            for point in h.list_points(name, number)
        )
        return {
            "participants": shared.list_words(
                a.name if a.role == a.name else f"{a.name} ({a.role})"
                for a in s.participants
                if a.name != by
            ),
            "role": own.say("who"),
            "guidance": own.say(what.removeprefix("judge-")),
            "advocate": Markup(h.find_advocate(exchange)),
            "leading": Markup("what the texts have in common, and the solution is heading for"),
            "clarifications": _ids(h.find("clarification", 0)),
            "requirements": list_requirement_lines(h.list_requirements()) or NONE,
            "round": turn.number % 10,
            "summary_characters": s.summary_limits(by)[1],
            "history": [i for i in before if i not in apart.get(what, own_entries)],
            "covered": before,  # whole, under a name that is never shortened
            "own_entries": own_entries,
            "proposals": [texts[name] for name in others],
            "targets": shared.list_words(others),
            "refinements": [*texts.values()],
            "critiques": _ids(received),
            "points": Markup("\n".join(f"- {_spell_point(point)}" for point in asked)),
            "unanswered": Markup("\n".join(unanswered)) or NONE,
        }

    def list_steps(self, settings: Any) -> Iterator[tuple[int, int, int]]:
        s, agents, last = settings, len(settings.names), settings.max_exchanges
        summed = sum(s.summary_limits(name)[0] > 0 for name in s.names)
        for round_ in range(1, s.clarifying_rounds + 1):
            yield 0, _number_step("questions", round_), agents * bool(s.clarifying_questions)
        yield 0, _number_step("requirements"), not s.requirements
        for number in range(1, last + 1):
            is_new = number == 1 or s.proposals == "fresh"
            yield number, _number_step("summary"), summed * (number > 1)
            yield number, _number_step("proposal"), agents * is_new
            yield number, _number_step("critique"), agents
            yield number, _number_step("refinement"), agents
            yield number, _number_step("assessment"), number < last and s.stop_at_confidence > 0
        yield last, _number_step("judge-summary"), last > 1 and s.summary_limits(JUDGE)[0] > 0
        yield last, _number_step("synthesis"), 1

    def requirements(self, at: Replayed) -> dict[str, tuple[bool, str]]:
        h, place = History(at.debate), at.place
        written = h.find("synthesis", place.round)
        if not written:
            why = f"the debate is at {place.phase}, in exchange {place.round}"
            return dict.fromkeys(("solution", "major-met"), (False, why))
        data = written[0].data
        unmet = ", ".join(h.list_major(data["unmet"]))
        why = f"unmet by the solution: {unmet}" if unmet else "no major requirement is unmet"
        sure = f"the judge's confidence is {data['confidence']}"
        return {"solution": (True, sure), "major-met": (not unmet, why)}

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        keys = ("confidence", "before", "after", "cut", "points", "answers", "stopped_by", "unmet")
        return {key: entry.data[key] for key in keys if key in entry.data}


_STOPS: Mapping[str, str] = {
    "count": "that was the last one",
    "confidence": "the judge was confident enough",
    "nothing_new": "nothing new came",
}


def _number_step(what: str, round_: int = 0) -> int:
    return 10 * ([*STEPS].index(what) + 1) + round_


def _turn(h: History, exchange: int, what: str, names: Sequence[str], round_: int = 0) -> Turn:
    """Return a turn of these; `round_` is that of the questions, from 1."""
    phase, on_failure, _ = STEPS[what]
    has_text = h.list_texts(exchange) if what == "proposal" else {}
    tasks = tuple(Task(n, f"{what}{'-again' * (n in has_text)}", on_failure) for n in names)
    return Turn(exchange, phase, tasks, _number_step(what, round_))

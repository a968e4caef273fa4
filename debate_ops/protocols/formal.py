"""A formal debate in rounds of speeches, affirmative against negative, with a judge if wanted.

Both sides prepare; then come openings, rebuttals, a cross-examination of as many pairs of questions
as the settings say, and closings; a judge may cast a ballot. Every speech is a step of its own,
except that both sides prepare at the same time.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from markupsafe import Markup
from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core import values
from debate_ops.core.protocol import Script
from debate_ops.core.replies import Item, Optional, Reply, Said, read_exact, text
from debate_ops.core.settings import Common, Part, Seconds, Whole, Words, wrong
from debate_ops.core.texts import LEFT_OUT, cut_words
from debate_ops.core.values import Debate, Done, Entry, Fault, Faults, Task, Turn
from debate_ops.protocols.shared import Citation, InTurn, record_citations

SIDES = {"aff": "affirmative", "neg": "negative"}
OTHER = {"aff": "neg", "neg": "aff"}
FIRST_PAIR = 3
CUT_MARK = "..."
SHOWN = {
    "rebuttal": ("opening",),
    "question": ("opening", "rebuttal"),
    "answer": ("opening", "rebuttal"),
    "closing": ("opening", "rebuttal", "question", "answer"),
    "judge": ("opening", "rebuttal", "question", "answer", "closing"),
}
"""Which kinds of earlier speeches each is written on: before the closings, the other side's."""


# Settings: how a side speaks is one of them. Chance is on record: a seed, drawn when it is made.

TRAITS = ("civility", "manner", "research_depth", "rhetoric")
TACTICS = (
    *("gish_gallop", "strawman", "ad_hominem", "appeal_to_emotion", "appeal_to_authority"),
    *("false_dilemma", "slippery_slope", "red_herring"),
)
Trait = Annotated[Whole, Field(le=10)]


class Personality(Part):
    """How one side speaks: traits, tactics to be played, and instructions of the user's."""

    civility: Trait = 5
    manner: Trait = 5
    research_depth: Trait = 5
    rhetoric: Trait = 5
    tactics: list[Literal[TACTICS]] = []  # type: ignore[valid-type]
    instructions: Words = ""


def _read_manner(value: Any) -> Personality | str:
    if isinstance(value, str) and re.fullmatch(r"default|random:[0-9]{1,18}", value):
        return value
    if isinstance(value, Mapping | Personality):
        return Personality.model_validate(value)
    parts = ", ".join(Personality.model_fields)
    raise wrong(f"is none: default, random:SEED as in random:7, or an object of {parts}")


Manner = Annotated[Any, AfterValidator(_read_manner)]


class Settings(Common):
    """The options of a formal debate."""

    IDLE = {("word_limit", 0): ("word_limits",)}

    cross_exam_questions: Annotated[Whole, Field(le=100)] = 3
    """how many questions each side asks in the cross-examination; 0 leaves it out"""
    word_limit: Whole = 500
    """words to a debater's text at most; 0 sets no limit"""
    word_limits: Literal["warn", "reject", "cut"] = "warn"  # type: ignore[assignment]
    """what a text over the limit does: warn, reject the reply, or cut the text"""
    time_limit: Seconds = 0
    """seconds that `run` waits for a reply; 0 leaves it to the run"""
    preparation_time: Seconds = 0
    """seconds that both sides have for their notes; then the debate may go on without what is
    missing, and `run` does; 0 is no such limit"""
    show_preparation: Literal["yes", "no"] = "yes"
    """whether a transcript shows both sides' notes"""
    judge: Literal["none", "one"] = "none"
    """whether a judge decides at the end"""
    affirmative: Manner = "default"
    """how the affirmative speaks: its traits, tactics and instructions; for teaching"""
    negative: Manner = "default"
    """how the negative speaks: its traits, tactics and instructions; for teaching"""

    @classmethod
    def draw(cls, given: Mapping[str, Any], pick: Callable[[int], int]) -> Mapping[str, Any]:
        drawn = [name for name in SIDES.values() if given.get(name) == "random"]
        return {**given, **{name: f"random:{pick(1_000_000)}" for name in drawn}}


def find_personality(given: Personality | str, side: str) -> Personality | None:
    """Return the personality that a setting gives to a side; None for the default."""
    if not isinstance(given, str):
        return given
    if given == "default":
        return None

    def drawn(name: str) -> int:  # a change here would change debates on record
        text = f"{given.removeprefix('random:')}:{side}:{name}"
        return int(hashlib.sha256(text.encode()).hexdigest(), 16)

    traits: Any = {trait: drawn(trait) % 11 for trait in TRAITS}
    return Personality(**traits, tactics=sorted(TACTICS, key=drawn)[: drawn("tactics") % 3])


class Given(Reply):
    """What a side gives."""

    text: str

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        s, kind = d.settings, turn.template(by)
        ((section, said),) = self.record()[1].items()
        kept, left_out = cut_words(said, s.word_limit if s.word_limits == "cut" else 0)
        data = {"title": Formal.name_turn(turn, by).capitalize(), "words": len(kept.split())}
        texts = {section: f"{kept}{CUT_MARK}" if left_out else kept}
        if kind == "answer":
            data["answers"] = d.find("question", round=turn.round, by=OTHER[by])[0].id
        if isinstance(self, Speech):
            data["citations"], texts["Sources"] = record_citations(self.citations)
        if left_out:
            data["cut"] = {"words": len(said.split()), "kept": data["words"]}
            texts[LEFT_OUT] = left_out
        yield Entry(by, turn.round, kind, data, texts)

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        """Return what was given, whether or not its text was cut."""
        reply, left_out = cls.from_entry(entries[0]), entries[0].texts.get(LEFT_OUT)
        whole = f"{reply.text.removesuffix(CUT_MARK)}{left_out}"
        return reply.model_copy(update={"text": whole}) if left_out else reply


class Speech(Given):
    """An opening, a rebuttal or a closing."""

    text: Said = text("Statement", words="word_limit")
    """The whole speech, in paragraphs."""
    citations: list[Citation] = []
    """The sources that the text rests on."""


class Notes(Speech):
    """What a side prepares for itself, in any form; nobody else is shown it in the debate."""

    text: Optional = text("Notes", words="word_limit")
    """The notes. A blank text is taken with a warning."""

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        if not self.text:
            message = f"the {SIDES[by]} goes into the debate without notes"
            yield Fault("text", message, is_warning=True)


class Question(Given):
    """One question of the cross-examination."""

    text: Said = text("Question", words="word_limit")
    """The question."""


class Answer(Speech):
    """An answer of the cross-examination."""

    text: Said = text("Answer", words="word_limit")
    """The answer to the question, and to nothing else."""


def find_side(name: Any) -> Any:
    """Return the participant that a side's full name stands for; anything else as it is."""
    by_full_name = {full_name: side for side, full_name in SIDES.items()}
    return by_full_name.get(name.strip().lower(), name) if isinstance(name, str) else name


Points = Annotated[Decimal, read_exact(0, 30, decimals=1)]


class SpeakerPoints(Item):
    """How well each side spoke, whoever won: from 0 to 30, with at most one decimal."""

    aff: Points
    """The affirmative's points."""
    neg: Points
    """The negative's points."""


class Ballot(Reply):
    """Which side wins, why, and how well each spoke."""

    winner: Annotated[Literal["aff", "neg"], BeforeValidator(find_side)]
    """The side that wins."""
    speaker_points: Annotated[
        SpeakerPoints,
        BeforeValidator(lambda v: {find_side(k): v[k] for k in v} if isinstance(v, dict) else v),
    ]
    """How well each side spoke."""
    reasons: Said = text("Reasons")
    """Why, by what was said in the debate."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        winner, (data, reasons) = SIDES[self.winner], self.record()
        points = ", ".join(f"{name} {data['speaker_points'][side]}" for side, name in SIDES.items())
        judged = [e.id for e in d.find(*SHOWN["judge"])]
        data = {"title": f"Ballot for the {winner}", **data, "judges": judged}
        texts = {"Decision": f"The {winner} wins. Speaker points: {points}."} | reasons
        yield Entry(by, turn.round, "ballot", data, texts, values.JUDGMENTS)


class Formal(InTurn):
    """The rules of `formal`."""

    name = "formal"
    Settings = Settings
    replies = {
        "preparation": Notes,
        "opening": Speech,
        "rebuttal": Speech,
        "question": Question,
        "answer": Answer,
        "closing": Speech,
        "judge": Ballot,
    }
    acts = {}
    may_shorten = frozenset({"statements", "entries"})
    sides = SIDES
    filed = {"question": "question_asked", "answer": "question_answered", "ballot": "ballot_cast"}

    def participants(self, settings: Any) -> Mapping[str, str]:
        judge = {"judge": "judge"} if settings.judge == "one" else {}
        return dict.fromkeys(SIDES, "debater") | judge

    def list_turns(self, s: Any) -> Iterator[Turn]:
        """Yield every turn there may be, in order; an answer is due only to a question."""
        on_failure = values.ABSENCE if s.preparation_time else values.STOP
        seconds = s.preparation_time or s.time_limit
        notes = tuple(Task(side, "preparation", on_failure, seconds) for side in SIDES)
        yield Turn(0, "awaiting_preparation", notes, seconds=s.preparation_time)
        closing = FIRST_PAIR + s.cross_exam_questions
        due = [(1, side, "opening", 0) for side in SIDES]
        due += [(2, side, "rebuttal", 0) for side in SIDES]
        for pair in range(FIRST_PAIR, closing):
            for side, other in OTHER.items():
                due += [(pair, side, "question", 1), (pair, other, "answer", 2)]
        due += [(closing, side, "closing", 0) for side in SIDES]
        due += [(closing + 1, "judge", "judge", 0)] if s.judge == "one" else []
        for number, by, kind, absence in due:
            phase = "awaiting_ballot" if kind == "judge" else f"awaiting_{kind}s"
            yield Turn(number, phase, (Task(by, kind, values.STOP, s.time_limit),), absence)

    def script(self, d: Debate) -> Script:
        """Tell the course of a debate: each turn once; a question not asked has no answer."""
        for turn in self.list_turns(d.settings):
            asker = OTHER.get(turn.tasks[0].by)
            if turn.phase != "awaiting_answers" or d.find("question", round=turn.round, by=asker):
                yield turn
        why = "every speech is given"
        if d.settings.judge == "one":
            winners = [SIDES[e.data["winner"]] for e in d.find("ballot")]
            decided = f"the {winners[0]} wins by one judge's ballot" if winners else ""
            why += f"; {decided or 'the judge gave no ballot'}"
        yield Done(turn.round, "completed", why)

    @staticmethod
    def name_turn(turn: Turn, by: str) -> str:
        kind = turn.template(by)
        pair = f", pair {turn.round - FIRST_PAIR + 1}" if turn.number else ""
        return "ballot" if kind == "judge" else f"{kind} of the {SIDES[by]}{pair}"

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return of its own only its notes, and of the others what the round is about."""
        kind = turn.template(by)
        kinds, apart_from = SHOWN.get(kind, ("",)), "" if kind in {"closing", "judge"} else by
        shown: dict[str, Any] = {
            "absence_note": self.note_missing(d, kinds, apart_from),
            "statements": [e.id for e in d.find(*kinds) if e.by != apart_from],
        }
        if kind == "judge":
            return shown
        own = {e.id for e in d.find("question", by=by) if kind == "question"}
        pairs = d.find("question", "answer")
        asked = d.find("question", round=turn.round, by=OTHER[by]) if kind == "answer" else []
        return shown | {
            "entries": [e.id for e in pairs if e.data.get("answers", e.id) in own],
            "notes": [e.id for e in d.find("preparation", by=by) if e.data["words"]],
            "question": [e.id for e in asked],
            "side_name": Markup(SIDES[by]),
            "opponent_name": Markup(SIDES[OTHER[by]]),
            "pair": turn.round - FIRST_PAIR + 1,
            "personality": find_personality(getattr(d.settings, SIDES[by]), by),
        }

    def describe_place(self, number: int, phase: str) -> str:
        if phase in {"awaiting_questions", "awaiting_answers"}:
            return f"cross-examination, pair {number - FIRST_PAIR + 1}"
        return super().describe_place(number, phase)

"""Debates with known answers: a judge decides them, and it is measured how well.

Measured are the debate, the question without it, and one side alone. Each is a debate in speeches
with a panel, in a folder below `debates/calibration`.
"""

import json
import os
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from debate_ops import engine
from debate_ops.calibration.figures import measure
from debate_ops.core.errors import RefusedError, UsageError
from debate_ops.core.settings import explain_errors, wrong
from debate_ops.core.values import Done
from debate_ops.engine import Framing, Position, RawReply, events, files, store
from debate_ops.engine.headers import digest_text, dumps
from debate_ops.engine.store import Folder, is_slug
from debate_ops.engine.validate import load_sound
from debate_ops.imports.transcript import DebateData, Said, names
from debate_ops.report import provenance
from debate_ops.report.panel import TWO, read_panel
from debate_ops.run.cast import hide_password

SETS = ("nyu", "own")
FORM = (
    f"Give {' or '.join(SETS)}, or a JSON list of objects with question, two answers by letter, "
    "the letter of the correct one, and speeches."
)
QUOTATIONS = (
    "The debate is about a document that those who decide cannot see. Words between <quote> and "
    "</quote> have been compared with it and stand there; all else is what a speaker claims. Some "
    "speeches answer a judge whose questions are not part of this."
)
"""Said to whoever decides a debate that quotes."""


class Question(DebateData):
    """A debate with a known answer, as a set has it; without speeches it is left out."""

    answers: Annotated[dict[str, str], Field(min_length=TWO, max_length=TWO)]
    correct: str
    speeches: tuple[Said, ...] = ()

    @model_validator(mode="after")
    def _check_letters(self) -> Self:
        speaking = {said.debater for said in self.speeches} or {*self.answers}
        if self.correct not in self.answers or speaking != {*self.answers}:
            raise wrong("'correct' and each 'debater' have to be the letter of an answer of two")
        return self


# The debates of a set.


def name_set(set_: str) -> str:
    """Return what a set is called: one in a file after that, never as one of the program's."""
    name = os.path.splitext(os.path.basename(set_))[0].lower()
    name = name if is_slug(name) else "set"
    return f"{name}-file" if name in SETS and set_ not in SETS else name


def find_place(name: str, judge: str | None, members: int) -> str:
    """Return the folder for what a judge, or agents, decide of a set: another one decides anew."""
    who = "agents"
    if judge is not None:
        words = re.sub("[^a-z0-9]+", "-", hide_password(judge).lower()).strip("-")[:40].strip("-")
        who = f"{words or 'judge'}-{digest_text(judge)[:8]}"
    return os.path.join(store.DEBATES, provenance.CALIBRATIONS, name, f"{who}-{members}")


def list_known(set_: str, above: str) -> dict[Folder, Question]:
    """Return the debates of a set, each by the folder inside of `above` where it is decided."""
    path = os.path.join(os.path.dirname(__file__), f"{set_}.json") if set_ in SETS else set_
    if not os.path.lexists(path):
        raise UsageError(f"there is no set {set_!r}", hint=FORM)
    try:
        questions = TypeAdapter(list[Question]).validate_json(files.read_bytes(path, 1 << 26))
    except ValidationError as error:
        why = "; ".join(" ".join(each).strip() for each in explain_errors(error))
        raise UsageError(f"{set_}: {why}", hint=FORM) from None
    known = {
        Folder(os.path.join(above, f"known-{number:03}")): question
        for number, question in enumerate(questions, 1)
        if question.speeches
    }
    if not known:
        raise UsageError(f"{set_} has no debates with known answers", hint=FORM)
    return known


def make_debates(both: Folder, known: Question, number: int, members: int) -> Iterator[Folder]:
    """Make the two debates of a known one, where they are not there yet; refuse other speeches.

    The second has one side's first speech: what it says later tells what the other said. Order and
    that side change with `number`, so that neither tells the answer.
    """
    by_letter = names(known.answers)
    said = [(by_letter[speech.debater], speech.text) for speech in known.speeches]
    right, is_right_alone = by_letter[known.correct], number % 4 < TWO
    alone = next(speech for speech in said if (speech[0] == right) == is_right_alone)
    people = [{"name": by_letter[a], "position": text} for a, text in known.answers.items()]
    settings = {"participants": people[::-1] if number % 2 else people, "panel": members}
    settings |= {"word_limit": 0, "first_answer": "off"}
    for place, heard in ((both, said), (Folder(f"{both.path}-one"), [alone])):
        if not os.path.lexists(place.debate_file):
            is_quoting = any("<quote>" in text for _, text in heard)
            framing = Framing(known.question, scope=QUOTATIONS if is_quoting else "")
            own = {"order": [name for name, _ in heard], "views": "on" if heard is said else "off"}
            turns = (
                {name: RawReply(json.dumps({"text": text}).encode(), "the set of known answers")}
                for name, text in heard
            )
            what: dict[str, Any] = {"protocol": "speeches", "settings": settings | own}
            above = os.path.dirname(place.path)
            engine.create(place.slug, framing, **what, inside=above, turns=turns)
        speeches = load_sound(place).debate.find("speech")
        there = [(speech.by, speech.texts["Speech"].strip()) for speech in speeches]
        if there != [(name, text.strip()) for name, text in heard]:
            raise RefusedError(
                f"{place.path} has other speeches than the set has now",
                hint="Move it away, then give the same command: this debate alone is made anew.",
            )
        yield place


# How well a judge decides them: accuracy, scores, order, length.

_DEBATE, _WITHOUT, _ONE = "with the debate", "without it", "with one side"
_FIRST, _SECOND = "right side read first", "right side read second"
_LONGER, _SHORTER = "right side longer", "right side shorter"


class Result(NamedTuple):
    """A calibration: the shares that decisions gave to the right answer, by what was read.

    Of a panel a decision is the mean of its members; by order and length each member has its own.
    Of `pairs` of both orders so many `flipped`.
    """

    judge: str
    set: str
    panel: int
    models: list[str]
    shares: Mapping[str, Sequence[float]]
    pairs: int
    flipped: int

    @property
    def number(self) -> int:
        """How many debates were decided."""
        return len(self.shares[_DEBATE])

    def as_data(self) -> dict[str, Any]:
        """Return all figures for programs."""
        found = {what: (m := measure(own)) and m._asdict() for what, own in self.shares.items()}
        return {
            "judge": self.judge,
            "models": self.models,
            "panel": self.panel,
            "set": self.set,
            "debates": self.number,
            "with_debate": found[_DEBATE],
            "without_debate": found[_WITHOUT],
            "one_side": found[_ONE],
            "calibration": self._list_steps(),
            "order": {"yes": found[_FIRST], "no": found[_SECOND]},
            "length": {"yes": found[_LONGER], "no": found[_SHORTER]},
            "flips": {"of": self.pairs, "flipped": self.flipped},
        }

    def _list_steps(self) -> list[dict[str, float]]:
        """Return how often a judge is right, by how sure it says to be, in steps of a tenth."""
        by_step = defaultdict[int, list[float]](list)
        for share in self.shares[_DEBATE]:
            by_step[min(9, int(round(max(share, 1 - share) * 1000) // 100))].append(share)
        return [
            {
                "said": statistics.mean(max(share, 1 - share) for share in own),
                "right": found.accuracy,
                "number": found.number,
            }
            for _, own in sorted(by_step.items())
            if (found := measure(own))
        ]

    def list_lines(self) -> Iterator[str]:
        """Yield all of it for people."""
        yield f"{self.judge}, {self.number} debates with known answers (set {self.set})"
        for what, own in self.shares.items():
            if found := measure(own):
                yield f"{what}: right in {found.describe_share()}, Brier {found.brier:.3f}"
        for step in self._list_steps():
            right = f"right in {100 * step['right']:.0f} % of {step['number']}"
            yield f"said {100 * step['said']:.0f} %, {right}"
        if self.pairs:
            yield f"decided otherwise in the other order: {self.flipped} of {self.pairs}"


def keep_result(above: str, result: Result) -> list[str]:
    """Keep a result, unless one of more debates is there; return what is said of that."""
    path = os.path.join(above, provenance.RESULT)
    with suppress(*provenance.NO_RECORD):
        if (before := provenance.read_record(path)).number > result.number:
            return [f"kept in {path} is the result of more debates: {before.describe()}"]
    files.write_durable(path, dumps(result.as_data()) + "\n")
    return []


def measure_judge(
    known: Mapping[Folder, Question], judge: str, set_: str = "", members: int = 1
) -> Result:
    """Return how well a judge, or a panel of so many, has decided what it has decided of a set."""
    parts = (_DEBATE, _WITHOUT, _ONE, _FIRST, _SECOND, _LONGER, _SHORTER)
    shares: dict[str, list[float]] = {what: [] for what in parts}
    models, pairs, flipped = dict[str, None](), 0, 0
    for both, question in known.items():
        right = names(question.answers)[question.correct]
        for place, what in ((both, _DEBATE), (Folder(f"{both.path}-one"), _ONE)):
            at = load_sound(place).at if os.path.lexists(place.debate_file) else None
            read = read_panel(at.debate) if at else None
            if at is None or read is None or not read.is_one:
                continue
            own = read.list_shares(right)
            shares[what].append(statistics.mean(own))
            if what == _ONE:
                continue
            courses = [member.courses[right] for member in read.members]
            if before := [course[0] for course in courses if len(course) > 1]:
                shares[_WITHOUT].append(statistics.mean(before))
            length = Counter[bool]()
            for speech in at.debate.find("speech"):
                length[speech.by == right] += len(speech.texts["Speech"])
            for member, share in zip(read.members, own, strict=True):
                shares[_FIRST if member.first == right else _SECOND].append(share)
                if length[True] != length[False]:
                    shares[_LONGER if length[True] > length[False] else _SHORTER].append(share)
            models |= dict.fromkeys(filter(None, provenance.list_models(at)))
            pairs += len({member.first for member in read.members}) > 1
            flipped += read.is_flipping
    return Result(judge, set_, members, [*models], shares, pairs, flipped)


def ask_again(place: Folder) -> None:
    """Take back what nobody decided because those who were asked failed, to ask them once more."""
    position = engine.load(place)
    steps = [each.step for each in position.debate.find("absence")]
    if steps and any(find_undecided([position])):
        engine.undo(place, min(steps))


def find_undecided(positions: Sequence[Position]) -> Iterator[str]:
    """Yield which debates are over without a decision, because those who were asked failed."""
    for position in positions:
        read = read_panel(position.debate)
        if isinstance(position.due, Done) and not (read and read.is_one):
            path = position.folder.path
            happened = events.read_events(position.folder)
            said = [str(event["said"]) for event in happened if event.get("said")][-1:]
            why = "; it said: ".join([position.debate.find("absence")[-1].data["reason"], *said])
            yield f"{path}: too few ballots were cast ({why}); the same command asks again"

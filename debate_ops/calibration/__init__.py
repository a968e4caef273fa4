"""Debates with known answers: a judge decides them, and it is measured how well.

Measured are the debate, the question without it, and one side alone. Each is a debate in speeches
with a panel, in a folder below `debates/calibration`.
"""

import json
import os
import re
import statistics
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Any, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from debate_ops import engine
from debate_ops.calibration.figures import Case, Measured, measure
from debate_ops.core.errors import RefusedError, UsageError
from debate_ops.core.settings import explain_errors, wrong
from debate_ops.core.values import Done
from debate_ops.engine import Framing, Position, RawReply, events, files, store
from debate_ops.engine.headers import digest_text, dumps
from debate_ops.engine.store import Folder, is_slug
from debate_ops.imports.transcript import DebateData, Said, names
from debate_ops.report import provenance
from debate_ops.report.panel import TWO, Panel, read_panel

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
        words = re.sub("[^a-z0-9]+", "-", judge.lower()).strip("-")[:40].strip("-")
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
    by_speaker = names(known.answers)
    sides = list(by_speaker)
    heard = next(s for s in sides if (s == known.correct) == (number % 4 < TWO))
    for place, only in ((both, ""), (Folder(f"{both.path}-one"), heard)):
        said = [
            (by_speaker[speech.debater], speech.text)
            for speech in known.speeches
            if not only or speech.debater == only
        ][: 1 if only else None]
        if not os.path.lexists(place.debate_file):
            people = [
                {"name": by_speaker[side], "position": known.answers[side]}
                for side in (reversed(sides) if number % 2 else sides)
            ]
            settings = {
                "participants": people,
                "order": [name for name, _ in said],
                "word_limit": 0,
                "panel": members,
                "views": "off" if only else "on",
                "first_answer": "off",
            }
            is_quoting = any("<quote>" in text for _, text in said)
            framing = Framing(known.question, scope=QUOTATIONS if is_quoting else "")
            above = os.path.dirname(place.path)
            turns = (
                {name: RawReply(json.dumps({"text": text}).encode(), "the set of known answers")}
                for name, text in said
            )
            what: dict[str, Any] = {"protocol": "speeches", "settings": settings}
            engine.create(place.slug, framing, **what, inside=above, turns=turns)
        there = [(e.by, e.texts["Speech"]) for e in engine.load(place).debate.find("speech")]
        if [(by, text.strip()) for by, text in there] != [(by, text.strip()) for by, text in said]:
            raise RefusedError(
                f"{place.path} has other speeches than the set has now",
                hint="Move it away, then give the same command: this debate alone is made anew.",
            )
        yield place


# How well a judge decides them: accuracy, scores, order, length.


@dataclass
class Result:
    """A calibration: with the debate, without it, and with one side only.

    Of a panel a case is the mean of its members; `members` has each of them, with the debate. Of
    `pairs` of both orders so many `flipped`.
    """

    judge: str
    set: str
    panel: int
    with_debate: list[Case] = field(default_factory=list)
    without: list[Case] = field(default_factory=list)
    one_side: list[Case] = field(default_factory=list)
    members: list[Case] = field(default_factory=list)
    flipped: int = 0
    pairs: int = 0
    models: list[str] = field(default_factory=list)

    def as_data(self) -> dict[str, Any]:
        """Return all figures for programs."""
        both, without, one, *split = (m and m._asdict() for m in self._measure_all().values())
        return {
            "judge": self.judge,
            "models": self.models,
            "panel": self.panel,
            "set": self.set,
            "debates": len(self.with_debate),
            "with_debate": both,
            "without_debate": without,
            "one_side": one,
            "calibration": self._list_steps(),
            "order": {"yes": split[0], "no": split[1]},
            "length": {"yes": split[2], "no": split[3]},
            "flips": {"of": self.pairs, "flipped": self.flipped},
        }

    def _measure_all(self) -> dict[str, Measured | None]:
        parts = {"with the debate": self.with_debate, "without it": self.without}
        parts["with one side"] = self.one_side
        for what, key in (("read first", "right_first"), ("longer", "right_longer")):
            for holds in (True, False):
                own = [case for case in self.members if getattr(case, key) is holds]
                parts[f"right side {what}, {'yes' if holds else 'no'}"] = own
        return {name: measure(cases) for name, cases in parts.items()}

    def _list_steps(self) -> list[dict[str, float]]:
        """Return how often a judge is right, by how sure it says to be, in steps of a tenth."""
        by_step = defaultdict[int, list[Case]](list)
        for case in self.with_debate:
            by_step[min(9, int(round(case.sure * 1000) // 100))].append(case)
        return [
            {
                "said": statistics.mean(case.sure for case in own),
                "right": statistics.mean(case.credit for case in own),
                "number": len(own),
            }
            for _, own in sorted(by_step.items())
        ]

    def list_lines(self) -> Iterator[str]:
        """Yield all of it for people."""
        yield f"{self.judge}, {len(self.with_debate)} debates with known answers (set {self.set})"
        for name, each in self._measure_all().items():
            if each:
                yield f"{name}: right in {each.describe_share()}, Brier {each.brier:.3f}"
        for step in self._list_steps():
            right = f"right in {100 * step['right']:.0f} % of {step['number']}"
            yield f"said {100 * step['said']:.0f} %, {right}"
        if self.pairs:
            yield f"decided otherwise in the other order: {self.flipped} of {self.pairs}"


def keep_result(above: str, result: Result) -> list[str]:
    """Keep a result, unless one of more debates is there; return what is said of that."""
    path = os.path.join(above, provenance.RESULT)
    with suppress(*provenance.NO_RECORD):
        if (before := provenance.read_record(path)).number > len(result.with_debate):
            return [f"kept in {path} is the result of more debates: {before.describe()}"]
    files.write_durable(path, dumps(result.as_data()) + "\n")
    return []


def measure_judge(
    known: Mapping[Folder, Question], judge: str, set_: str = "", members: int = 1
) -> Result:
    """Return how well a judge, or a panel of so many, has decided what it has decided of a set."""
    result = Result(judge, set_, members)
    for both, question in known.items():
        right = names(question.answers)[question.correct]
        one = Folder(f"{both.path}-one")
        for place, cases in ((both, result.with_debate), (one, result.one_side)):
            if not os.path.lexists(place.debate_file):
                continue
            at = engine.load(place).at
            read = read_panel(at.debate)
            if read is None or not read.is_one:
                continue
            cases.append(Case(statistics.mean(read.list_shares(right))))
            if place is one:
                continue
            result.members += _list_cases(read, right)
            result.models += [
                m for m in dict.fromkeys(provenance.list_models(at)) if m and m not in result.models
            ]
            if shares := read.list_shares(right, before=True):
                result.without.append(Case(statistics.mean(shares)))
            result.pairs += len({member.first for member in read.members}) > 1
            result.flipped += read.is_flipping
    return result


def _list_cases(read: Panel, right: str) -> Iterator[Case]:
    lengths = dict.fromkeys(read.choices, 0)
    for e in read.d.find("speech"):
        lengths[e.by] += len(e.texts.get("Speech", ""))
    others = max(length for name, length in lengths.items() if name != right)
    longer = None if others == lengths[right] else lengths[right] > others
    for member, share in zip(read.members, read.list_shares(right), strict=True):
        yield Case(share, member.first == right, longer)


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

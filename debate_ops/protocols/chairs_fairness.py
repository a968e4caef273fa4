"""What a speech of a chair owes, how that is judged, and what a debate comes to in figures.

Adherence says how a speech was made, never whether it is right. Phrases decide nothing but whether
the moderator is asked about a speech.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field

from debate_ops.core.markdown import unescape
from debate_ops.core.replies import Item, Optional, Reply, Said, as_list, text
from debate_ops.core.values import JUDGMENTS, Debate, Entry, Fault, Faults, Turn
from debate_ops.protocols.shared import load_texts

MOST_POINTS = 25
"""Of each part of an evaluation."""
STRICT_LIMIT, MODERATE_LIMIT = 60, 40
"""Below which adherence the arbiter steps in, by accountability."""
STEP_IN = "Why the arbiter should step in"


Points = Annotated[int, Field(ge=0, le=MOST_POINTS)]


OnOneLine = Annotated[Said, AfterValidator(lambda said: " ".join(said.split()))]
Lines = Annotated[list[OnOneLine], BeforeValidator(as_list)]


class Attempt(Item):
    """A part that a speech may leave out: whether it is there, and how well it was done."""

    points: Points
    quality: Literal["strong", "adequate", "weak", "absent"]
    """How well it was done; absent has no points."""
    notes: Optional = ""
    """What the speech does, with its own words where they decide."""


class Consistency(Item):
    """Whether the speech argues from the chair's own framework."""

    points: Points
    consistent: bool
    """True if nothing breaks with the framework."""
    violations: Lines = []
    """What breaks with the framework, a sentence each; empty if nothing does."""


class Honesty(Item):
    """Whether the speech is honest with its audience."""

    points: Points
    level: Literal["high", "medium", "low"]
    issues: Lines = []
    """What is wrong, a sentence each; empty if nothing is."""


class Part(NamedTuple):
    """How a part is judged: by a key, with remarks under another one, which have their heading.

    It shows a violation where what it is judged to be is one of `shown_by`.
    """

    key: str
    remarks: str
    heading: str
    violation: str
    shown_by: tuple[object, ...]


PARTS = {
    "steel_manning": Part("quality", "notes", "Steel-manning", "straw_manning", ("absent", "weak")),
    "self_critique": Part(
        "quality", "notes", "Self-critique", "missing_self_critique", ("absent",)
    ),
    "framework_consistency": Part(
        *("consistent", "violations", "Violations of the framework"),
        *("framework_inconsistency", (False,)),
    ),
    "intellectual_honesty": Part("level", "issues", "Issues", "rhetorical_evasion", ("low",)),
}
"""The parts of an evaluation; of several violations, that of the first part counts."""
Judged = Mapping[str, Mapping[str, Any]]


def _recall_part(name: str, evaluation: Entry) -> dict[str, Any] | None:
    """Return a part as the evaluator said it; its remarks stand under their heading."""
    form, part = PARTS[name], evaluation.data["parts"].get(name)
    said = evaluation.texts.get(form.heading, "")
    return part and {**part, form.remarks: said if form.remarks == "notes" else said.splitlines()}


class Evaluation(Reply):
    """What a speech owed, and how far it gave it, part by part."""

    KEYS = {name: partial(_recall_part, name) for name in PARTS}
    steel_manning: Attempt | None = None
    """Whether the speech puts the view that it answers at its strongest; left out where the debate
    does not require it."""
    self_critique: Attempt | None = None
    """Whether the speech admits a limit of its own; left out where the debate does not require
    it."""
    framework_consistency: Consistency
    intellectual_honesty: Honesty
    requires_interjection: bool
    """Whether the arbiter should say something about it before the debate goes on."""
    interjection_reason: Optional = text(STEP_IN, default="")
    """Why, if so."""

    def become(self, d: Debate, turn: Turn, by: str) -> Iterator[Entry]:
        s, speech, is_required = d.settings, d.find("speech")[-1], self.requires_interjection
        parts, texts = dict[str, dict[str, Any]](), dict[str, str]()
        for name in s.judged:
            parts[name] = said = getattr(self, name).model_dump()
            if "quality" in said:
                said["attempted"] = said["quality"] != "absent"
            remarks = said.pop(PARTS[name].remarks)
            texts[PARTS[name].heading] = remarks if isinstance(remarks, str) else "\n".join(remarks)
        texts[STEP_IN] = self.interjection_reason if is_required else ""
        data = {
            "title": f"Evaluation of {speech.id}: {add_up(parts)} of 100",
            "speech": speech.id,
            "judges": [*filter(None, (speech.id, speech.data.get("answers")))],
            "parts": parts,
            "adherence": add_up(parts),
            "requires_interjection": is_required,
            "violation": find_violation(parts),
            "interjection": needs_interjection(parts, s, is_required=is_required),
        }
        place = place_of(d, speech)
        yield Entry(by, turn.round, "evaluation", data, texts, JUDGMENTS, place)

    def find_faults(self, d: Debate, turn: Turn, by: str) -> Faults:
        judged = d.settings.judged
        for name in ("steel_manning", "self_critique"):
            part = getattr(self, name)
            if part is None and name in judged:
                yield Fault(name, "is missing: in this debate every speech is judged by it")
            if part and part.quality == "absent" and part.points:
                message = f"is {part.points}, expected 0 where the quality is absent"
                yield Fault(f"{name}.points", message)
        part = self.framework_consistency
        if part.consistent is bool(part.violations):
            expected = "none where consistent is true" if part.consistent else "what breaks with it"
            message = f"has {len(part.violations)} items, expected {expected}"
            yield Fault("framework_consistency.violations", message)
        if self.requires_interjection and not self.interjection_reason:
            yield Fault("interjection_reason", "is missing, and an interjection is called for")


def place_of(d: Debate, speech: Entry) -> int:
    """Return the place of the chair whose speech it is, from 1; ids of what is about it have it."""
    names: list[str] = d.settings.names
    return names.index(speech.by) + 1


def round_half_up(over: int, under: int) -> int:
    """Return a quotient of whole numbers as a whole number, halves rounded up.

    >>> round_half_up(151, 2), round_half_up(1, 3)
    (76, 0)
    """
    return (2 * over + under) // (2 * under)


def add_up(parts: Judged) -> int:
    """Return the adherence: the points of the parts, in per cent of what they could give."""
    points = sum(part["points"] for part in parts.values())
    return round_half_up(100 * points, MOST_POINTS * len(parts))


def find_violation(parts: Judged) -> str | None:
    """Return the kind of violation that the parts show, if any; of several the first."""
    judged = ((form, parts[name]) for name, form in PARTS.items() if name in parts)
    return next((form.violation for form, part in judged if part[form.key] in form.shown_by), None)


def needs_interjection(parts: Judged, s: Any, *, is_required: bool) -> bool:
    """Tell whether the arbiter steps in; `is_required` is what the evaluator says of it."""
    if find_violation(parts) is None or not s.has_interjections:
        return False
    if s.accountability == "moderate":
        return is_required and add_up(parts) < MODERATE_LIMIT
    is_left_out = any(not part.get("attempted", True) for part in parts.values())
    return is_required or add_up(parts) < STRICT_LIMIT or is_left_out


_QUOTES = dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032`\u00b4"), "'")
_QUOTES |= dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"), '"')


def is_quoted(quote: str, said: str) -> bool:
    r"""Tell whether `quote` stands in `said`, white space, case and the form of quotes apart.

    It may be copied from a file of the record, where the text is escaped.

    >>> is_quoted("the  “Common” GOOD", "It is the \"common\" good."), is_quoted("", "a")
    (True, False)
    """
    forms = (_bare(quote), _bare(unescape(quote)))
    return any(form and form in _bare(said) for form in forms)


def _bare(said: str) -> str:
    return " ".join(said.translate(_QUOTES).casefold().split())


LONG_ENOUGH = 100
"""Beyond how many characters a text that criticises owes the other view a fair word."""


@cache
def _load_phrases() -> Mapping[str, re.Pattern[str]]:
    """Return patterns, for English, by what they tell; `<they>` stands for words of that name."""
    listed = dict(load_texts("chairs_phrases.json"))
    words = listed.pop("words")
    patterns = {}
    for name, phrases in {**listed.pop("signs"), **listed}.items():
        pattern = "|".join(f"(?:{each})" for each in phrases)
        for key, meaning in words.items():
            pattern = pattern.replace(f"<{key}>", meaning)
        patterns[name] = re.compile(pattern, re.IGNORECASE)
    return patterns


def has_phrase(name: str, said: str) -> bool:
    """Tell whether a text has a phrase of a kind: `steel_man`, `self_critique`, a sign."""
    return _load_phrases()[name].search(_bare(said)) is not None


def find_sign(said: str) -> str:
    """Return the reason to cut in that the words of a speech are a sign of; empty for none.

    A longer text that criticises without a word of steel-manning is a sign of a straw man.
    """
    others = {"steel_man", "self_critique", "criticism"}
    signs = (key for key in _load_phrases() if key not in others)
    if sign := next((key for key in signs if has_phrase(key, said)), ""):
        return sign
    owes = len(_bare(said)) > LONG_ENOUGH and has_phrase("criticism", said)
    return "straw_man_detected" if owes and not has_phrase("steel_man", said) else ""


def count_debate(d: Debate) -> dict[str, Any]:
    """Return the figures of a debate as far as it has come: of the whole, and of each chair.

    `utterances` are all that was said aloud. Of a chair's `evaluated` speeches `adherence` is the
    mean, and rates are the per cent in which a part was attempted; None without any.
    """
    speeches, cuts, calls = (d.find(kind) for kind in ("speech", "interruption", "interjection"))
    others = d.find("introduction", "opening", "reply", "closing")
    return {
        "exchanges": len({speech.round for speech in speeches}),
        "speeches": len(speeches),
        "interruptions": len(cuts),
        "interjections": len(calls),
        "utterances": len([*speeches, *cuts, *calls, *others]),
        "chairs": [_count_chair(d, name) for name in d.settings.names],
    }


def _count_chair(d: Debate, name: str) -> dict[str, Any]:
    own, cuts = {speech.id for speech in d.find("speech", by=name)}, d.find("interruption")
    found = [e.data for e in d.find("evaluation") if e.data["speech"] in own]
    steel, self_ = (
        [100 * bool(each["parts"][part]["attempted"]) for each in found if part in each["parts"]]
        for part in ("steel_manning", "self_critique")
    )
    return {
        "name": name,
        "evaluated": len(found),
        "adherence": _mean([each["adherence"] for each in found]),
        "steel_man_rate": _mean(steel),
        "self_critique_rate": _mean(self_),
        "interruptions_made": sum(cut.by == name for cut in cuts),
        "interruptions_suffered": sum(cut.data["speech"] in own for cut in cuts),
    }


def _mean(numbers: Sequence[int]) -> int | None:
    return round_half_up(sum(numbers), len(numbers)) if numbers else None


def describe_counts(figures: Mapping[str, Any]) -> str:
    """Return the figures of a whole debate in words, as in `4 exchanges, 12 speeches`."""
    words = {"exchanges": "exchange", "speeches": "speech", "interruptions": "interruption"}
    words["interjections"] = "interjection"
    return ", ".join(f"{(n := figures[k])} {one if n == 1 else k}" for k, one in words.items())

"""What chairs argue from and what their speeches owe: the texts that prompts and pages tell.

What a chair is told that a speech owes is word for word what the evaluator judges it by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs.names import (
    CLARIFICATION_NEEDED,
    CONSISTENCY,
    DIRECT_CHALLENGE,
    FACTUAL_CORRECTION,
    FRAMEWORK_INCONSISTENCY,
    HONESTY,
    MISSING_SELF_CRITIQUE,
    MOST_POINTS,
    PARTS,
    PIVOTAL_POINT,
    RHETORICAL_EVASION,
    SELF_CRITIQUE,
    STEEL_MANNING,
    STRAW_MAN_DETECTED,
    STRAW_MANNING,
    STRONG_AGREEMENT,
)


class Framework(NamedTuple):
    """A way of judging right and wrong: what it asks, and where it is strong and weak."""

    name: str
    question: str
    description: str
    strengths: tuple[str, ...]
    weaknesses: tuple[str, ...]


FRAMEWORKS: Mapping[str, Framework] = {
    "utilitarian": Framework(
        "Utilitarianism",
        "Which act brings the most good, counting everybody alike?",
        "Judges acts and rules by what they do to the well-being of all whom they touch.",
        (
            "counts everybody's well-being alike, whoever they are",
            "can compare very different options by one measure",
            "asks for evidence of what really happens, not for good intentions",
        ),
        (
            "can sacrifice a minority to a larger gain of others",
            "well-being is hard to measure, to compare between people and to foresee",
            "rights and promises count only as far as they serve the sum",
        ),
    ),
    "virtue_ethics": Framework(
        "Virtue ethics",
        "What would a person of good character do here?",
        "Judges by the character that an act shows and forms: honest, just, brave, moderate, wise.",
        (
            "looks at whole lives and motives, not at single acts alone",
            "leaves room for judgment where rules run out",
            "asks what a habit or an institution makes of those who live with it",
        ),
        (
            "what counts as a virtue differs between cultures and times",
            "gives little guidance in cases that are new, or where virtues pull apart",
            "can care more for the agent's own goodness than for those affected",
        ),
    ),
    "deontological": Framework(
        "Duty ethics",
        "What is our duty, whatever follows from it?",
        "Judges by duties and rights that hold for everybody and that no gain outweighs.",
        (
            "protects each person from being used as a mere means",
            "gives clear limits that others can rely on",
            "asks whether all could act on the same rule",
        ),
        (
            "can be rigid where a small breach would prevent a great harm",
            "can accept a worse outcome for the sake of a rule",
            "says little about what to do where duties collide",
        ),
    ),
    "pragmatic": Framework(
        "Pragmatism",
        "What will work in practice, for the problem that we really have?",
        "Judges ideas by what they do when tried, and is ready to change them by what is learnt.",
        (
            "stays close to facts, means and costs",
            "prefers steps that can be tried, measured and taken back",
            "finds settlements between people who agree on no principle",
        ),
        (
            "can trade a principle away for what is easy",
            "can see what works now and miss what it costs later",
            "those with power tend to define what counts as working",
        ),
    ),
    "libertarian": Framework(
        "Libertarianism",
        "Is everybody's freedom respected, and has everybody consented who is bound?",
        "Judges by whether people are left free to dispose of themselves and of what is theirs.",
        (
            "puts whoever would use force to the proof",
            "takes people seriously as authors of their own lives",
            "is alert to how power grows and is misused",
        ),
        (
            "is blind to inequality that comes from no single wrong",
            "knows hardly any duty to help those in need",
            "assumes a fair start that many never had",
        ),
    ),
    "communitarian": Framework(
        "Communitarianism",
        "What do we owe our community, and what does it owe us?",
        "Judges by what keeps a community, and the common goods that only it can have, alive.",
        (
            "sees that people become who they are among others",
            "values trust, belonging and what is shared and cannot be bought",
            "speaks of duties beside rights",
        ),
        (
            "can silence those who dissent",
            "favours insiders over those outside",
            "custom can carry old injustice on",
        ),
    ),
    "cosmopolitan": Framework(
        "Cosmopolitanism",
        "What do we owe every human being, wherever they live?",
        "Judges by the equal worth of all people, across borders and generations.",
        (
            "gives no weight to the accident of birth",
            "fits problems that no country can solve alone",
            "asks who is affected and has no voice here",
        ),
        (
            "can impose one culture's values on others",
            "misses what people on the spot know",
            "is abstract: few feel bound to all of humanity",
        ),
    ),
    "precautionary": Framework(
        "Precaution",
        "Can we afford to be wrong about this?",
        "Judges by the worst that could well happen, above all where it could not be undone.",
        (
            "takes ignorance seriously, and harm that cannot be undone",
            "lays the burden of proof on whoever brings the risk",
            "speaks for those who would bear the harm without having chosen it",
        ),
        (
            "can end in paralysis",
            "overlooks that doing nothing has risks too",
            "can be turned against anything new",
        ),
    ),
    "autonomy_centered": Framework(
        "Autonomy",
        "May the people concerned choose for themselves, and do they know what they choose?",
        "Judges by whether people can decide on their own lives, informed and without pressure.",
        (
            "trusts people to know what matters to them",
            "gives consent and information their due",
            "guards against being ruled for one's own good",
        ),
        (
            "choices are shaped by circumstances that nobody chose",
            "gives too little weight to what a choice does to those nearby",
            "assumes a capacity to decide that not everybody always has",
        ),
    ),
    "care_ethics": Framework(
        "Ethics of care",
        "How do we care for those who depend on us?",
        "Judges by needs and relations: who depends on whom, and whether they are looked after.",
        (
            "sees dependence and need where others see equal strangers",
            "attends to the particular person and situation",
            "values work that is mostly unseen and unpaid",
        ),
        (
            "favours those who are near over those who are far",
            "can confirm the expectation that women do the caring",
            "helps little with policies for people who never meet",
        ),
    ),
}
"""The frameworks that a chair can be given by a word."""

PRESETS: Mapping[str, tuple[str, ...]] = {
    "classic_clash": ("utilitarian", "virtue_ethics"),
    "liberty_vs_community": ("libertarian", "communitarian"),
    "three_way_ethics": ("utilitarian", "virtue_ethics", "deontological"),
    "global_vs_local": ("cosmopolitan", "communitarian"),
    "caution_vs_progress": ("precautionary", "pragmatic"),
    "battle_royale": ("utilitarian", "virtue_ethics", "libertarian", "pragmatic"),
}
"""Sets of chairs that go by one word."""

TONES: Mapping[str, str] = {
    "respectful": "The tone of this debate is respectful: calm and courteous, a meeting of minds. "
    "Disagree without sharpness, and show that you could be moved.",
    "spirited": "The tone of this debate is spirited: lively, direct, warm towards the person and "
    "tough on the argument. A pointed question or a dry remark is welcome.",
    "heated": "The tone of this debate is heated: passionate and blunt, with short sentences and "
    "hard questions. The heat is for arguments; nobody is insulted, and no group of people is.",
}
"""How everybody is to speak, by the setting `tone`."""

REASONS_TOLD: Mapping[str, str] = {
    FACTUAL_CORRECTION: "the speech states something false, about the world or about what a "
    "chair's framework holds, and the debate would go on upon it",
    STRAW_MAN_DETECTED: "the speech answers a view that nobody here holds, or a weaker form of one "
    "that somebody does",
    DIRECT_CHALLENGE: "the speech claims certainty, or names or corners a chair, where that chair "
    "has a strong answer",
    CLARIFICATION_NEEDED: "a word or a step carries much of the speech and could mean very "
    "different things",
    STRONG_AGREEMENT: "the speech says something that a chair can take up and build on, across "
    "the line between them",
    PIVOTAL_POINT: "the speech has come to the very question on which the chairs part, and it "
    "should not pass by",
}
"""Why a chair may cut in, as clauses for readers."""

VIOLATIONS_TOLD: Mapping[str, str] = {
    STRAW_MANNING: "the speech criticises the view it answers without putting that view fairly "
    "and at its strongest",
    MISSING_SELF_CRITIQUE: "the speech admits no limit of its own framework or argument",
    FRAMEWORK_INCONSISTENCY: "the speech leaves, or contradicts, the framework from which the "
    "chair argues",
    RHETORICAL_EVASION: "the speech evades: it does not meet what was said, or misleads about it",
}
"""The kinds of violation, as clauses for readers."""

_HEADING = "## What a speech owes"
_OPENING = (
    "Every speech of an exchange is judged by the points below, and by nothing else. Each gives 0 "
    f"to {MOST_POINTS} points. Whoever speaks and whoever judges reads this same text."
)
_OWED: Mapping[str, str] = {
    STEEL_MANNING: "- **Steel-manning.** Before it criticises, the speech puts the view that it "
    "answers at its strongest, in words its author would accept: its best reason, not its weakest "
    "sentence. One to three sentences are enough. It is owed in every speech.",
    SELF_CRITIQUE: "- **Self-critique.** The speech admits one real limit of its own framework or "
    "argument that matters here: something that a fair opponent would press, not a modest phrase. "
    "One or two sentences are enough. It is owed in every speech, and may differ each time.",
    CONSISTENCY: "- **Consistency with the framework.** The speech reasons from the chair's own "
    "framework. To grant a point that counts in another one is welcome; to rest the case on it, or "
    "to contradict one's own framework without saying so, is not.",
    HONESTY: "- **Intellectual honesty.** The speech meets the strongest point against it, claims "
    "no more than its reasons carry, represents others and sources rightly, and grants what is "
    "right.",
}
_STRICTNESS: Mapping[str, str] = {
    "moderate": "Where a speech falls gravely short of this, the arbiter says so before the next "
    "chair speaks.",
    "strict": "The arbiter is strict: where a speech leaves something out that is owed, or falls "
    "short as a whole, the arbiter says so before the next chair speaks.",
}


def of(stored: str | Mapping[str, Any]) -> Framework:
    """Return the framework that a chair's setting names, or that the user wrote for it."""
    if isinstance(stored, str):
        return FRAMEWORKS[stored]
    return Framework(
        str(stored["name"]),
        str(stored["question"]),
        str(stored["description"]),
        tuple(stored["strengths"]),
        tuple(stored["weaknesses"]),
    )


def parts(settings: Settings) -> tuple[str, ...]:
    """Return by what a speech is judged in this debate: some of `names.PARTS`, or nothing."""
    if settings["accountability"] == "relaxed":
        return ()
    return tuple(part for part in PARTS if settings.get(part, "required") == "required")


def obligations(settings: Settings) -> str:
    """Return what every speech owes, and is judged by; empty where nothing is judged."""
    judged = parts(settings)
    return "\n\n".join(_told(settings, judged)) if judged else ""


def _told(settings: Settings, judged: tuple[str, ...]) -> Iterator[str]:
    yield _HEADING
    yield _OPENING
    yield "\n".join(_OWED[part] for part in judged)
    if settings["interjections"] == "allowed":
        yield _STRICTNESS[settings["accountability"]]

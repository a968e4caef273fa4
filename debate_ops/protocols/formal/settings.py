"""The settings of a formal debate, and what they say of the length of a text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.protocols.base import Settings
from debate_ops.protocols.formal import personality
from debate_ops.protocols.settings import COMMON, HISTORY_CHARACTERS, WEEK, choice, whole

AFF, NEG = "aff", "neg"
SIDES: Mapping[str, str] = {AFF: "affirmative", NEG: "negative"}
_MOST_QUESTIONS = 100

SETTINGS = (
    whole(
        "cross_exam_questions",
        3,
        "how many questions each side asks in the cross-examination; 0 leaves it out",
        most=_MOST_QUESTIONS,
    ),
    whole("word_limit", 500, "words to a debater's text at most; 0 sets no limit"),
    choice(
        "word_limits",
        "warn",
        "what a text over the limit does: warn, reject the reply, or cut the text",
        "warn",
        "reject",
        "cut",
    ),
    whole(
        "time_limit",
        0,
        "seconds that `run` waits for a reply; 0 leaves it to the run",
        most=WEEK,
    ),
    whole(
        "preparation_time",
        0,
        "seconds that both sides have for their notes; then the debate may go on without what is "
        "missing, and `run` does; 0 is no such limit",
        most=WEEK,
    ),
    choice(
        "show_preparation",
        "yes",
        "whether a transcript shows both sides' notes",
        "yes",
        "no",
    ),
    choice("judge", "none", "whether a judge decides at the end", "none", "one"),
    personality.setting("affirmative", SIDES[AFF]),
    personality.setting("negative", SIDES[NEG]),
    *COMMON,
    HISTORY_CHARACTERS,
)


def clashes(settings: Settings) -> Iterator[str]:
    """Yield a sentence for each setting that has no effect beside the others."""
    what = settings["word_limits"]
    if what != "warn" and settings["word_limit"] == 0:
        yield (
            f"word_limits is {what!r}, but word_limit is 0, so there is nothing to {what}; give a "
            "word_limit, or leave word_limits out"
        )


def length_rule(settings: Settings) -> str:
    """Return how long a debater's text may be, and what happens to a longer one."""
    limit = settings["word_limit"]
    if not limit:
        return "No length is set: take what the matter needs, and no more."
    after = {
        "warn": "Words are counted, and a longer text is reported with the debate.",
        "reject": "A longer text is refused: count before you answer.",
        "cut": "What goes beyond is cut off and shown to nobody.",
    }
    return f"At most {limit} words. {after[settings['word_limits']]}"

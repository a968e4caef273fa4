"""One view of a debate of any protocol, for its brief, its pages and its exports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from debate_ops.model.debate import Debate
from debate_ops.model.score import Millis
from debate_ops.reports.blocks import Line, Table
from debate_ops.reports.charts import Chart, Rows
from debate_ops.reports.items import Content, Item
from debate_ops.reports.sureness import Sureness

OPEN = "open"
"""The direction of an answer that favours no choice."""


class Case(NamedTuple):
    """The best case of one choice, or one option: its key, its heading, and what speaks for it."""

    choice: str
    title: str
    lines: tuple[Line, ...]


class Answer(NamedTuple):
    """What the record alone answers, where no brief says it better.

    `quiet` says what kind of debate it was; `text` is the answer in a sentence, `why` are three
    lines at most. A row of `picture` may have the key of a choice for its label.
    `turns_on` and `next_steps` are what the record itself says of them.
    `is_reached` tells whether there is an outcome to speak of. `if_open` is the answer that is
    left where a panel is not decisive, if this one names a leader elsewhere than in its text.
    """

    quiet: str = ""
    text: str = ""
    why: tuple[Line, ...] = ()
    picture: Chart | Table | None = None
    cases: tuple[Case, ...] = ()
    turns_on: tuple[Line, ...] = ()
    next_steps: tuple[Line, ...] = ()
    is_reached: bool = False
    if_open: Answer | None = None


class Question(NamedTuple):
    """What a panel is asked about a debate.

    `choices` are the answers by name, the first line of each in short; they are those who spoke,
    or others. `voices` are all who are heard, with what each of them is. Without a `text` the
    question is which side is right. `issues` have the same answers. `judged` is what the debate's
    own judge says: empty where that is none of the choices, None where nobody else judged; and
    `judged_issues` what it says of each issue. `also_heard` are judgments that are part of what is
    heard. `views` tells whether the question can be answered before the debate is read.
    """

    choices: Mapping[str, str]
    voices: Mapping[str, str]
    text: str = ""
    issues: tuple[str, ...] = ()
    judged: str | None = None
    judged_issues: tuple[str, ...] = ()
    also_heard: tuple[str, ...] = ()
    views: bool = True


class View(NamedTuple):
    """A debate for readers.

    `content` has its entries, their links and marks. `choices` are what the debate was about to
    choose between, in a reader's words by key (a side, a proposal; none where nothing is chosen).
    `favoured` is the choice that the record favours, empty where it favours none or is too close.
    `shares` say of each entry that counts in the result by how much it moves the lead towards the
    first choice; each of them belongs to one issue of a brief, and they add up to `lead`.
    `data` are the numbers of the record as a reader is shown them, by the name of their field.
    `sureness` is None where the protocol seeks no verdict, `answer` is what the record says.
    `question` is what a panel is asked, where it is not which of the choices is right.
    `table.read` adds: `points`, the named paragraphs of the context; `unused`, those that
    nothing cites; `first_answer`, what was said by somebody who saw nothing of the debate.
    `hearing.reported` adds `panel_due`: how many members the panel has that is still to read it.
    """

    content: Content
    choices: Mapping[str, str]
    favoured: str
    sureness: Sureness | None
    shares: Mapping[str, Millis]
    data: Mapping[str, str]
    answer: Answer = Answer()
    question: Question | None = None
    points: Mapping[str, str] = {}
    unused: tuple[str, ...] = ()
    first_answer: str = ""
    panel_due: int = 0

    @property
    def debate(self) -> Debate:
        """The debate itself."""
        return self.content.debate

    @property
    def picture(self) -> Chart | Table | None:
        """The picture of the record, each choice by its name."""
        picture = self.answer.picture
        return named(picture, self.choices) if isinstance(picture, Rows) else picture

    @property
    def lead(self) -> Millis:
        """By how much the first choice is ahead of the second."""
        return self.moved_by(self.shares)

    def moved_by(self, names: Iterable[str]) -> Millis:
        """Return by how much these entries move the lead towards the first choice."""
        return Millis(sum(self.shares.get(name, 0) for name in set(names)))

    @property
    def items(self) -> Mapping[str, Item]:
        """The entries that are shown, by id."""
        return {item.id: item for item in self.content.items}

    def said(self, source: str) -> str:
        """Return all words of an entry or of a point of the context.

        Raises:
            KeyError: there is no such entry and no such point.
        """
        if source in self.points:
            return self.points[source]
        item = self.items[source]
        return "\n".join([item.title, *(text for _, text in item.texts)])


def named(picture: Rows, choices: Mapping[str, str]) -> Rows:
    """Return a picture whose rows are labelled with the names of choices instead of their keys."""
    rows = (row._replace(label=choices.get(row.label, row.label)) for row in picture.rows)
    return picture._replace(rows=tuple(rows))

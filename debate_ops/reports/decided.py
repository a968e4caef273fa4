"""Debates of speeches that one judge decides at the end: what their reports have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from debate_ops.model.entries import Contribution
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Heading, Paragraph, Quote, Ref, Said, Section, line
from debate_ops.reports.items import Content, Item
from debate_ops.reports.provenance import Provenance, alone
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason, Sureness
from debate_ops.reports.text import counted, excerpt
from debate_ops.reports.view import Answer, Case

JUDGE = "judge"
_QUOTE = 360


class Decided(NamedTuple):
    """A debate between `choices`, and the entry that decides it; None while there is none."""

    content: Content
    choices: Mapping[str, str]
    value: Contribution | None

    @property
    def winner(self) -> str:
        """Whom the judge decides for; empty while nobody has judged."""
        return str(self.value.data.get("winner")) if self.value else ""

    @property
    def reasons(self) -> str:
        """Why, in the judge's words."""
        return self.value.texts.get("Reasons", "") if self.value else ""

    @property
    def judge(self) -> Provenance | None:
        """How the decision is made, where a judge is asked at the end."""
        return next((m for m in self.content.made if m.participant == JUDGE), None)

    def said(self, who: str, *kinds: str) -> list[Item]:
        """Return what somebody said, of these kinds or of any."""
        own = (i for i in self.content.read if i.participant == who and not i.absence)
        return [item for item in own if not kinds or item.kind in kinds]

    def answer(self, what: str, speeches: int, text: str, fact: str) -> Answer:
        """Return the answer: `what` kind of debate it was, its decision as a text and a fact."""
        judged = "one judge" if self.judge else "no judge"
        quiet = f"{what}, {judged} · {counted(speeches, 'speech', 'speeches')}"
        if self.value is None:
            asking = (line("Ask somebody to judge: nobody has."),)
            return Answer(quiet, "No answer yet: nobody has judged", next_steps=asking)
        said = Quote(excerpt(self.reasons, _QUOTE), self.value.id)
        why = (line(fact), line("The judge: ", said))
        return Answer(quiet, f"The judge decides {text}", why, is_reached=True)

    def cases(self, kind: str, title: Callable[[str], str]) -> Iterator[Case]:
        """Yield what each said last: the nearest to its best case that the record has as data."""
        for choice in self.choices:
            for last in self.said(choice, kind)[-1:]:
                said = line(excerpt(dict(last.texts).get("", last.texts[0][1]), _QUOTE))
                yield Case(choice, title(choice), (said, line(Ref(last.id, last.title))))

    def sureness(self, doubts: Iterable[Reason]) -> Sureness:
        """Return how sure the decision is, with doubts of its own protocol."""
        if self.value is None or self.judge is None:
            return sureness.of([Reason(self._undecided(), Level.NOT_JUDGED, is_alone=True)])
        by = Reason(alone("judge", self.judge), Level.MODERATE, is_alone=True)
        facts = Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)
        return sureness.of((*doubts, by, facts))

    def _undecided(self) -> str:
        """Return why there is no decision."""
        if self.judge is None:
            return "Nobody was asked to judge: the record names no winner"
        if self.content.stops_at:
            return "A judge is to decide at the end"
        return "A judge was to decide and gave no decision"

    def section(self, title: str, *facts: str) -> Section | None:
        """Return the decision as it stands on record; nothing while there is none."""
        if self.value is None:
            return None
        shown = (Paragraph(line(fact)) for fact in facts)
        reasons = (Heading("Reasons"), Said(self.reasons)) if self.reasons.strip() else ()
        return Section("decision", title, (*shown, *reasons))

    def counts(
        self, speeches: tuple[str, ...], public: tuple[str, ...]
    ) -> Iterator[tuple[str, str]]:
        """Yield how many speeches everybody gave, and of how many words all is that it said."""
        for who in self.choices:
            words = sum(int(i.entry.header.get("words") or 0) for i in self.said(who, *public))
            yield f"count:speeches:{who}", str(len(self.said(who, *speeches)))
            yield f"count:words:{who}", str(words)

    def notes(self, states: Callable[[Item], Iterable[str]] = lambda _: ()) -> dict[str, Note]:
        """Return the notes on each text that readers are shown, by id."""
        places = {name: place for place, name in enumerate(self.choices)}
        return {
            item.id: Note(
                places.get(item.participant),
                states=(
                    *(("not given",) if item.absence else ()),
                    *states(item),
                    *(("cut",) if item.cut else ()),
                ),
            )
            for item in self.content.read
        }

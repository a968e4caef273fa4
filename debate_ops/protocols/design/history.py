"""What is on record of a design debate: by whom, of what, against what, and how long it is.

An index over the ids, made once; headers are read where they are asked for, bodies never.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from debate_ops.model.entries import Record
from debate_ops.model.ids import entry_id, parse_id
from debate_ops.model.turn import Done, Waiting
from debate_ops.protocols.acts import PERSON
from debate_ops.protocols.base import Settings
from debate_ops.protocols.design import names
from debate_ops.protocols.design.settings import names_of
from debate_ops.protocols.replies import objects
from debate_ops.protocols.schedule import Halt, Header, Past, Slot, on_record


class History:
    """What is on record, by kind, exchange and participant."""

    def __init__(self, past: Past) -> None:
        self.settings, self.ids, self.look = past.settings, past.ids, past.look
        self.names = names_of(past.settings)
        self._places: dict[tuple[str, int], dict[str, list[str]]] = {}
        parsed = filter(None, map(parse_id, past.ids))
        for parts in sorted(parsed, key=lambda parts: parts.number):
            by_name = self._places.setdefault((parts.kind, parts.exchange), {})
            by_name.setdefault(parts.participant, []).append(str(parts))

    @property
    def newest(self) -> int:
        """The number of the newest exchange on record; 0 where there is none."""
        return max((exchange for _, exchange in self._places), default=0)

    def of(self, kind: str, exchange: int | None = None, participant: str = "") -> tuple[str, ...]:
        """Return the ids of a kind, by exchange, and in each in the order of the participants."""
        numbers = range(self.newest + 1) if exchange is None else (exchange,)
        people = (participant,) if participant else (*self.names, names.JUDGE, PERSON)
        places = (self._places.get((kind, number), {}) for number in numbers)
        return tuple(i for by_name in places for name in people for i in by_name.get(name, ()))

    def text_of(self, participant: str, exchange: int) -> str:
        """Return the newest text of a participant at the end of an exchange; empty without one."""
        for number in range(exchange, 0, -1):
            for kind in (names.REFINEMENT, names.PROPOSAL):
                if (text := entry_id(participant, number, kind)) in self.ids:
                    return text
        return ""

    def texts(self, exchange: int) -> dict[str, str]:
        """Return the newest text of each participant who has one, in order."""
        texts = {name: self.text_of(name, exchange) for name in self.names}
        return {name: text for name, text in texts.items() if text}

    def criticised(self, participant: str, exchange: int) -> str:
        """Return the text that an exchange's critiques of a participant are of.

        That is its new proposal, or else its text of the exchange before.
        """
        new = entry_id(participant, exchange, names.PROPOSAL)
        return new if new in self.ids else self.text_of(participant, exchange - 1)

    def place_of(self, participant: str) -> int:
        """Return a participant's place among the agents, from 1."""
        return self.names.index(participant) + 1

    def received(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return the critiques that an exchange has of a participant's text."""
        place = self.place_of(participant)
        critiques = (entry_id(critic, exchange, names.CRITIQUE, place) for critic in self.names)
        return tuple(critique for critique in critiques if critique in self.ids)

    def points(self, critique: str) -> tuple[int, ...]:
        """Return the numbers of the points that a critique makes."""
        numbers = (point.get("number") for _, point in objects(self.look(critique).get("points")))
        return tuple(number for number in numbers if isinstance(number, int))

    def points_against(self, participant: str, exchange: int) -> tuple[tuple[str, int], ...]:
        """Return (critique, number) of each point that an exchange has against a participant."""
        received = self.received(participant, exchange)
        return tuple(
            (critique, number) for critique in received for number in self.points(critique)
        )

    def unanswered(self, exchange: int) -> tuple[tuple[str, int], ...]:
        """Return (critique, number) of each point that nobody answered, up to an exchange."""
        return tuple(
            point
            for number in range(1, exchange + 1)
            for name in self.names
            if not self.of(names.REFINEMENT, number, name)
            for point in self.points_against(name, number)
        )

    def accepts_any(self, exchange: int) -> bool:
        """Tell whether anybody accepted a point in an exchange."""
        return any(
            answer.get("verdict") == names.ACCEPTED
            for refinement in self.of(names.REFINEMENT, exchange)
            for _, answer in objects(self.look(refinement).get("answers"))
        )

    def own(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return a participant's own history in an exchange, oldest first.

        That is its summary of this exchange, if there is one; or else what one would be of.
        """
        summary = self.of(names.SUMMARY, exchange, participant)
        return summary or self.to_summarise(participant, exchange)

    def to_summarise(self, participant: str, exchange: int) -> tuple[str, ...]:
        """Return what a participant's summary before an exchange is made from, or would be.

        The judge's is of every text and critique. An agent's is of its newest earlier summary,
        which stands for all before that one; then of each exchange since its proposal, the
        critiques of its text, and its refinement.
        """
        if participant == names.JUDGE:
            kinds = (names.PROPOSAL, names.CRITIQUE, names.REFINEMENT)
            return tuple(i for n in range(1, exchange) for kind in kinds for i in self.of(kind, n))
        numbers = range(exchange - 1, 0, -1)
        first = next((n for n in numbers if self.of(names.SUMMARY, n, participant)), 0)
        entries = [*self.of(names.SUMMARY, first, participant)] if first else []
        for number in range(first or 1, exchange):
            entries += self.of(names.PROPOSAL, number, participant)
            entries += self.received(participant, number)
            entries += self.of(names.REFINEMENT, number, participant)
        return tuple(entries)

    def number(self, entry: str, key: str) -> int:
        """Return a number in a header; 0 where there is none."""
        number = self.look(entry).get(key)
        return number if isinstance(number, int) else 0

    def size(self, ids: Iterable[str]) -> int:
        """Return how many characters the texts of these entries have together."""
        keys = ("after", "characters")  # a summary has the former
        return sum(self.number(entry, key) for entry in ids for key in keys)

    def requirements(self) -> tuple[Header, ...]:
        """Return the requirements ({id, text, level}): those given, or those the judge named."""
        named = objects(self.look(entry_id(names.JUDGE, 0, names.REQUIREMENTS)).get("requirements"))
        return tuple(self.settings["requirements"]) or tuple(
            item for _, item in named if all(isinstance(item.get(key), str) for key in _REQUIREMENT)
        )

    def questions(self, round_: int = 0) -> tuple[str, ...]:
        """Return the clarifying questions, of one round or of all."""
        asked = self.of(names.QUESTION, 0)
        return tuple(i for i in asked if not round_ or self.look(i).get("round") == round_)

    def clarifications(self) -> tuple[str, ...]:
        """Return what a person said to the questions."""
        return self.of(names.CLARIFICATION, 0)

    def open_questions(self) -> tuple[str, ...]:
        """Return the questions that nobody has answered."""
        answered = {self.look(i).get("question") for i in self.clarifications()}
        return tuple(question for question in self.questions() if question not in answered)


_REQUIREMENT = ("id", "text", "level")


def of_record(record: Record, settings: Settings) -> History:
    """Return the history of a debate."""
    return history_of(on_record(record, settings))


def history_of(past: Past) -> History:
    """Return the history of a debate, as a schedule looks at it."""
    history: History = past.once("history", History)
    return history


JUDGE_SUMMARY = "judge-summary"
ORDER = (
    *(
        names.QUESTION,
        names.REQUIREMENTS,
        names.SUMMARY,
        names.PROPOSAL,
        names.CRITIQUE,
        names.REFINEMENT,
    ),
    *(names.ASSESSMENT, JUDGE_SUMMARY, names.SYNTHESIS),
)
"""Everything that participants may be asked for, in the order of the schedule."""
BY_THE_JUDGE = (names.REQUIREMENTS, names.ASSESSMENT, JUDGE_SUMMARY, names.SYNTHESIS)


def schedule(past: Past) -> Iterator[Slot | Halt]:
    """Yield who is due, and whoever may be later, to the end; or that a person has to answer."""
    history, most = history_of(past), past.settings["max_exchanges"]
    is_open = False
    for place in _before_exchanges(past, history) if history.newest == 0 else ():
        yield place
        if isinstance(place, Halt):
            return
        is_open = is_open or _is_open(past, place)
    exchange = max(history.newest, 1)
    while not is_open:
        slots = list(_in_exchange(past, exchange))
        yield from slots
        is_open = any(_is_open(past, slot) for slot in slots)
        if not is_open and stopped_by(history, exchange):
            yield from _at_the_end(past, exchange)
            yield Halt(exchange, Done(_why_done(history, exchange)))
            return
        exchange += 1
    for later in range(exchange, most + 1):
        yield from _in_exchange(past, later)
    may_stop = (
        past.settings["stop_at_confidence"] or past.settings["stop_when_nothing_new"] == "yes"
    )
    yield from _at_the_end(past, max(exchange - 1, 1) if may_stop else most)


def absence_number(kind: str, round_: int = 0) -> int:
    """Return the number in the id of an absence; `round_` is that of the questions, from 1."""
    return 10 * (ORDER.index(kind) + 1) + round_


def _slot(exchange: int, name: str, kind: str) -> Slot:
    entry = entry_id(name, exchange, names.SUMMARY) if kind == JUDGE_SUMMARY else ""
    return Slot(exchange, name, kind, number=absence_number(kind), entry=entry)


def _is_open(past: Past, slot: Slot) -> bool:
    """Tell whether somebody is due at a place, if its time has come."""
    return not (past.has(slot) or past.is_absent(slot) or why_not(past, slot))


def _before_exchanges(past: Past, history: History) -> Iterator[Slot | Halt]:
    """Yield each round of questions until nobody asks any, and what names the requirements.

    A person answers the questions of a round before the next one.
    """
    rounds = past.settings["clarifying_rounds"] if past.settings["clarifying_questions"] else 0
    for round_ in range(1, rounds + 1):
        slots = [_question(history, name, round_) for name in history.names]
        yield from slots
        is_over = not any(_is_open(past, slot) for slot in slots)
        if is_over and (about := history.open_questions()):
            number = "1 question is" if len(about) == 1 else f"{len(about)} questions are"
            why = f"{number} open: answer, or leave blank what does not apply"
            yield Halt(0, Waiting(why, ("answer", "cancel"), about), names.AWAITING_ANSWERS)
        if is_over and not history.questions(round_):
            break
    if not past.settings["requirements"]:
        yield _slot(0, names.JUDGE, names.REQUIREMENTS)


def _question(history: History, name: str, round_: int) -> Slot:
    """Return the slot of a round, whose questions are numbered on from those of earlier ones."""
    earlier = sum(
        history.look(i).get("round") != round_ for i in history.of(names.QUESTION, 0, name)
    )
    entry = entry_id(name, 0, names.QUESTION, earlier + 1)
    return Slot(0, name, names.QUESTION, number=absence_number(names.QUESTION, round_), entry=entry)


def _in_exchange(past: Past, exchange: int) -> Iterator[Slot]:
    """Yield all who may be due in an exchange; a proposal that did not come is due in the next."""
    settings, agents = past.settings, history_of(past).names
    if settings["summary_threshold"] and exchange > 1:
        yield from (_slot(exchange, name, names.SUMMARY) for name in agents)
    is_fresh = settings["proposals"] == "fresh" or exchange == 1
    for name in agents:
        if is_fresh or past.is_absent(_slot(exchange - 1, name, names.PROPOSAL)):
            yield _slot(exchange, name, names.PROPOSAL)
    for kind in (names.CRITIQUE, names.REFINEMENT):
        yield from (_slot(exchange, name, kind) for name in agents)
    if settings["stop_at_confidence"] and exchange < settings["max_exchanges"]:
        yield _slot(exchange, names.JUDGE, names.ASSESSMENT)


def _at_the_end(past: Past, exchange: int) -> Iterator[Slot]:
    if past.settings["summary_threshold"] and past.settings["max_exchanges"] > 1:
        yield _slot(exchange, names.JUDGE, JUDGE_SUMMARY)
    yield _slot(exchange, names.JUDGE, names.SYNTHESIS)


def _why_done(history: History, exchange: int) -> str:
    after = "1 exchange" if exchange == 1 else f"{exchange} exchanges"
    why = _STOPS.get(stopped_by(history, exchange), "")
    written = history.look(entry_id(names.JUDGE, exchange, names.SYNTHESIS))
    if not written:
        return f"the judge wrote no solution, after {after}: {why}"
    sure = written.get("confidence")
    return f"the judge has written the solution (confidence {sure}), after {after}: {why}"


_STOPS: Mapping[str, str] = {
    names.BY_COUNT: "that was the last one",
    names.BY_CONFIDENCE: "the judge was confident enough",
    names.BY_NOTHING_NEW: "nothing new came",
}


def stopped_by(history: History, exchange: int) -> str:
    """Return what ends the debate with an exchange that is over; empty where it goes on."""
    least = history.settings["stop_at_confidence"]
    is_sure = (
        history.number(entry_id(names.JUDGE, exchange, names.ASSESSMENT), "confidence") >= least > 0
    )
    return _stopped_unasked(history, exchange) or (names.BY_CONFIDENCE if is_sure else "")


def _stopped_unasked(history: History, exchange: int) -> str:
    """Return what ends the debate whatever the judge may say."""
    settings = history.settings
    if exchange >= settings["max_exchanges"]:
        return names.BY_COUNT
    goes_on = settings["stop_when_nothing_new"] == "no" or history.accepts_any(exchange)
    return "" if goes_on else names.BY_NOTHING_NEW


def why_not(past: Past, slot: Slot) -> str:
    """Return why somebody has nothing to do where it would be due; empty where it has."""
    exchange, name, kind, *_ = slot
    if (name == names.JUDGE) != (kind in BY_THE_JUDGE):
        return "this is the agents' to do" if name == names.JUDGE else "this is the judge's to do"
    return _WHY_NOT[kind](history_of(past), exchange, name) if kind in _WHY_NOT else ""


def _why_no_summary(history: History, exchange: int, name: str) -> str:
    if name != names.JUDGE and (
        history.of(names.PROPOSAL, exchange) or history.of(names.CRITIQUE, exchange)
    ):
        return "the time for summaries is over"
    threshold = history.settings["summary_threshold"]
    size = history.size(history.to_summarise(name, exchange))
    if size >= threshold:
        return ""
    if name == names.JUDGE:
        return f"the earlier exchanges have {size} characters"
    return f"its own history has {size} characters, under {threshold}"


def _why_no_proposal(history: History, exchange: int, name: str) -> str:
    is_fresh = history.settings["proposals"] == "fresh"
    has_text = not is_fresh and history.text_of(name, exchange - 1)
    return "its last text stands as its proposal" if has_text else ""


def _why_no_critique(history: History, exchange: int, name: str) -> str:
    others = history.texts(exchange).keys() - {name}
    return "" if others else "nobody else has a text to criticise"


def _why_no_refinement(history: History, exchange: int, name: str) -> str:
    if not history.text_of(name, exchange):
        return "it has no text"
    return "" if history.points_against(name, exchange) else "no point was made against its text"


def _why_no_assessment(history: History, exchange: int, _: str) -> str:
    if not history.texts(exchange):
        return "there is no text to assess"
    return "the debate is at its end" if _stopped_unasked(history, exchange) else ""


_WHY_NOT: Mapping[str, Callable[[History, int, str], str]] = {
    names.SUMMARY: _why_no_summary,
    names.PROPOSAL: _why_no_proposal,
    names.CRITIQUE: _why_no_critique,
    names.REFINEMENT: _why_no_refinement,
    names.ASSESSMENT: _why_no_assessment,
    JUDGE_SUMMARY: _why_no_summary,
}

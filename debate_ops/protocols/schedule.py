"""A protocol as a declaration: kinds of entries, a schedule of slots, and what follows from both.

A protocol declares what can be said (`Kind`, with a `Field` for each part of a reply), who says it
when (`schedule`, a generator that reads what is on record), what each may see, and what no schema
can state. State, turns, entries, absences and the replies behind entries are computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    LEFT_OUT,
    Contribution,
    Record,
    Value,
)
from debate_ops.model.ids import entry_id
from debate_ops.model.turn import (
    Absent,
    Act,
    Checked,
    Context,
    Done,
    Met,
    Reply,
    Step,
    Task,
    Turn,
    Waiting,
)
from debate_ops.protocols import filing, words
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.replies import as_object, checked, naming, of_participant
from debate_ops.protocols.settings import Setting

COMPLETED = "completed"
Data = dict[str, Any]


class Slot(NamedTuple):
    """A place in the schedule for one entry, or for an absence.

    `label` is what readers call it; `number` stands in the id of its absence, where somebody may
    be absent more than once in an exchange.
    """

    exchange: int
    participant: str
    kind: str
    label: str = ""
    number: int = 0

    @property
    def id(self) -> str:
        """The id of the entry."""
        return entry_id(self.participant, self.exchange, self.kind)

    @property
    def absence_id(self) -> str:
        """The id of the absence."""
        return entry_id(self.participant, self.exchange, "absence", self.number)


class Past(NamedTuple):
    """What is on record, as a schedule looks at it."""

    settings: Settings
    ids: frozenset[str] = frozenset()

    def has(self, slot: Slot) -> bool:
        """Tell whether the entry of a slot is on record."""
        return slot.id in self.ids

    def is_absent(self, slot: Slot) -> bool:
        """Tell whether an absence is on record in place of the entry of a slot."""
        return slot.absence_id in self.ids


class Replied(NamedTuple):
    """A checked reply, and what it answers: what the parts of its entry are made from."""

    past: Past
    slot: Slot
    value: Mapping[str, Any]


class Field(NamedTuple):
    """Where a part of a reply stands on record: under a heading, or without one in the header.

    `of` computes it, where it does not stand there as it was given; one that is not in the reply
    is not read back from the entry.
    """

    key: str
    section: str = ""
    of: Callable[[Replied], Any] | None = None
    is_replied: bool = True


Remarks = Callable[[Past, Slot, Mapping[str, Any] | None], Iterator[Finding]]
"""What is wrong, or strange, in the value of a reply; the value of an absence is None."""


def _nothing(*_: Any) -> Iterator[Any]:
    return iter(())


class Kind(NamedTuple):
    """A kind of entry: what is asked for, where its parts go, and what may be wrong with it.

    `words` names the setting with the most words of a part of the reply. The slots of a kind that
    is asked for `together` are one turn in each exchange.
    """

    name: str
    phase: str
    round: str
    schema: str
    event: str
    fields: tuple[Field, ...]
    title: Callable[[Replied], str]
    template: str = ""
    folder: str = ARGUMENTS
    together: bool = False
    words: Mapping[str, str] = {}
    plain: Callable[[Data], object] = _nothing
    faults: Remarks = _nothing
    warnings: Remarks = _nothing

    @property
    def heading(self) -> str:
        """The heading of its text, as it was given."""
        return next(field.section for field in self.fields if field.section and field.is_replied)


class Scheduled(NamedTuple):
    """The rules of a protocol that is declared; its methods are those of `Rules`."""

    KINDS: Mapping[str, Kind]
    SETTINGS: tuple[Setting, ...]
    participants: Callable[[Settings], Mapping[str, str]]
    schedule: Callable[[Past], Iterator[Slot]]
    sees: Callable[[Debate, Slot], Context]
    why_done: Callable[[Debate], str]
    task: Callable[[Settings, Slot, Task], Task] = lambda _, __, task: task
    seconds: Callable[[Settings, Slot], float] = lambda _, __: 0
    where: Callable[[int, Kind], str] = lambda _, kind: kind.round
    clashes: Callable[[Settings], Iterator[str]] = _nothing
    CYCLE: str = ""
    ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {}
    REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {}

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802  (as in `Rules`)
        """Kind of entry to the event that tells of it."""
        return {name: kind.event for name, kind in self.KINDS.items()}

    def folder_of(self, entry: str) -> str:
        """Return the record folder of an entry by its id; empty where it is of no kind."""
        spoken = [name for name, kind in self.KINDS.items() if kind.folder == ARGUMENTS]
        return filing.folder_by_kind(entry, spoken, self.KINDS)

    # ------------------------------------------------------------ the schedule

    def open_slots(self, past: Past) -> Iterator[Slot]:
        """Yield what is still to come, in order."""
        slots = self.schedule(past)
        return (slot for slot in slots if not past.has(slot) and not past.is_absent(slot))

    def derive(self, record: Record, settings: Settings) -> State:
        """Return the state that the record leads to: the first slot that is still open."""
        return self._state(past_of(record, settings))

    def _state(self, past: Past) -> State:
        for slot in self.open_slots(past):
            return State(slot.exchange, self.KINDS[slot.kind].phase, {})
        return State(self.last_exchange(past.settings), COMPLETED, {})

    def last_exchange(self, settings: Settings) -> int:
        """Return the number of the last exchange there can be."""
        return max(slot.exchange for slot in self.schedule(Past(settings)))

    def calls_left(self, debate: Debate, until: int | None) -> int:
        """Return how many agent calls it takes, at most, to reach exchange `until`, or the end."""
        slots = self.open_slots(past_of(debate.record, debate.settings))
        return sum(until is None or slot.exchange < until for slot in slots)

    def next_turn(self, debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG002
        """Return the slot that is due, or all that are due together, or that all is over."""
        settings = debate.settings
        coming = self.open_slots(past_of(debate.record, settings))
        first = next(coming, None)
        if first is None:
            return Done(self.why_done(debate))
        kind, due = self.KINDS[first.kind], [first]
        if kind.together:
            due += (s for s in coming if (s.exchange, s.kind) == (first.exchange, first.kind))
        tasks = tuple(self.task(settings, slot, self._task(settings, slot)) for slot in due)
        seconds = self.seconds(settings, first)
        return Turn(debate.step, first.exchange, kind.phase, tasks, seconds)

    def _task(self, settings: Settings, slot: Slot) -> Task:
        kind, agent = self.KINDS[slot.kind], self.participants(settings)[slot.participant]
        return Task(slot.participant, agent, kind.template or kind.name, kind.schema)

    def kind_of(self, phase: str) -> Kind:
        """Return the kind of entry that a phase waits for."""
        return next(kind for kind in self.KINDS.values() if kind.phase == phase)

    def slot_of(self, past: Past, turn: Turn, participant: str) -> Slot:
        """Return the slot that a participant fills in a turn."""
        place = (turn.exchange, participant, self.kind_of(turn.phase).name)
        return next(slot for slot in self.schedule(past) if slot[:3] == place)

    def place(self, exchange: int, phase: str) -> str:
        """Return in words where a debate is."""
        return COMPLETED if phase == COMPLETED else self.where(exchange, self.kind_of(phase))

    def why_not_asked(self, debate: Debate, turn: Turn, participant: str) -> str:
        """Return why a participant has no task in this turn: what comes before its next one."""
        past = past_of(debate.record, debate.settings)
        due = self.slot_of(past, turn, turn.tasks[0].participant)
        own = (slot for slot in self.open_slots(past) if slot.participant == participant)
        following = next(own, None)
        if following is None:
            return "it has given all it has to give"
        now, then = self.KINDS[due.kind].round, self.KINDS[following.kind].round
        if now == then:
            return f"the {following.label} comes after the {due.label}"
        return f"the {then} {'come' if then.endswith('s') else 'comes'} after the {now}"

    def context(self, debate: Debate, turn: Turn, task: Task) -> Context:
        """Return what the participant of a task may see."""
        past = past_of(debate.record, debate.settings)
        return self.sees(debate, self.slot_of(past, turn, task.participant))

    # ------------------------------------------------------------ replies

    def normalise(self, task: Task, value: Any) -> tuple[Data, tuple[str, ...]]:
        """Return a reply as its schema describes it, from any of the forms in use."""
        plain, notes = as_object(value)
        next(kind for kind in self.KINDS.values() if kind.schema == task.schema).plain(plain)
        return plain, notes

    def check(self, debate: Debate, turn: Turn, replies: Replies) -> Checked:
        """Return what no schema can state: what each kind of entry says of it, and words."""
        past = past_of(debate.record, debate.settings)
        faults: list[Finding] = []
        warnings: list[Finding] = []
        over: list[Finding] = []
        for name, reply in replies.items():
            slot = self.slot_of(past, turn, name)
            kind = self.KINDS[slot.kind]
            value = reply.value if isinstance(reply, Reply) else None
            warnings += of_participant(name, kind.warnings(past, slot, value))
            if value is not None:
                faults += of_participant(name, kind.faults(past, slot, value))
                over += of_participant(name, _over(kind, value, debate.settings))
        return checked(debate.settings, faults, warnings, over)

    # ------------------------------------------------------------ the record

    def record(self, debate: Debate, turn: Turn, replies: Replies) -> Step:
        """Return the entry that each checked reply becomes, and the state after them."""
        past = past_of(debate.record, debate.settings)
        slots = (self.slot_of(past, turn, task.participant) for task in turn.tasks)
        values = tuple(self._value(past, slot, replies[slot.participant]) for slot in slots)
        after = past._replace(ids=past.ids | {value.id for value in values})
        return Step(values, self._state(after))

    def _value(self, past: Past, slot: Slot, reply: Reply | Absent) -> Value:
        if isinstance(reply, Absent):
            return filing.absence(slot.absence_id, slot.exchange, reply)
        kind, replied = self.KINDS[slot.kind], Replied(past, slot, reply.value)
        data: Data = {"title": kind.title(replied)}
        texts: dict[str, str] = {}
        cuts: dict[str, dict[str, int]] = {}
        for field in kind.fields:
            part = field.of(replied) if field.of else reply.value[field.key]
            if not field.section:
                data[field.key] = part
                continue
            kept, left_out = words.cut(part, cut_at(kind, field.key, past.settings))
            texts[field.section] = kept + (words.MARK if left_out else "")
            if left_out:
                cuts["cut"] = {"words": words.count(part), "kept": words.count(kept)}
                texts[LEFT_OUT] = left_out
        texts[LEFT_OUT] = texts.pop(LEFT_OUT, "")  # the last section
        sections = filing.sections(texts)
        return Contribution(slot.id, kind.name, slot.exchange, kind.folder, data | cuts, sections)

    def recall(self, values: Sequence[Value], turn: Turn, task: Task) -> Data | None:
        """Return the reply that became an entry: each field read back from where it stands."""
        entry = next((value for value in values if isinstance(value, Contribution)), None)
        if entry is None:
            return None
        fields = [field for field in self.KINDS[entry.kind].fields if field.is_replied]
        parts = {
            field.key: whole_text(entry, field.section) if field.section else entry.data[field.key]
            for field in fields
        }
        return naming(turn, task) | parts


def past_of(record: Record, settings: Settings) -> Past:
    """Return what is on record."""
    return Past(settings, frozenset((*record.ids(ARGUMENTS), *record.ids(JUDGMENTS))))


def whole_text(entry: Contribution, section: str) -> str:
    """Return a text as it was given, whether or not it was cut."""
    return words.joined(entry.texts.get(section, ""), entry.texts.get(LEFT_OUT, ""))


def cut_at(kind: Kind, key: str, settings: Settings) -> int:
    """Return after how many words a part of a reply is cut off; 0 where it is not."""
    is_cut = settings.get("word_limits") == "cut" and key in kind.words
    return int(settings[kind.words[key]]) if is_cut else 0


def _over(kind: Kind, value: Mapping[str, Any], settings: Settings) -> Iterator[Finding]:
    """Yield which texts have too many words, and what is done about it."""
    for key, setting in kind.words.items():
        over = words.over(key, value.get(key), settings[setting])
        if over is None:
            continue
        if settings["word_limits"] == "cut":
            kept = words.count(words.cut(value[key], settings[setting]).kept)
            message = f"{over.message}; the first {kept} are kept, the rest is left out"
            over = over._replace(message=message)
        yield over._replace(where=f"$.{key}")

"""The rules of a protocol that is declared: state, turns, entries, absences, and who is due.

A protocol declares what can be said (`Kind`), who says it when (`schedule`, a generator that reads
what is on record), what each may see, and what no schema can state. The rest is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.debate import Debate, State
from debate_ops.model.entries import ABSENCE, JUDGMENTS, Contribution, Entry, Record
from debate_ops.model.ids import entry_id, parse_id
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
from debate_ops.protocols import filing
from debate_ops.protocols.acts import CANCELLATION
from debate_ops.protocols.base import Replies, Settings
from debate_ops.protocols.replies import (
    as_list,
    as_object,
    checked,
    naming,
    no_blank,
    of_participant,
)
from debate_ops.protocols.schedule import (
    COMPLETED,
    Data,
    Halt,
    Header,
    Kind,
    Past,
    Replied,
    Slot,
    cancelled,
    on_record,
)
from debate_ops.protocols.settings import Setting
from debate_ops.protocols.words import too_long


class DeclaredRules(NamedTuple):
    """The rules of a protocol that is declared; its methods are those of `Rules`.

    A schedule ends with a `Halt`, unless what leads to it is yet to come. Its slots are for all who
    may be due: who is, the kinds say when the time comes, and nobody knows it earlier.
    """

    KINDS: Mapping[str, Kind]
    SETTINGS: tuple[Setting, ...]
    participants: Callable[[Settings], Mapping[str, str]]
    schedule: Callable[[Past], Iterator[Slot | Halt]]
    sees: Callable[[Past, Slot], Context]
    task: Callable[[Past, Slot, Task], Task] = lambda _, __, task: task
    seconds: Callable[[Settings, Slot], float] = lambda _, __: 0
    number: Callable[[int, Kind], str] = lambda _, __: ""
    clashes: Callable[[Settings], Iterator[str]] = lambda _: iter(())
    header: Callable[[Entry], Header] = lambda entry: entry.header
    CYCLE: str = ""
    MILESTONES: Mapping[str, str] = {}
    ACTS: Mapping[str, Callable[[Debate, Act], Step]] = {}
    REQUIREMENTS: Mapping[str, Callable[[Debate], Met]] = {}

    @property
    def EVENTS(self) -> Mapping[str, str]:  # noqa: N802  (as in `Rules`)
        """Kind of entry to the event that tells of it."""
        return {kind.name: kind.event for kind in self.KINDS.values()}

    def folder_of(self, entry: str) -> str:
        """Return the record folder of an entry by its id; empty where it is of no kind."""
        parts = parse_id(entry)
        folders = {ABSENCE: JUDGMENTS, **{kind.name: kind.folder for kind in self.KINDS.values()}}
        return folders.get(parts.kind, "") if parts else ""

    def past(
        self, settings: Settings, ids: Iterable[str], look: Callable[[str], Header] = lambda _: {}
    ) -> Past:
        """Return what is on record, by the ids of its entries and by what gives their headers."""
        slots = {also: name for name, kind in self.KINDS.items() for also in kind.also}
        every = frozenset(ids)
        filled = set(every)
        for parts in filter(None, map(parse_id, every)):
            kind = slots.get(parts.kind, parts.kind)
            filled.add(entry_id(parts.participant, parts.exchange, kind))
        return Past(settings, every, frozenset(filled), look, {})

    def _past(self, record: Record, settings: Settings) -> Past:
        """Return what is on record, with what is computed from it, should that be lost."""

        def look(an_id: str) -> Header:
            entry = record.get(an_id)
            return self.header(entry) if entry else {}

        ids = on_record(record, settings).ids
        return self._settled(self.past(settings, ids, look)._replace(get=record.get))[0]

    def past_of(self, debate: Debate) -> Past:
        """Return what is on record of a debate."""
        return self._past(debate.record, debate.settings)

    def _grown(self, past: Past, values: Iterable[Contribution]) -> Past:
        new = {value.id: value.data for value in values}

        def look(an_id: str) -> Header:
            return new[an_id] if an_id in new else past.look(an_id)

        return self.past(past.settings, past.ids | new.keys(), look)

    def _settled(self, past: Past) -> tuple[Past, tuple[Contribution, ...]]:
        """Return what is on record once what is due to be computed is, and that alone."""
        first = next(self.coming(past))
        if isinstance(first, Halt) or not (computed := self.KINDS[first.kind].computed):
            return past, ()
        value = computed(past, first)
        after, more = self._settled(self._grown(past, (value,)))
        return after, (value, *more)

    def coming(self, past: Past) -> Iterator[Slot | Halt]:
        """Yield what is due now, and whatever may be due after it, in order."""
        if halt := past.once("cancelled", cancelled) if CANCELLATION in self.KINDS else None:
            yield halt
            return
        now: tuple[int, str, int] | None = None
        for place in self.schedule(past):
            if isinstance(place, Slot):
                if past.has(place) or past.is_absent(place):
                    continue
                is_due = now in {None, self._turn(place)}
                if is_due and self.KINDS[place.kind].why_not(past, place):
                    continue
                now = now or self._turn(place)
            yield place

    def _turn(self, slot: Slot) -> tuple[int, str, int]:
        """Return what a slot has in common with those of the same turn."""
        return slot.exchange, self.KINDS[slot.kind].phase, slot.number

    def open_slots(self, past: Past) -> Iterator[Slot]:
        """Yield the slots that participants have yet to fill, or may have."""
        slots = (place for place in self.coming(past) if isinstance(place, Slot))
        return (slot for slot in slots if not self.KINDS[slot.kind].computed)

    def derive(self, record: Record, settings: Settings) -> State:
        """Return the state that the record leads to: the first place that is still open."""
        return self._state(self._past(record, settings))

    def _state(self, past: Past) -> State:
        first = next(self.coming(past))
        phase = first.phase if isinstance(first, Halt) else self.KINDS[first.kind].phase
        return State(first.exchange, phase, {})

    def last_exchange(self, settings: Settings) -> int:
        """Return the number of the last exchange there can be."""
        return max(place.exchange for place in self.schedule(self.past(settings, ())))

    def calls_left(self, debate: Debate, until: int | None) -> int:
        """Return how many agent calls it takes, at most, to reach exchange `until`, or the end."""
        slots = self.open_slots(self.past_of(debate))
        return sum(until is None or slot.exchange < until for slot in slots)

    def next_turn(self, debate: Debate, now: str) -> Turn | Waiting | Done:  # noqa: ARG002
        """Return the slot that is due, or all that are due together; or why none is."""
        settings, past = debate.settings, self.past_of(debate)
        first = next(self.coming(past))
        if isinstance(first, Halt):
            return first.due
        kind, due = self.KINDS[first.kind], [first]
        if kind.together:
            due = list(
                takewhile(lambda slot: self._turn(slot) == self._turn(first), self.open_slots(past))
            )
        tasks = tuple(self.task(past, slot, self._task(settings, slot)) for slot in due)
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
        own = (s for s in self.open_slots(past) if s[:2] == (turn.exchange, participant))
        return next(slot for slot in own if self.KINDS[slot.kind].phase == turn.phase)

    def place(self, exchange: int, phase: str) -> str:
        """Return in words where a debate is, as in `exchange 3, critiques`."""
        kind = next((kind for kind in self.KINDS.values() if kind.phase == phase), None)
        if phase == COMPLETED:
            return phase
        number = self.number(exchange, kind) if kind else ""
        cycle = f"{self.CYCLE} {exchange}" if self.CYCLE and exchange else ""
        what = f"{kind.round}{number}" if kind else "" if cycle else phase
        return ", ".join(filter(None, (cycle, what)))

    def why_not_asked(self, debate: Debate, turn: Turn, participant: str) -> str:
        """Return why a participant has no task in this turn, or what comes before its next one."""
        past, kind = self.past_of(debate), self.kind_of(turn.phase)
        due = self.slot_of(past, turn, turn.tasks[0].participant)
        own = [s for s in self.schedule(past) if isinstance(s, Slot) and s[1] == participant]
        beside = next((s for s in own if self._turn(s) == self._turn(due)), due)
        slot = beside._replace(participant=participant)
        if why := self.KINDS[slot.kind].why_not(past, slot):
            return why
        if any(slot.participant == participant for slot in self.open_slots(past)):
            return f"its turn comes after the {due.label or kind.round}"
        return "it has given all it has to give"

    def context(self, debate: Debate, turn: Turn, task: Task) -> Context:
        """Return what the participant of a task may see."""
        past = self.past_of(debate)
        return self.sees(past, self.slot_of(past, turn, task.participant))

    def normalise(self, task: Task, value: Any) -> tuple[Data, tuple[str, ...]]:
        """Return a reply as its schema describes it, from any of the forms in use."""
        kind = next(kind for kind in self.KINDS.values() if kind.schema == task.schema)
        passing = kind.passing
        if kind.each:
            beside = {*passing.says, passing.reason} if passing else ()
            plain, notes = as_list(value, kind.part, [field.key for field in kind.fields], beside)
        else:
            plain, notes = as_object(value, kind.listed)
        notes = (*notes, *kind.plain(plain))
        if passing and passing.reason and passing.usual:
            no_blank(plain, passing.reason)
        more = [note for each in self._made_with(kind) for note in each.notes(plain)]
        return plain, (*notes, *dict.fromkeys(more))

    def check(self, debate: Debate, turn: Turn, replies: Replies) -> Checked:
        """Return what no schema can state: what each kind of entry says of it, and words."""
        past = self.past_of(debate)
        faults: list[Finding] = []
        warnings: list[Finding] = []
        over: list[Finding] = []
        for name, reply in replies.items():
            slot = self.slot_of(past, turn, name)
            kind = self.KINDS[slot.kind]
            value = reply.value if isinstance(reply, Reply) else {}
            replied = Replied(past, slot, value)
            warnings += of_participant(name, kind.warnings(replied))
            if isinstance(reply, Reply):
                faults += of_participant(name, kind.faults(replied))
                over += of_participant(name, too_long(kind.words, value, debate.settings))
        return checked(debate.settings, faults, warnings, over)

    def record(self, debate: Debate, turn: Turn, replies: Replies) -> Step:
        """Return what each checked reply becomes, what is computed then, and the state after it."""
        past = self.past_of(debate)
        slots = (self.slot_of(past, turn, t.participant) for t in turn.tasks)
        values = [v for slot in slots for v in self._values(past, slot, replies[slot.participant])]
        return self.step(debate, values)

    def step(self, debate: Debate, values: Sequence[Contribution]) -> Step:
        """Return what goes on record with these entries, and the state after it."""
        after, computed = self._settled(self._grown(self.past_of(debate), values))
        return Step((*values, *computed), self._state(after))

    def _values(self, past: Past, slot: Slot, reply: Reply | Absent) -> Iterator[Contribution]:
        kind, name = self.KINDS[slot.kind], slot.participant
        if isinstance(reply, Reply) and (passing := kind.passing):
            value = reply.value
            if all(value[key] == nothing for key, nothing in passing.says.items()):
                why = value.get(passing.reason) or passing.usual
                reply = Absent(name, filing.PASSED, why, name)
        if isinstance(reply, Absent):
            yield filing.absence(slot.absence_id, slot.exchange, reply)
            return
        for each in self._made_with(kind):
            yield from each.entries(Replied(past, slot, reply.value))

    def _made_with(self, kind: Kind) -> list[Kind]:
        return [kind, *(self.KINDS[name] for name in kind.also)]

    def recall(self, values: Sequence[Contribution], turn: Turn, task: Task) -> Data | None:
        """Return the reply that became entries: each field read back from where it stands."""
        asked = [kind for kind in self.KINDS.values() if kind.phase == turn.phase]
        made = [each for kind in asked for each in self._made_with(kind)]
        parts = [part for each in made if (part := each.replied(values))]
        if passing := asked[0].passing:
            reasons = [str(v.data.get("reason", "")) for v in values if filing.is_pass(v)]
            if reasons or parts:
                reason = {passing.reason: "".join(reasons)} if passing.reason else {}
                parts.insert(0, {**passing.says, **reason})
        reply = naming(turn, task)
        for part in parts:
            reply |= part
        return reply if parts else None

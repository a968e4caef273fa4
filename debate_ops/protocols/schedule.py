"""What a protocol declares: kinds of entries, and the places in which somebody says one.

A `Kind` says, with a `Field` for each part of a reply, where it stands on record. It is read in
both directions: what a reply becomes, and the reply that an entry came from. What follows from a
declaration, turns and all, is in `declared_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import Finding
from debate_ops.model.entries import (
    ARGUMENTS,
    JUDGMENTS,
    LEFT_OUT,
    Contribution,
    Entry,
    Record,
)
from debate_ops.model.ids import entry_id, parse_id
from debate_ops.model.turn import Done, Waiting
from debate_ops.protocols import filing, words
from debate_ops.protocols.acts import CANCELLATION, CANCELLED
from debate_ops.protocols.base import Settings
from debate_ops.protocols.replies import objects_in

COMPLETED = "completed"
Data = dict[str, Any]
Header = Mapping[str, Any]


EACH_ITS_OWN = "*"
"""The section of a field that is several sections; the name of one that is several keys."""


class Slot(NamedTuple):
    """A place in the schedule for what one participant says, or for an absence.

    `label` is what readers call it; `number` stands in the id of its absence, where somebody may
    be absent more than once in an exchange. `entry` is the id of its first entry, and `absence`
    that of its absence, where they do not follow from kind and number.
    """

    exchange: int
    participant: str
    kind: str
    label: str = ""
    number: int = 0
    entry: str = ""
    absence: str = ""

    @property
    def id(self) -> str:
        """The id of the entry; where there are several, what theirs begin with."""
        return self.entry or entry_id(self.participant, self.exchange, self.kind)

    @property
    def absence_id(self) -> str:
        """The id of the absence."""
        return self.absence or entry_id(self.participant, self.exchange, "absence", self.number)


class Halt(NamedTuple):
    """A place in the schedule where no participant is due: the end, or a person has to act."""

    exchange: int
    due: Waiting | Done
    phase: str = COMPLETED


class Past(NamedTuple):
    """What is on record, as a schedule looks at it.

    `look` gives the header of an entry, `get` all of it.
    `filled` are the ids of the slots whose entries are there; `made` keeps what a protocol makes
    of it.
    """

    settings: Settings
    ids: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()
    look: Callable[[str], Header] = lambda _: {}
    made: dict[str, Any] | None = None
    get: Callable[[str], Entry | None] = lambda _: None

    def read(self, an_id: str) -> str:
        """Return the body of an entry; an empty one where it is not on record."""
        entry = self.get(an_id)
        return entry.body if entry else ""

    def has(self, slot: Slot) -> bool:
        """Tell whether what a slot is for is on record."""
        return slot.id in self.filled

    def once(self, name: str, make: Callable[[Past], Any]) -> Any:
        """Return what `make` makes of the past; it is made once."""
        if self.made is None:
            return make(self)
        if name not in self.made:
            self.made[name] = make(self)
        return self.made[name]

    def is_absent(self, slot: Slot) -> bool:
        """Tell whether an absence is on record in place of what a slot is for."""
        return slot.absence_id in self.ids

    def absence_note(self, slots: Iterable[Slot]) -> str:
        """Return what a prompt says of those of these slots that are absent; empty for none."""
        labels = [f"the {slot.label}" for slot in slots if self.is_absent(slot)]
        note = f"Not given: {'; '.join(labels)}. Do not guess at what would have been said."
        return note if labels else ""


def on_record(record: Record, settings: Settings) -> Past:
    """Return what is on record, as it stands there."""

    def look(an_id: str) -> Header:
        entry = record.get(an_id)
        return entry.header if entry else {}

    ids = frozenset((*record.ids(ARGUMENTS), *record.ids(JUDGMENTS)))
    return Past(settings, ids, ids, look, {}, record.get)


class Replied(NamedTuple):
    """A checked reply, or the part of it that becomes an entry, and what it answers."""

    past: Past
    slot: Slot
    value: Mapping[str, Any]


class Field(NamedTuple):
    """Where a part of a reply stands on record: under a heading, or without one in the header.

    `of` computes it, where it does not stand there as it was given; None is left out. One that is
    not in the reply is not read back from the entry. `name` is its key in the header, where that
    is another one, and `back` reads the part from an entry, where it does not stand there as such.
    What stands under `EACH_ITS_OWN` are several texts, by their headings.
    `plain` puts a part of a reply into its one form, and `note` tells of it; a part that is not
    there is put in where its one form is not None.
    """

    key: str
    section: str = ""
    of: Callable[[Replied], Any] | None = None
    is_replied: bool = True
    name: str = ""
    back: Callable[[Contribution], Any] | None = None
    plain: Callable[[Any], Any] | None = None
    note: str = ""


def cancelled(past: Past) -> Halt | None:
    """Return where a person has cancelled a debate."""
    for parts in filter(None, map(parse_id, past.ids)):
        if parts.kind == CANCELLATION:
            act = past.look(str(parts))
            why = f"the debate is cancelled by {act.get('by')}: {act.get('reason')}"
            return Halt(parts.exchange, Done(why), CANCELLED)
    return None


def added(key: str, of: Callable[[Replied], Any], section: str = "") -> Field:
    """Return a field that is no part of a reply, but computed from it."""
    return Field(key, section, of, is_replied=False)


def added_keys(of: Callable[[Replied], Data]) -> Field:
    """Return several keys of the header that are computed from a reply; None stays in them."""
    return Field("", "", of, is_replied=False, name=EACH_ITS_OWN)


class Pass(NamedTuple):
    """What a reply `says` that says nothing, the key of its `reason`, and the `usual` one."""

    says: Mapping[str, Any]
    reason: str = ""
    usual: str = ""


Remarks = Callable[[Replied], Iterator[Finding]]
"""What is wrong, or strange, in a reply, of whatever form; that of an absence is empty."""


def _nothing(*_: Any) -> Iterator[Any]:
    return iter(())


class Kind(NamedTuple):
    """A kind of entry: what is asked for, where its parts go, and what may be wrong with it.

    The slots of a phase that is asked for `together` are one turn in each exchange; `why_not` says
    why a participant is not asked for it when its time comes, and is empty where it is. An entry
    is made from the whole reply, or from one `part` of it; of a list, `each` gives what becomes an
    entry, with its number. `also` are further kinds made from the same replies. `words` has the
    most words of a part of the reply, or the setting that does, or those of its own parts. What is
    `computed` no reply asks for: it goes on record with the entries after which its slot is the
    first open one. `back` reads the reply from an entry, where its fields do not.
    A reply may be the list alone that stands under the key `listed`.
    """

    name: str
    phase: str = ""
    round: str = ""
    schema: str = ""
    event: str = ""
    fields: tuple[Field, ...] = ()
    title: Callable[[Replied], str] = lambda _: ""
    template: str = ""
    folder: str = ARGUMENTS
    together: bool = False
    words: Mapping[str, Any] = {}
    plain: Callable[[Data], Iterable[str]] = _nothing
    faults: Remarks = _nothing
    warnings: Remarks = _nothing
    why_not: Callable[[Past, Slot], str] = lambda *_: ""
    part: str = ""
    each: Callable[[Replied], Iterable[tuple[int, Mapping[str, Any]]]] | None = None
    also: tuple[str, ...] = ()
    passing: Pass | None = None
    computed: Callable[[Past, Slot], Contribution] | None = None
    back: Callable[[Contribution], Data] | None = None
    listed: str = ""

    @property
    def heading(self) -> str:
        """The heading of its text, as it was given."""
        return next(field.section for field in self.fields if field.section and field.is_replied)

    def notes(self, plain: Data) -> Iterator[str]:
        """Put the parts of a reply into their one form, and yield what is to be said of it."""
        if not self.part:
            yield from self._notes(plain)
        elif self.each:
            for item in objects_in(plain, self.part):
                yield from self._notes(item)
        elif isinstance(plain.setdefault(self.part, None), dict):
            plain[self.part] = dict(plain[self.part])
            yield from self._notes(plain[self.part])

    def _notes(self, item: Data) -> Iterator[str]:
        for field in self.fields:
            part = item.get(field.key)
            plain = field.plain(part) if field.plain else None
            if plain is not None and plain != part:
                item[field.key] = plain
                yield from filter(None, (field.note,))

    def entries(self, replied: Replied) -> Iterator[Contribution]:
        """Yield what a reply becomes."""
        if self.each:
            for number, item in self.each(replied):
                yield self._entry(replied._replace(value=item), number)
        elif value := replied.value[self.part] if self.part else replied.value:
            yield self._entry(replied._replace(value=value))

    def _entry(self, replied: Replied, number: int = 0) -> Contribution:
        past, slot, value = replied
        data: Data = {"title": self.title(replied)}
        texts: dict[str, str] = {}
        cuts: dict[str, dict[str, int]] = {}
        for field in self.fields:
            part = field.of(replied) if field.of else value[field.key]
            if field.section == EACH_ITS_OWN:
                texts |= part
                continue
            if field.name == EACH_ITS_OWN:
                data |= part
                continue
            if not field.section:
                data |= {} if part is None else {field.name or field.key: part}
                continue
            kept, left_out = words.cut(part, cut_at(self, field.key, past.settings))
            texts[field.section] = kept + (words.MARK if left_out else "")
            if left_out:
                cuts["cut"] = {"words": words.count(part), "kept": words.count(kept)}
                texts[LEFT_OUT] = left_out
        texts[LEFT_OUT] = texts.pop(LEFT_OUT, "")  # the last section
        identity = entry_id(slot.participant, slot.exchange, self.name, number)
        identity = slot.id if self.name == slot.kind and not number else identity
        sections = filing.sections(texts)
        return Contribution(identity, self.name, slot.exchange, self.folder, data | cuts, sections)

    def replied(self, entries: Iterable[Contribution]) -> Data | None:
        """Return what became entries of this kind; None where none of them is."""
        parts = [self._part(entry) for entry in entries if entry.kind == self.name]
        if self.each:
            return {self.part: parts} if parts else None
        return ({self.part: parts[0]} if self.part else parts[0]) if parts else None

    def _part(self, entry: Contribution) -> Data:
        if self.back:
            return self.back(entry)
        return {field.key: _read(field, entry) for field in self.fields if field.is_replied}


CANCELLING = Kind(CANCELLATION, event="debate_cancelled", folder=JUDGMENTS)
"""What a person puts on record that cancels a debate; no schedule has to mind it."""


def _read(field: Field, entry: Contribution) -> Any:
    if field.back:
        return field.back(entry)
    if field.section:
        return whole_text(entry, field.section)
    return entry.data[field.name or field.key]


def whole_text(entry: Contribution, section: str) -> str:
    """Return a text as it was given, whether or not it was cut."""
    return words.joined(entry.texts.get(section, ""), entry.texts.get(LEFT_OUT, ""))


def cut_at(kind: Kind, key: str, settings: Settings) -> int:
    """Return after how many words a part of a reply is cut off; 0 where it is not."""
    is_cut = settings.get("word_limits") == "cut" and key in kind.words
    return int(settings[kind.words[key]]) if is_cut else 0

"""The values of a debate: what is on record, what is due, and what may be wrong."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from typing import Any, ClassVar

from debate_ops.core.texts import one_line, spell_place

ENTRY_ID = re.compile(
    r"(?P<by>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)_(?P<round>[0-9]{3,6})(?P<letter>[a-z]?)"
    r"(?:-(?P<kind>[a-z]+)(?:-(?P<number>[0-9]{1,4}))?)?"
)
PERSON = "person"
"""By whom entries are that no task asked for: a name that no participant can have."""
ARGUMENTS, JUDGMENTS, ADVICE = "arguments", "judgments", "advice"
"""The folders of the record."""
PRIVATE = frozenset({"preparation"})
"""Kinds of entries that are a side's own notes: nobody else is shown them before the end."""
HIDDEN = PRIVATE | {"advice", "straw"}
"""Kinds of entries that stand on no page before the end."""


@dataclass(frozen=True)
class Entry:
    """One file of the record: a header of data, and texts by heading.

    `round` is the exchange and `step` the commit, both counted from 0. `is_usual` says that the id
    does not name the kind, as of an argument or a judgment. `header` holds what the commit added to
    the file: `from`, `at`, `made_by`, `rests_on`; rules look at its time alone.
    """

    by: str
    round: int
    kind: str
    data: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    folder: str = ARGUMENTS
    number: int = 0
    letter: str = ""
    step: int = -1
    is_usual: bool = False
    header: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def id(self) -> str:
        """The name of its file: `<by>_<round>[<letter>][-<kind>[-<number>]]`."""
        kind = "" if self.is_usual else f"-{self.kind}"
        number = f"-{self.number}" if self.number else ""
        return f"{self.by}_{self.round:03d}{self.letter}{kind}{number}"

    @property
    def file(self) -> str:
        """Its file, by its path in the debate folder."""
        return f"{self.folder}/{self.id}.md"

    @property
    def title(self) -> str:
        """What stands above it: its own title, or its kind and whose it is."""
        own = str(self.data.get("title") or "")
        if not own and self.kind == "judgment":
            return f"Judgment of exchange {self.round}"
        return own or f"{self.kind.capitalize()} of {self.by}"

    def compared(self) -> dict[str, Any]:
        """Return all that an audit compares: nothing blank, nothing null."""
        texts = {heading: text for heading, text in self.texts.items() if text.strip()}
        data = {key: value for key, value in self.data.items() if value is not None}
        own = {"id": self.id, "kind": self.kind, "folder": self.folder, "exchange": self.round}
        return own | data | texts


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong: with a reply, with a file, with a setting.

    `where` is a path such as `critiques.0.to`; `by` whose reply it is; `file` what it stands in.
    A warning stops nothing.
    """

    where: str
    message: str
    by: str = ""
    file: str = ""
    is_warning: bool = False

    def sentence(self) -> str:
        """Return the fault on one line: whose, where (items counted from 1), what."""
        where = spell_place(self.where)
        return one_line(": ".join(filter(None, (self.by, self.file, where, self.message))))


Faults = Iterator[Fault]


STOP, ABSENCE, EXCUSE, OMIT = "stop", "absence", "excuse", "omit"
"""What a failed task does: the run stops; an absence goes on record, unless all of the turn fail,
which stops the run; an absence in any case; nothing at all."""


@dataclass(frozen=True)
class Task:
    """What one participant is asked for.

    `template` names the prompt and the form of the reply; `on_failure` is `STOP`, `ABSENCE`,
    `EXCUSE` or `OMIT`; `seconds` is how long a run waits, 0 leaves it to the run. `number` stands
    in the id of its absence, where that is not the turn's.
    """

    by: str
    template: str
    on_failure: str = ABSENCE
    seconds: float = 0
    number: int = 0


@dataclass(frozen=True)
class Turn:
    """Tasks that are replied to at the same time and committed in one step.

    `number` stands in the ids of absences where one round has several turns. After `seconds`,
    counted from the last commit, it may be closed without what is missing; 0 is never. `acts` are
    what a person may do in place of all that.
    """

    round: int
    phase: str
    tasks: tuple[Task, ...]
    number: int = 0
    seconds: float = 0
    acts: tuple[str, ...] = ("cancel",)

    def template(self, by: str) -> str:
        """Return what one participant is asked for."""
        return next(task.template for task in self.tasks if task.by == by)

    def name_reply(self, by: str) -> dict[str, Any]:
        """Return whose a reply is and to what, by the keys under which it says so."""
        return {"participant": by, "exchange": self.round, "phase": self.phase}


@dataclass(frozen=True)
class Waiting:
    """A person has to do one of `acts`; `about` are the entries to choose from."""

    round: int
    phase: str
    reason: str
    acts: tuple[str, ...]
    about: tuple[str, ...] = ()


@dataclass(frozen=True)
class Done:
    """The debate is over."""

    round: int
    phase: str
    reason: str
    acts: ClassVar[tuple[str, ...]] = ()


Place = Turn | Waiting | Done


@dataclass(frozen=True)
class Act:
    """What a person does that no task asked for: its name, its values by key, and by whom."""

    name: str
    values: Mapping[str, str]
    by: str = "user"


def name_act(name: str) -> str:
    """Return the command by which a person does an act."""
    return "stop --with-closing" if name == "close" else name


@dataclass(frozen=True)
class Absent:
    """A task that ended without a reply: `how` is `pass`, `skip`, `advance` or `time-out`."""

    how: str
    reason: str
    by: str


@dataclass
class Debate:
    """A debate as far as it has been replayed: its settings and what is on record.

    `definitions` are pairs of a term, which may be empty, and its meaning; `documents` pairs of
    name and text, of which two may bear one name; `papers` are given to the participant that is
    named first alone. `last_exchange` is the number of the last one that was asked for, if somebody
    said, and `ahead` are the ids of the whole record that is replayed: a script may look at them
    for nothing but a closing that ends a request.
    """

    settings: Any
    motion: str = ""
    definitions: tuple[tuple[str, str], ...] = ()
    scope: str = ""
    documents: tuple[tuple[str, str], ...] = ()
    papers: tuple[tuple[str, str, str], ...] = ()
    entries: dict[str, Entry] = field(default_factory=dict, init=False)
    step: int = 0
    last_exchange: int | None = None
    ahead: Collection[str] = ()
    _index: dict[tuple[str, int | None], dict[int, Entry]] = field(default_factory=dict, init=False)
    """Entries by kind and round, so that a look at one round of a long debate stays cheap."""
    _numbers: Iterator[int] = field(default_factory=count, init=False)

    @property
    def shows_notes(self) -> bool:
        """Whether readers are shown entries of `PRIVATE` kinds after the end."""
        return getattr(self.settings, "show_preparation", "yes") != "no"

    def add(self, entry: Entry) -> Entry:
        """Put an entry on record at this step, without blank texts, and return it so."""
        if entry.step != self.step:  # it comes from no file
            texts = {heading: text for heading, text in entry.texts.items() if text.strip()}
            entry = replace(entry, step=self.step, texts=texts)
        self.entries[entry.id] = entry
        number = next(self._numbers)
        for key in ((entry.kind, None), (entry.kind, entry.round)):
            self._index.setdefault(key, {})[number] = entry
        return entry

    def find(self, *kinds: str, round: int | None = None, by: str | None = None) -> list[Entry]:  # noqa: A002  (an entry's own name for it)
        """Return entries of some kinds in the order of the record, of one round or participant."""
        found = self._index.get((kinds[0], round), {})  # in order
        for kind in kinds[1:]:
            found = dict(sorted((found | self._index.get((kind, round), {})).items()))
        return [e for e in found.values() if by is None or e.by == by]


def parse_id(entry_id: object) -> dict[str, str] | None:
    """Return the parts of an id (`by`, `round`, `letter`, `kind`, `number`); None for none."""
    match = ENTRY_ID.fullmatch(entry_id) if isinstance(entry_id, str) else None
    return match.groupdict() if match else None


def author(entry_id: str) -> str:
    """Return whose an entry is, by its id."""
    return entry_id.partition("_")[0]

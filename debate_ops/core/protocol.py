"""A protocol, and the one function that runs it: over the record, and on to what is due."""

import json
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from math import inf
from typing import Any, ClassVar

from pydantic import ValidationError as ModelError

from debate_ops.core import replies, values
from debate_ops.core.errors import BadRecordError, DebateError, RefusedError, UsageError
from debate_ops.core.replies import NAMING, Reply, Said, find_long_texts, parse_reply, text
from debate_ops.core.settings import Common, explain_errors, show_value
from debate_ops.core.texts import is_blank, one_line
from debate_ops.core.values import Absent, Act, Debate, Done, Entry, Fault, Place, Task, Turn

Script = Generator[Place | Entry, Entry | None, None]
CANCELLED = "cancelled"
ADVISER = "adviser"
"""Who answers the debate's question and sees nothing of the debate."""
_ADVISER_TASKS = tuple(Task(ADVISER, what, values.OMIT) for what in ("first-answer", "second-look"))
"""What the adviser is asked beside the first two turns: whoever looks again advises better."""


class FirstAnswer(Reply):
    """What somebody who sees nothing of the debate would say to its question."""

    text: Said = text("Answer", max_length=10_000)


class Acted(Exception):  # noqa: N818  (it is thrown into a script, as no error)
    """A person's act, where a script has to know of it."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.id)
        self.entry = entry


class Protocol:
    """The rules of one protocol.

    `script` yields each turn as it comes due and goes on when its entries are on record, and yields
    entries that the rules compute themselves. It looks at nothing but the debate, so that the same
    record always leads to the same place.

    `replies` are the forms of replies by template; `acts` what a person may do, with the kind of
    entry that it becomes and its title. Of the entries that `shows` names, those under
    `may_shorten` are cut where the whole would be too long. A reply says whose it is under the keys
    of `named_by`. `sides` are who argues for the motion and who against it, with their full names.
    `cycle` is what the N of a request counts, if anything. There are events by the phases of
    `milestones`, by the parts in `segments`, and by kind of entry, in `filed` if not
    `<kind>_filed`. `last_phases` end a debate, in whatever exchange it is. Where it
    `has_panel_within`, a panel takes part in the debate; elsewhere it reads the whole of it.
    """

    name: ClassVar[str]
    cycle: ClassVar[str] = ""
    Settings: ClassVar[type[Common]]
    replies: ClassVar[Mapping[str, type[Reply]]]
    acts: ClassVar[Mapping[str, tuple[str, str]]] = {"cancel": ("cancellation", "Cancelled")}
    may_shorten: ClassVar[frozenset[str]] = frozenset()
    named_by: ClassVar[tuple[str, ...]] = NAMING
    sides: ClassVar[Mapping[str, str]] = {}
    milestones: ClassVar[Mapping[str, str]] = {}
    filed: ClassVar[Mapping[str, str]] = {}
    segments: ClassVar[Mapping[str, str]] = {}
    last_phases: ClassVar[frozenset[str]] = frozenset()
    has_panel_within: ClassVar[bool] = False

    def participants(self, settings: Any) -> Mapping[str, str]:
        """Return the kind of agent (`debater`, `judge`) that acts for each participant."""
        raise NotImplementedError

    def list_repliers(self, d: Debate, place: Place) -> Collection[str]:
        """Return the participants who may have to reply, at a place or after it."""
        return self.participants(d.settings)

    def script(self, d: Debate) -> Script:
        """Tell the course of a debate."""
        raise NotImplementedError

    def find_view(self, d: Debate, turn: Turn) -> Any:
        """Return a debate as replies are given it that say what they become."""
        return d

    def joint_faults(self, d: Debate, turn: Turn, replies: Mapping[str, Any]) -> values.Faults:
        """Yield what the rules have against the replies of a turn together."""
        yield from ()

    def shows(self, d: Debate, turn: Turn, by: str) -> dict[str, Any]:
        """Return what a prompt is made from: ids as entries, texts as foreign if not `Markup`."""
        return {}

    def act(self, d: Debate, place: Place, act: Act) -> list[Entry]:
        """Return the entries that a person's act becomes; refuse what cannot be done now."""
        if act.name not in place.acts:
            here = f"What can be done here: {', '.join(map(values.name_act, place.acts))}."
            raise RefusedError(
                f"{values.name_act(act.name)} cannot be done now: this debate is at {place.phase}",
                hint=here if place.acts else "It has ended; its record stays as it is.",
            )
        reason, (kind, title) = act.values.get("reason", ""), self.acts[act.name]
        if is_blank(reason):
            raise UsageError(
                "a reason is required", hint="Say why with --reason; it goes on record."
            )
        data = {"title": title, "by": act.by, "reason": reason}
        return [Entry(values.PERSON, place.round, kind, data, {"Reason": reason}, values.JUDGMENTS)]

    def recall_act(self, entries: list[Entry]) -> Act:
        """Return what a person did, by the entries that it became."""
        first, names = entries[0], {kind: name for name, (kind, _) in self.acts.items()}
        given = {key: str(first.data.get(key, "")) for key in ("reason", "proposal")}
        given["text"] = first.texts.get("Decision", "")
        return Act(names[first.kind], given, str(first.data["by"]))

    def time_out(self, d: Debate, place: Place) -> tuple[int, Act] | None:
        """Return after how many seconds in all a debate ends, and what is done then; or None."""
        return None

    def other_names(self, settings: Any) -> Mapping[str, str]:
        """Return other words for participants, such as full names, and whom each means."""
        return {full_name: side for side, full_name in self.sides.items()}

    def explain_end(self, d: Debate, number: int) -> str:
        """Return why a debate could well end after cycle `number`, by its record; empty if not."""
        return ""

    def describe_place(self, number: int, phase: str) -> str:
        """Return in words where a debate is, as in `cycle 2, critiques`."""
        what = phase.removeprefix("awaiting_").replace("_", " ")
        is_in_cycle = self.cycle and number and phase.startswith("awaiting_")
        return f"{self.cycle} {number}, {what}" if is_in_cycle else what

    def name_part(self, settings: Any, entry: Entry) -> str:
        """Return what readers call the part of a debate that an entry belongs to."""
        cycle = self.cycle or "exchange"
        return f"{cycle} {entry.round}" if entry.round else f"before {cycle} 1"

    def explain_absence_of_task(self, d: Debate, turn: Turn, by: str) -> str:
        """Return why a participant of the debate has no task in this turn, as a clause."""
        return "it has no part in this step"

    def last_exchange(self, settings: Any) -> int | None:
        """Return the number of the last exchange there can be; None where there is no end."""
        return getattr(settings, f"max_{self.cycle}s", None)

    def count_calls(self, d: Debate, turn: Turn, until: int | None) -> int:
        """Return how many replies it takes, at most, until exchange `until` is due, or the end."""
        last = inf if until is None else until - 1
        is_last = turn.phase in self.last_phases
        here = self.last_exchange(d.settings) or 0 if is_last else turn.round, turn.number
        steps = self.list_steps(d.settings)
        coming = sum(most for at, n, most in steps if (at, n) > here and at <= last)
        return coming + len(turn.tasks) * (turn.round <= last)

    def list_steps(self, settings: Any) -> Iterator[tuple[int, int, int]]:
        """Yield where replies may be due: exchange, number of the turn in it, how many at most."""
        raise NotImplementedError

    def requirements(self, at: "Replayed") -> Mapping[str, tuple[bool, str]]:
        """Return what `check --require` can ask of a debate: whether it is met, and why."""
        return {}

    def payload(self, d: Debate, entry: Entry) -> dict[str, Any]:
        """Return what an event tells of an entry beside its id, for listeners."""
        return {}

    def statistics(self, d: Debate) -> dict[str, Any]:
        """Return figures on the debate for `status --json` and its last event."""
        return {}


@dataclass
class Replayed:
    """A debate as far as its script went; `warnings` are texts over limits that only warn."""

    protocol: Protocol
    debate: Debate
    place: Place
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)
    _script: Script | None = None

    @property
    def turn(self) -> Turn:
        """The turn that is due; a `RefusedError` where the debate waits for something else."""
        if not isinstance(self.place, Turn):
            raise RefusedError(f"no reply is due: this debate is at {self.place.phase}")
        return self.place

    @property
    def tasks(self) -> tuple[Task, ...]:
        """What is due: the tasks of the turn, and the adviser's beside the first two turns."""
        due = self.place.tasks if isinstance(self.place, Turn) else ()
        return (*due, *self.adviser_tasks[:1]) if due else ()

    @property
    def adviser_tasks(self) -> tuple[Task, ...]:
        """What the adviser is asked, now and beside the next turn; a second look needs a first."""
        step, given = self.debate.step, len(self.debate.find("advice"))
        is_asked = step == given and self.debate.settings.first_answer != "off"
        return _ADVISER_TASKS[step:] if is_asked else ()

    @property
    def is_over(self) -> bool:
        """Whether it is at its end, or at that of what was asked for."""
        last = self.debate.last_exchange
        return isinstance(self.place, Done) or (last is not None and self.place.round > last)

    @property
    def is_open(self) -> bool:
        """Whether a participant is to reply, by the rules and by what was asked for."""
        return isinstance(self.place, Turn) and not self.is_over

    @property
    def panel_outside(self) -> int:
        """How many members of a panel read the debate from outside of it."""
        members: int = self.debate.settings.panel
        return 0 if self.protocol.has_panel_within else members

    def list_shown(self, by: str) -> set[str]:
        """Return the ids of the entries that the prompt of a task shows; the adviser's has none."""
        shown = {} if by == ADVISER else self.protocol.shows(self.debate, self.turn, by)
        return {an_id for ids in shown.values() if isinstance(ids, list) for an_id in ids}

    def find_name(self, word: str) -> str:
        """Return the participant whom a word means; the word itself, where it means none."""
        return self.protocol.other_names(self.debate.settings).get(word.strip().lower(), word)

    def form_of(self, by: str) -> type[Reply]:
        """Return the form of the reply that is due from somebody."""
        task = next(task for task in self.tasks if task.by == by)
        return FirstAnswer if task in _ADVISER_TASKS else self.protocol.replies[task.template]

    def name_required(self, by: str) -> tuple[str, ...]:
        """Return the keys by which a reply from somebody has to say whose it is."""
        return NAMING[:2] if by == ADVISER else self.protocol.named_by

    def make_schema(self, by: str) -> dict[str, Any]:
        """Return what a person is asked for, without quotations where there are no documents."""
        d, schema = self.debate, deepcopy(replies.schema_of(self.form_of(by)))
        if not (d.documents or d.papers or d.settings.cited_folder):
            for kind in schema.get("$defs", {}).values():
                for key in ("document", "quote") if "document" in kind["properties"] else ():
                    del kind["properties"][key]
        return schema

    def read(
        self,
        by: str,
        value: Any,
        *,
        is_named: bool = False,
        check: Callable[[Any], Iterable[Fault]] = lambda _: (),
    ) -> tuple[Any, list[Fault]]:
        """Return a reply as its model, or None; and all that is wrong with it.

        `check` finds more than the rules do. Where it `is_named`, it has to say whose it is and for
        which exchange; what it says has to be so in any case. `side` may stand for `participant`.
        """
        if isinstance(value, dict) and "side" in value and self.protocol.sides:
            rest = {key: part for key, part in value.items() if key != "side"}
            value = {"participant": value["side"], **rest}
        form = self.form_of(by)
        reply, faults = parse_reply(form, value, lambda said: [*self.check(by, said), *check(said)])
        prepared = form.prepare(value)
        if isinstance(prepared, dict):
            found = self._find_naming_faults(by, prepared, is_required=is_named)
            own = form.model_fields
            faults = [*found, *(f for f in faults if f.where in own or f.where not in NAMING)]
        return reply, [replace(f, by=by) for f in faults]

    def _find_naming_faults(self, by: str, value: Any, *, is_required: bool) -> values.Faults:
        right = self.turn.name_reply(by)
        required = self.name_required(by)
        for key in (key for key in NAMING if key not in self.form_of(by).model_fields):
            given = value.get(key)
            if key == "participant" and isinstance(given, str):
                given = self.find_name(given)
            if key not in value and is_required and key in required:
                yield Fault(key, f"is missing: a reply says whose it is; expected {right[key]}")
            elif key in value and (given != right[key] or isinstance(given, bool)):
                yield Fault(key, f"is {show_value(given)}, expected {right[key]}")

    def check(self, by: str, reply: Any, *, is_on_record: bool = False) -> list[Fault]:
        """Return what rules and word limits have against a reply; on record it may be too long."""
        settings = self.debate.settings
        passes = settings.word_limits != "reject" or is_on_record or by == ADVISER
        over = [replace(f, is_warning=passes) for f in find_long_texts(reply, dict(settings))]
        if getattr(reply, "pass_reason", "") and reply.explain_pass() is None:
            why = "is left out: there is a reply"
            over.append(Fault("pass_reason", why, is_warning=True))
        view = self.protocol.find_view(self.debate, self.turn)
        return [*reply.find_faults(view, self.turn, by), *over]

    def make(self, replies: Mapping[str, Any]) -> list[Entry]:
        """Return the entries that the replies of the turn become; `Absent` stands for none."""
        turn, made = self.turn, list[Entry]()
        for by, number in ((task.by, task.number or turn.number) for task in turn.tasks):
            reply = replies[by]
            if not isinstance(reply, Absent) and (why := reply.explain_pass()) is not None:
                reply = Absent("pass", why, by)
            if isinstance(reply, Absent):
                data = asdict(reply)
                made.append(Entry(by, turn.round, "absence", data, {}, values.JUDGMENTS, number))
            else:
                made += reply.become(self.protocol.find_view(self.debate, turn), turn, by)
        answer = replies.get(ADVISER)
        if isinstance(answer, FirstAnswer) and self.tasks[-1] in _ADVISER_TASKS:
            is_second = self.tasks[-1] == _ADVISER_TASKS[1]
            data = {"title": "Second look" if is_second else "First answer"}
            texts, number = {"Answer": answer.text}, 2 if is_second else 0
            made.append(Entry(ADVISER, turn.round, "advice", data, texts, values.ADVICE, number))
        return made

    def commit(self, entries: Iterable[Entry]) -> list[Entry]:
        """Put a step on record, with what the rules compute then; return all of it."""
        done = [self.debate.add(entry) for entry in entries]
        computed = list[Entry]()
        self.place = self.advance(done, computed)
        self.debate.step += 1
        return done + computed

    def advance(
        self, done: list[Entry], computed: list[Entry], recorded: Mapping[str, Entry] = {}
    ) -> Place:
        """Let the script go on to where a reply or a person is due; add to `computed` on the way.

        `recorded` has what is on record of that.
        """
        script = self._script = self._script or self.protocol.script(self.debate)
        if done and done[0].kind == "cancellation":
            why = f"the debate is cancelled by {done[0].data['by']}: {done[0].data['reason']}"
            return Done(self.place.round, CANCELLED, why)
        is_act = bool(done) and done[0].by == values.PERSON
        come = script.throw(Acted(done[0])) if is_act else next(script)
        while True:
            if isinstance(come, Entry):
                computed.append(replace(come, step=self.debate.step))
                come = script.send(self.debate.add(recorded.get(come.id, come)))
            elif isinstance(come, Turn) and not come.tasks:
                come = next(script)
            else:
                return come


def start(protocol: Protocol, debate: Debate) -> Replayed:
    """Return a debate at its first turn."""
    at = Replayed(protocol, debate, Done(0, "", ""))
    at.place = at.advance([], [])
    return at


def replay(
    protocol: Protocol, debate: Debate, record: Iterable[Entry], *, audit: bool = False
) -> Replayed:
    """Return where a record leads; with `audit`, every step of it is made and checked again.

    A record that no rule leads to ends with a fault, if an audit finds one: the rules can read
    whatever they have made themselves, so anything else is a bug, and is raised as one.
    """
    record = sorted(record, key=lambda e: e.step)
    debate.ahead = {e.id for e in record}
    at = start(protocol, debate)
    names = {*protocol.participants(debate.settings), values.PERSON, ADVISER}
    for step, group in groupby(record, key=lambda e: e.step):
        entries, computed = list(group), list[Entry]()
        said, others = ([e for e in entries if (e.by in names) is own] for own in (True, False))
        debate.step = step
        try:
            if audit:
                audit_step(at, said)
            for entry in said:
                debate.add(entry)
            at.place = at.advance(said, computed, {e.id: e for e in others})
        except Exception:
            if not audit:
                return replay(protocol, replace(debate, step=0), record, audit=True)
            made = {e.id for e in computed}
            at.faults += compare(computed, [e for e in others if e.id in made])
            if not at.faults:
                raise
            first = at.faults[0].file
            if all(e.id != first for e in entries):
                why = f"not checked until {first} is repaired"
                at.faults.append(Fault("", why, file=entries[0].id))
            break
        if audit:
            at.faults += compare(computed, others)
        debate.step = step + 1
    return at


def audit_step(at: Replayed, entries: list[Entry]) -> None:
    """Note how a step differs from what its own replies, read back, would become."""
    try:
        made = _make_again(at, entries)
    except DebateError as error:
        name = next((e.id for e in entries), "")
        at.faults += error.faults or [Fault("", error.message, file=name)]
    else:
        at.faults += compare(made, entries)


def _make_again(at: Replayed, entries: list[Entry]) -> list[Entry]:
    """Return what the replies of a step, or a person's act, become once more."""
    if entries and entries[0].by == values.PERSON:
        for each in (*([e] for e in entries), entries):  # alone first: the one at fault is named
            with _reading_back(each[0]):
                act = at.protocol.recall_act(each)
        return at.protocol.act(at.debate, at.place, act)
    replies: dict[str, Any] = {}
    for task in at.tasks:
        own = [e for e in entries if e.by == task.by]
        if not own and task in _ADVISER_TASKS:
            continue
        if not own:
            why = f"has nothing on record at step {at.debate.step}"
            raise BadRecordError("", faults=(Fault("", why, file=task.by),))
        missing = next((e.data for e in own if e.kind == "absence"), None)
        with _reading_back(own[0]):
            if missing is None:
                replies[task.by] = reply = at.form_of(task.by).recall(own)
            else:
                replies[task.by] = Absent(*(str(missing[key]) for key in ("how", "reason", "by")))
        found = at.check(task.by, reply, is_on_record=True) if missing is None else ()
        for fault in found:  # at a place such as `arguments.1.claim`
            numbers = [int(part) for part in fault.where.split(".") if part.isdigit()]
            number = numbers[0] if numbers and numbers[0] < len(own) else 0
            noted = at.warnings if fault.is_warning else at.faults
            noted.append(replace(fault, file=own[number].id))
    return at.make(replies)


@contextmanager
def _reading_back(entry: Entry) -> Iterator[None]:
    """Refuse an entry as no record if nothing can be read back from it."""
    try:
        yield
    except ModelError as error:
        wrong = [*explain_errors(error)]
    except (AttributeError, LookupError, TypeError, ValueError):  # a header of another form
        wrong = [("", "it does not follow from what is on record before it")]
    else:
        return
    text = "no reply could become this: {}"
    faults = tuple(Fault(where, text.format(why), file=entry.id) for where, why in wrong)
    raise BadRecordError("", faults=faults)


def compare(made: Iterable[Entry], recorded: Iterable[Entry]) -> list[Fault]:
    """Return what is otherwise on record than the rules make it, key by key."""
    right, there = ({e.id: e.compared() for e in entries} for entries in (made, recorded))
    if spell(right) == spell(there):  # at once, as nearly all are
        return []
    faults = []
    for name, key in {(n, key): 0 for each in (right, there) for n in each for key in each[n]}:
        is_, was = (spell(each.get(name, {}).get(key)) for each in (there, right))
        if is_ != was:
            why = f"is {one_line(is_, 200)} on record, {one_line(was, 200)} by the rules"
            faults.append(Fault(key, why, file=name))
    return faults


def spell(value: Any) -> str:
    """Return a value as JSON in one form: sorted keys, and equal numbers alike."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=to_json)


def to_json(value: Any) -> Any:
    """Return what JSON has in the place of a mapping, or of an exact number."""
    if isinstance(value, Mapping):
        return dict(value)
    number = float(value)
    return int(value) if number.is_integer() else number

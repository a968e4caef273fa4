"""A debate as its folder has it: what is on record, what is not, and what was edited afterwards.

One entry of each turn names the framing and all entries of the turn before by their digests, and
`debate.md` those of the newest turn. An entry keeps the digest that it was committed with, so an
edit is found until the file is as it was; it can be hidden only by writing all digests after it
anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from debate_ops.core.errors import BadRecordError
from debate_ops.core.values import ADVICE, Entry, Fault, parse_id
from debate_ops.engine import files, inbox
from debate_ops.engine.debate_file import NAME, Header, read_header
from debate_ops.engine.entry_files import read_entry
from debate_ops.engine.headers import compose_file, digest_text, split_file
from debate_ops.engine.store import RECORD_FOLDERS, Folder, list_temporaries, set_aside

FRAMING = "framing"
"""The name of the body of `debate.md` among the ids of entries."""
SCORES = "scores.json"
"""Where an older tool kept all scores."""
_MOST_NAMED = 20


@dataclass
class Record:
    """What is in a debate folder: `seen` is its `debate.md` to the letter.

    `entries` belong to the debate, by step; `beyond` were written by this program and are at a
    step that is not committed; `strangers` are other files in the folders of the record. `digests`
    are those of all entries' files by id.
    """

    folder: Folder
    seen: str
    header: Header
    body: str
    entries: list[Entry] = field(default_factory=list)
    beyond: list[Entry] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)

    @property
    def step(self) -> int:
        """How many turns were committed; 0 where somebody has begun the debate by hand."""
        return self.header.step or 0

    def write(self, header: Header) -> str:
        """Return the text of `debate.md` with another header."""
        return compose_file(header.as_data(), self.body)

    def read(self, entry: Entry) -> str:
        """Return the text of an entry's file, line ends as we write them."""
        text = files.read_text(self.folder.entry(entry.folder, entry.id))
        return text.replace("\r\n", "\n")

    def digest(self, entry: Entry, expected: str = "") -> str:
        """Return the digest of an entry's file in the form that we write, whatever saved it."""
        if self.digests[entry.id] == expected:
            return expected
        front = split_file(self.read(entry), entry.id)
        return digest_text(compose_file(front.header, front.body))


def order_id(entry_id: str) -> tuple[int, str, str, str, int]:
    """Return the sort key of an id: by exchange as a number, so that 1000 follows 999."""
    parts = parse_id(entry_id) or {}
    number = int(parts.get("number") or 0)
    kind = parts.get("kind") or ""
    return int(parts.get("round", -1)), parts.get("by", ""), parts.get("letter", ""), kind, number


def read_debate_file(folder: Folder) -> Record:
    """Return what `debate.md` says; the entries are not looked at.

    Raises:
        BadRecordError: it cannot be read.
    """
    seen = files.read_text(folder.debate_file)
    front = split_file(seen, NAME)
    return Record(folder, seen, read_header(front.header), front.body)


def load_record(folder: Folder, record: Record | None = None) -> Record:
    """Return what is in a debate folder; `record` has what is known of its `debate.md`.

    Raises:
        BadRecordError: names every file that cannot be read.
    """
    record = record or read_debate_file(folder)
    refuse_older_tool(record)
    faults: list[BadRecordError] = []
    for kind in RECORD_FOLDERS:
        for name in files.list_names(folder.within(kind)):
            parts = parse_id(entry_id := name.removesuffix(".md"))
            if name.startswith(".") or not name.endswith(".md"):
                continue
            if parts is None:
                record.strangers.append(f"{kind}/{name}")
                continue
            try:
                _add_file(record, kind, entry_id)
            except BadRecordError as error:
                if int(parts["round"]) > record.header.current_exchange:
                    record.strangers.append(f"{kind}/{name}")
                else:
                    faults.append(error)
    if faults:
        raise BadRecordError(
            "; ".join(fault.message for fault in faults[:_MOST_NAMED]),
            hint=faults[0].hint,
            faults=tuple(Fault("", fault.message) for fault in faults),
        )
    return record


def _add_file(record: Record, kind: str, entry_id: str) -> None:
    """Read the file of an entry, and put it where it belongs."""
    text = files.read_text(record.folder.entry(kind, entry_id))
    entry, name = read_entry(text, kind, entry_id), f"{kind}/{entry_id}.md"
    if entry_id in record.digests:
        hint = "Move the copy away."
        raise BadRecordError(f"{name}: {entry_id} lies in another folder, too", hint=hint)
    record.digests[entry_id] = digest_text(text)
    if entry.step < record.step:
        record.entries.append(entry)
    elif entry.header.get("from"):
        record.beyond.append(entry)
    else:
        record.strangers.append(name)


def refuse_older_tool(record: Record) -> None:
    """Refuse a debate of the older tool: it has scores in one file, or entries without a step."""
    folder, header = record.folder, record.header
    if header.step is not None:
        return
    if header.created:
        raise BadRecordError(
            f"{NAME} has lost its step",
            hint=f"Put it in by hand, or run 'validate {folder.name} --fix'.",
        )
    there = [SCORES] if SCORES in files.list_names(folder.path) else []
    there += [
        f"{kind}/{n}" for kind in RECORD_FOLDERS for n in files.list_names(folder.within(kind))
    ]
    if there := [name for name in there if name.endswith((".md", ".json"))]:
        raise BadRecordError(
            f"{folder.path} was written by an older tool: {NAME} has no step, and {there[0]} is "
            "there",
            hint=f"Run 'debate-ops convert {folder.name}': it makes a debate of it in a new "
            "folder, and changes nothing here.",
        )


# Recovery.


def has_leftovers(record: Record) -> bool:
    """Tell whether an interrupted command left anything.

    Raises:
        BadRecordError: `debate.md` is older than its record.
    """
    newer = [e.id for e in record.beyond if e.step > record.step]
    if newer := [i for i in newer if i not in record.header.undone]:  # nor were they taken back
        raise BadRecordError(
            f"{NAME} is at step {record.step}, but {', '.join(newer)} were written later: it is "
            "older than its record",
            hint=f"Bring back the newer {NAME}, or run 'validate {record.folder.name} --fix' to "
            "make it from the record.",
        )
    folder = record.folder
    undo = inbox.read_undo(folder)
    return bool(record.beyond or list_temporaries(folder) or undo is not None)


def recover(record: Record, *, is_for_undo: bool = False) -> tuple[list[Fault], bool]:
    """Clear away what an interrupted command left; nothing that a person wrote is touched.

    Temporary files go; entries of a commit that did not happen move to `set-aside/`, because the
    same replies will write them again. An undo that was committed is brought to its end; the note
    of it stays where it `is_for_undo`, which forgets it when it is done. Returns a warning for
    each, and whether there was such an undo.
    """
    if not has_leftovers(record):
        return [], False
    folder, undone = record.folder, record.header.undone
    for path in list_temporaries(folder):
        files.discard(path)
    warnings = []
    if is_undone := inbox.read_undo(folder) == record.step:
        text = f"the undo of {', '.join(undone)} was interrupted; it has come to its end now"
        warnings.append(Fault("", text, is_warning=True))
        inbox.set_aside_from(folder, record.step)
    for entry in record.beyond:
        moved = set_aside(folder, folder.entry(entry.folder, entry.id))
        why = "was taken back" if entry.id in undone else "is left by a commit that did not happen"
        text = f"{entry.id} {why}; it is now {moved}"
        warnings.append(Fault("", text, file=moved, is_warning=True))
    record.beyond.clear()
    if is_undone and not is_for_undo:  # else the next replies of this step would go aside, too
        files.discard(folder.within(inbox.UNDO))
    return warnings, is_undone


# Digests.


def digest_turn(body: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the digests for `debate.md`: of its body and of the newest entries' files, by id."""
    newest = {entry_id: digest_text(texts[entry_id]) for entry_id in sorted(texts, key=order_id)}
    return {FRAMING: digest_text(body), **newest}


def digest_before(record: Record) -> dict[str, str]:
    """Return what the next turn rests on: the framing, and the entries of the newest turn.

    An entry whose digest was removed from `debate.md` has none, so that the removal shows. Where
    an older version wrote the newest turn, its files count as they are.
    """
    newest = [e for e in record.entries if e.step == record.step - 1]
    newest.sort(key=lambda e: order_id(e.id))
    known = {e.id: d for e in newest if (d := record.header.digests.get(e.id))}
    if not known and not _get_stated(newest):
        known = {e.id: record.digest(e) for e in newest}
    return {FRAMING: digest_text(record.body), **known}


def digest_again(record: Record, step: int) -> dict[str, str]:
    """Return the digests for a `debate.md` that goes back to `step`."""
    stated = _get_stated(e for e in record.entries if e.step == step)
    before = [e for e in record.entries if e.step == step - 1]
    known = {e.id: record.digest(e) for e in sorted(before, key=lambda e: order_id(e.id))}
    return stated or {FRAMING: digest_text(record.body), **known}


def _get_stated(turn: Iterable[Entry]) -> dict[str, str]:
    """Return what the entries of a turn say that it rests on; nothing in an older version's."""
    stated: dict[str, str] = {}
    for entry in turn:
        stated |= entry.header.get("rests_on") or {}
    return stated


def find_edits(record: Record) -> list[Fault]:
    """Return what was edited, lost or hidden after a later turn had come to rest on it."""
    by_id = {entry.id: entry for entry in record.entries}
    ordered = sorted(record.entries, key=lambda e: (e.step, order_id(e.id)))
    found: list[Fault] = []
    framings: list[tuple[int, str]] = []
    before: list[str] = []
    begun = False
    accounts = [(s, [*turn]) for s, turn in groupby(ordered, key=lambda e: e.step)]
    for step, turn in accounts:
        stated = _get_stated(turn)
        begun = begun or bool(stated)
        if begun:
            where = next((e for e in turn if e.header.get("rests_on")), turn[0])
            name = f"{where.folder}/{where.id}.md"
            found += _compare_digests(record, by_id, stated, before, name)
            framings += [(step, stated[FRAMING])] if FRAMING in stated else []
        before = [e.id for e in turn]
    if begun or record.header.digests:
        found += _compare_digests(record, by_id, record.header.digests, before, NAME)
        own = record.header.digests.get(FRAMING)
        framings += [(record.step, own)] if own else []
    for entry in record.entries:  # what older versions wrote: the digests of what it judges
        judged = {item["id"]: item["digest"] for item in entry.header.get("judged") or ()}
        ids, name = [i for i in judged if i in by_id], f"{entry.folder}/{entry.id}.md"
        found += _compare_digests(record, by_id, judged, ids, name)
    now = (record.step, digest_text(record.body))
    for (turns, one), (_, other) in pairwise([*framings, now]):
        if one != other:
            when = f"after {turns} turn{'s' if turns != 1 else ''}" if turns else "after 'new'"
            text = f"the motion, a definition, the scope or the context was edited {when}"
            found.append(Fault("", text, file=NAME, is_warning=True))
    return list(dict.fromkeys(found))


def _compare_digests(
    record: Record,
    by_id: Mapping[str, Entry],
    digests: Mapping[str, str],
    expected: Iterable[str],
    where: str,
) -> Iterator[Fault]:
    """Yield what the digests that stand in one file say otherwise than the files."""
    expected = [FRAMING, *expected] if where == NAME or FRAMING in digests else [*expected]
    if missing := [name for name in expected if name not in digests]:
        text = f"it has no digest of {_name(missing)}: whether they were edited cannot be said"
        yield Fault("", text, file=where, is_warning=True)
    if lost := [name for name in digests if name != FRAMING and name not in by_id]:
        text = f"it rests on {_name(lost)}, which is not on record any more"
        yield Fault("", text, file=where, is_warning=True)
    for name in digests:
        entry = by_id.get(name)
        if entry and record.digest(entry, digests[name]) != digests[name]:
            text = f"it was edited after it had been put on record at step {entry.step}"
            yield Fault("", text, file=f"{entry.folder}/{name}.md", is_warning=True)


def _name(names: list[str]) -> str:
    rest = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + rest


def name_first(entries: Iterable[Entry]) -> str:
    """Return which entry of a turn says what the turn rests on."""
    return min((entry.id for entry in entries if entry.folder != ADVICE), key=order_id)

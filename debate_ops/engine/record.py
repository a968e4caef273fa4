"""A debate as its folder has it: what is on record, what is not, and what was edited afterwards.

One entry of each turn names the framing and all entries of the turn before by their digests, and
`debate.md` those of the newest turn, so an edit is found until the file is as it was. The first
turn rests on the keys of the header that never change, too, and every turn on what people said.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from debate_ops.core.errors import BadRecordError
from debate_ops.core.texts import spell_place
from debate_ops.core.values import ADVICE, Entry, Fault, parse_id
from debate_ops.engine import files, inbox
from debate_ops.engine.debate_file import Header, read_header
from debate_ops.engine.entry_files import read_entry, write_entry
from debate_ops.engine.headers import canonical, compose_file, digest_text, split_file
from debate_ops.engine.store import DEBATE_FILE, RECORD_FOLDERS, Folder, list_temporaries, set_aside

FRAMING = "framing"
"""The name of the body of `debate.md` among the ids of entries."""
SCORES = "scores.json"
"""Where an older tool kept all scores."""
_NEVER_CHANGED = ("debate_id", "protocol", "settings", "created", "replay_of")
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
        text = files.read_text(self.folder.within(entry.file))
        return text.replace("\r\n", "\n")

    def digest(self, entry: Entry, expected: str = "") -> str:
        """Return the digest of an entry's file in the form that we write, whatever saved it."""
        if self.digests[entry.id] == expected:
            return expected
        front = split_file(self.read(entry), entry.id)
        return digest_text(compose_file(front.header, front.body))

    def refuse_older_tool(self) -> None:
        """Refuse a debate of the older tool: it has all scores in one file, or no steps."""
        folder, header = self.folder, self.header
        if header.step is not None:
            return
        if header.created:
            hint = f"Put it in by hand, or run 'validate {folder.name} --fix'."
            raise BadRecordError(f"{DEBATE_FILE} has lost its step", hint=hint)
        there = [SCORES] if SCORES in files.list_names(folder.path) else []
        there += [f"{k}/{n}" for k in RECORD_FOLDERS for n in files.list_names(folder.within(k))]
        if there := [name for name in there if name.endswith((".md", ".json"))]:
            raise BadRecordError(
                f"{folder.path} was written by an older tool: {DEBATE_FILE} has no step, and "
                f"there is {there[0]}",
                hint=f"Run 'debate-ops convert {folder.name}', which changes nothing here.",
            )

    def find_strays(self) -> Iterator[Fault]:
        """Yield a warning for each file that is not part of the debate, or not yet."""
        left = map(self.folder.shown, list_temporaries(self.folder))
        for name in (*self.strangers, *(e.file for e in self.beyond), *left):
            text = f"{name} is not part of the debate, or not yet"
            yield Fault("", text, file=name, is_warning=True)

    def has_leftovers(self) -> bool:
        """Tell whether an interrupted command left anything; refuse a `debate.md` that is older."""
        undone = self.header.undone
        if newer := [e.id for e in self.beyond if e.step > self.step and e.id not in undone]:
            raise BadRecordError(
                f"{DEBATE_FILE} is at step {self.step}, but {', '.join(newer)} were written later: "
                "it is older than its record",
                hint=f"Bring back the newer one, or run 'validate {self.folder.name} --fix'.",
            )
        is_stale = inbox.read_undo(self.folder) not in {None, self.step}
        return bool(self.beyond or is_stale or list_temporaries(self.folder))

    def recover(self) -> list[Fault]:
        """Clear away what an interrupted command left; return a warning for each entry of it.

        Entries of a commit that did not happen move to `set-aside/`, because the same replies will
        write them again. An undo that was committed is brought to its end, but for its note, by
        which a repeat takes nothing more back.
        """
        if not self.has_leftovers():
            return []
        for path in list_temporaries(self.folder):
            files.discard(path)
        is_undo = inbox.read_undo(self.folder) == self.step
        if is_undo and self.beyond:
            inbox.set_aside_from(self.folder, self.step)
        warnings = []
        for entry in self.beyond:
            moved = set_aside(self.folder, self.folder.within(entry.file))
            text = f"{entry.id} is left by a stopped commit; it is now {moved}"
            warnings.append(Fault("", text, file=moved, is_warning=True))
        self.beyond.clear()
        if is_undo:
            return []
        files.discard(self.folder.within(inbox.UNDO))
        return warnings

    def digest_again(self, step: int) -> dict[str, str]:
        """Return what the turn of `step` rests on; of older versions' the files as they are now."""
        turns = self._list_turns()
        before = {e.id: self.digest(e) for e in turns[step - 1]}
        if not step:
            before = {key: digest_value(getattr(self.header, key)) for key in _NEVER_CHANGED}
        return _get_stated(turns[step]) or {FRAMING: digest_text(self.body), **before}

    def digest_before(self) -> dict[str, str]:
        """Return what the next turn rests on: the framing, and the entries of the newest turn.

        An entry whose digest was removed from `debate.md` has none, so that the removal shows.
        """
        known, step = self.header.digests, self.step
        newest = self._list_turns()[step - 1]
        if not _get_stated(newest) and not any(entry.id in known for entry in newest):
            known = self.digest_again(step) | known  # of an older version
        return {**known, FRAMING: digest_text(self.body)}

    def _list_turns(self) -> dict[int, list[Entry]]:
        turns: dict[int, list[Entry]] = defaultdict(list)
        for entry in sorted(self.entries, key=lambda e: (e.step, order_id(e.id))):
            turns[entry.step].append(entry)
        return turns

    def _list_accounts(self) -> Iterator[tuple[str, Mapping[str, str], list[str]]]:
        """Yield which file has digests, these, and the names that it should have one of."""
        is_stated, before = False, list[str]()
        for turn in self._list_turns().values():
            stated = _get_stated(turn)
            if is_stated := is_stated or bool(stated):
                first = next((e for e in turn if e.header.get("rests_on")), turn[0])
                yield first.file, stated, [FRAMING, *before]
            before = [e.id for e in turn]
        if is_stated or self.header.digests:
            yield DEBATE_FILE, self.header.digests, [FRAMING, *before]
        for entry in self.entries:  # of older versions: what it judges
            judged = {item["id"]: item["digest"] for item in entry.header.get("judged") or ()}
            yield entry.file, judged, []

    def find_edits(self) -> list[Fault]:
        """Return what was edited, lost or hidden after a later turn had come to rest on it."""
        by_id, header = {entry.id: entry for entry in self.entries}, self.header.model_dump()
        header |= {f"words.{number}": word for number, word in enumerate(header["words"])}
        now = {name: digest_value(value) for name, value in header.items()}
        now[FRAMING], found = digest_text(self.body), list[tuple[str, str]]()
        for file, digests, expected in self._list_accounts():
            if missing := [name for name in expected if name not in digests]:
                named = ", ".join(missing[:_MOST_NAMED]) + ", …" * (len(missing) > _MOST_NAMED)
                text = f"it has no digest of {named}: whether they were edited cannot be said"
                found.append((file, text))
            for name, digest in digests.items():
                entry = by_id.get(name)
                is_now = self.digest(entry, digest) if entry else now.get(name)
                if is_now is None:
                    found.append((file, f"it rests on {name}, which is not on record any more"))
                elif entry and is_now != digest:
                    text = f"it was edited after it had been put on record at step {entry.step}"
                    found.append((entry.file, text))
                elif is_now != digest:
                    framing = "the motion, a definition, the scope or the context"
                    what = framing if name == FRAMING else f"the value of {spell_place(name)}"
                    found.append((DEBATE_FILE, f"{what} was edited"))
        return [Fault("", text, file=file, is_warning=True) for file, text in dict.fromkeys(found)]


def order_id(entry_id: str) -> tuple[int, str, str, str, int]:
    """Return the sort key of an id: by exchange as a number, so that 1000 follows 999."""
    parts = parse_id(entry_id) or {}
    number, kind = int(parts.get("number") or 0), parts.get("kind") or ""
    return int(parts.get("round", -1)), parts.get("by", ""), parts.get("letter", ""), kind, number


def read_debate_file(folder: Folder) -> Record:
    """Return what `debate.md` says; the entries are not looked at."""
    seen = files.read_text(folder.debate_file)
    front = split_file(seen, DEBATE_FILE)
    header = read_header(front.header)
    header.debate_id = header.debate_id or folder.slug
    return Record(folder, seen, header, front.body)


def load_record(folder: Folder, record: Record | None = None) -> Record:
    """Return what is in a debate folder, or name every file that cannot be read."""
    record = record or read_debate_file(folder)
    record.refuse_older_tool()
    faults: list[BadRecordError] = []
    for kind in RECORD_FOLDERS:
        for name in files.list_names(folder.within(kind)):
            if name.startswith(".") or not name.endswith(".md"):
                continue
            parts = parse_id(entry_id := name.removesuffix(".md"))
            try:
                is_own = parts is not None and _add_file(record, kind, entry_id)
            except BadRecordError as error:
                is_own = parts is not None and int(parts["round"]) <= record.header.current_exchange
                faults += [error] * is_own
            if not is_own:
                record.strangers.append(f"{kind}/{name}")
    if faults:
        raise BadRecordError(
            "; ".join(fault.message for fault in faults[:_MOST_NAMED]),
            hint=faults[0].hint,
            faults=tuple(Fault("", fault.message) for fault in faults),
        )
    return record


def _add_file(record: Record, kind: str, entry_id: str) -> bool:
    """Add the entry of a file to a record, and tell whether this program wrote it."""
    name = f"{kind}/{entry_id}.md"
    entry = read_entry(text := files.read_text(record.folder.within(name)), kind, entry_id)
    if entry_id in record.digests:
        hint = "Move the copy away."
        raise BadRecordError(f"{name}: {entry_id} lies in another folder, too", hint=hint)
    record.digests[entry_id] = digest_text(text)
    is_beyond = entry.step >= record.step
    if is_beyond and not entry.header.get("from"):
        return False
    (record.beyond if is_beyond else record.entries).append(entry)
    return True


def write_turn(
    body: str, turn: Iterable[Entry], rests_on: Mapping[str, str]
) -> tuple[list[Entry], dict[str, str], dict[str, str]]:
    """Return the entries of a turn, one of which says what it rests on, their texts, and digests.

    The texts are by the names of files; the digests are for a `debate.md` with this body.
    """
    turn = sorted(turn, key=lambda e: order_id(e.id))
    first = next(entry.id for entry in turn if entry.folder != ADVICE)
    own = [{**e.header, "rests_on": rests_on if e.id == first else {}} for e in turn]
    turn = [replace(entry, header=header) for entry, header in zip(turn, own, strict=True)]
    texts = {entry.file: write_entry(entry) for entry in turn}
    newest = {entry.id: digest_text(texts[entry.file]) for entry in turn}
    return turn, texts, {FRAMING: digest_text(body), **newest}


def digest_value(value: Any) -> str:
    """Return the digest of a value in a header, in whatever form it is saved there."""
    return digest_text(canonical(value))


def _get_stated(turn: Iterable[Entry]) -> dict[str, str]:
    """Return what the entries of a turn say that it rests on; nothing in an older version's."""
    stated = (entry.header.get("rests_on") or {} for entry in turn)
    return {name: digest for each in stated for name, digest in each.items()}

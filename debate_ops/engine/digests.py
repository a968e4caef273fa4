"""What each turn rests on, as digests, so that an edit afterwards shows in every protocol.

One entry of each turn names the framing and all entries of the turn before by their digests, and
`debate.md` those of the newest turn. An entry keeps the digest that it was committed with, so an
edit is found until the file is as it was; it can be hidden only by writing all digests after it
anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from debate_ops.errors import Finding
from debate_ops.formats.debate_file import NAME
from debate_ops.formats.digest import of_text
from debate_ops.formats.json_text import canonical
from debate_ops.model import messages
from debate_ops.model.debate import Debate
from debate_ops.model.entries import JUDGMENTS, Entry
from debate_ops.model.ids import order
from debate_ops.storage.folder import RECORD_FOLDERS
from debate_ops.storage.record import everything, of_step

FRAMING = "framing"
"""The name of the body of `debate.md` among the ids of entries."""

RECENT = 20
"""Exchanges whose entries are looked at in any case."""

EDITED = "edited_since"
LOST = "entry_lost"
REMOVED = "digests_removed"


def after_turn(body: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the digests for `debate.md`: of its body and of the newest entries' files, by id."""
    newest = {entry_id: of_text(texts[entry_id]) for entry_id in sorted(texts, key=order)}
    return {FRAMING: of_text(body), **newest}


def before_next(debate: Debate) -> dict[str, str]:
    """Return what the next turn rests on: the framing, and the entries of the newest turn.

    An entry whose digest was removed from `debate.md` has none, so that the removal shows. Where
    an older version wrote the newest turn, its files count as they are.
    """
    newest, known = _newest(debate), debate.digests
    known = {entry.id: known[entry.id] for entry in newest if entry.id in known}
    if not known and not _stated(newest):
        return digests_of_record(debate)
    return {FRAMING: of_text(debate.body), **known}


def digests_of_record(debate: Debate) -> dict[str, str]:
    """Return the digests for a `debate.md` that is made anew.

    Where the old one had none, they are those of the files as they are.
    """
    known, record = debate.digests, debate.record
    newest = {e.id: known.get(e.id) or record.digest(e.id) for e in _newest(debate)}
    return {FRAMING: of_text(debate.body), **newest}


def of_whole_record(debate: Debate) -> str:
    """Return one digest of the framing and of every entry, as the files are now."""
    record = debate.record
    digests = {FRAMING: of_text(debate.body)}
    for entry in everything(record):
        without_file = of_text(canonical(dict(entry.header)))
        digests[entry.id] = record.digest(entry.id) if _has_file(entry) else without_file
    return of_text(canonical(digests))


def before_again(debate: Debate, before: Debate) -> dict[str, str]:
    """Return the digests for a `debate.md` that goes back from `debate` to what was `before`."""
    rests_on = _stated(of_step(debate.record, before.step))
    return rests_on or before_next(before._replace(digests={}))


def newest_edits(debate: Debate) -> list[Finding]:
    """Return what was edited of the framing and the newest turn: the others are not looked at."""
    newest = _newest(debate)
    if not (debate.digests or _stated(newest)):
        return []
    account = _account_of_debate_md(debate, newest)
    return [*_differences(debate, account, _ids(debate)), *_framing_edits(debate, [account])]


def edits(debate: Debate, among: Collection[str] | None = None) -> list[Finding]:
    """Return what was edited after a later turn had come to rest on it; every file is read.

    With `among`, only these entries and the newest exchanges are looked at, so that it takes no
    longer in a long debate.
    """
    ids = _ids(debate)
    near = ids if among is None else _near(ids, among, debate.state.exchange - RECENT)
    entries = [entry for entry in map(debate.record.get, near) if entry is not None]
    accounts = _accounts(debate, entries)
    edits = [
        finding
        for account in (*accounts, *_judged(entries, ids))
        for finding in _differences(debate, account, ids)
    ]
    return list(dict.fromkeys((*edits, *_framing_edits(debate, accounts))))


class _Account(NamedTuple):
    """The digests that stand in the file `where` after so many turns.

    `expected` are the names that have to be among them.
    """

    turns: int
    where: str
    digests: Mapping[str, str]
    expected: Sequence[str]


def _accounts(debate: Debate, entries: Iterable[Entry]) -> list[_Account]:
    """Return the digests of each turn, and of `debate.md`; none of what an older version wrote."""
    turns: dict[int, list[Entry]] = {}
    for entry in sorted(entries, key=lambda entry: (entry.step, order(entry.id))):
        turns.setdefault(entry.step, []).append(entry)
    accounts: list[_Account] = []
    for step, turn in turns.items():
        digests = _stated(turn)
        if digests or accounts:
            where = next((entry.file for entry in turn if _stated([entry])), turn[0].file)
            accounts.append(_Account(step + 1, where, digests, _expected(turns.get(step - 1, ()))))
    if debate.digests or accounts:
        accounts.append(_account_of_debate_md(debate, turns.get(debate.step - 1, ())))
    return accounts


def _account_of_debate_md(debate: Debate, newest: Iterable[Entry]) -> _Account:
    return _Account(debate.step, NAME, debate.digests, _expected(newest))


def _expected(turn: Iterable[Entry]) -> list[str]:
    return [FRAMING, *(entry.id for entry in turn if _has_file(entry))]


def _judged(entries: Iterable[Entry], ids: Mapping[str, None]) -> Iterator[_Account]:
    """Yield the digests that older versions wrote: those of what a judgment was about."""
    for entry in entries:
        digests = {item["id"]: item["digest"] for item in entry.header.get("judged") or ()}
        yield _Account(entry.step + 1, entry.file, digests, [i for i in digests if i in ids])


def _differences(debate: Debate, account: _Account, ids: Mapping[str, None]) -> Iterator[Finding]:
    digests, expected = account.digests, account.expected
    missing = [name for name in expected if name not in digests]
    if missing:
        names = messages.names(missing)
        message = f"it has no digest of {names}: whether they were edited cannot be said"
        yield Finding(REMOVED, message, file=account.where)
    yield from _lost(account.where, digests, ids)
    for entry_id in expected:
        entry = debate.record.get(entry_id) if entry_id in digests else None
        if entry is not None and debate.record.digest(entry_id) != digests[entry_id]:
            message = f"it was edited after it had been put on record at step {entry.step}"
            yield Finding(EDITED, message, file=entry.file)


def missing_entries(debate: Debate) -> list[Finding]:
    """Return a warning for each entry that rests on others which are not on record any more."""
    ids = _ids(debate)
    return [w for e in everything(debate.record) for w in _lost(e.file, _stated([e]), ids)]


def _lost(where: str, digests: Mapping[str, str], ids: Mapping[str, None]) -> Iterator[Finding]:
    lost = [name for name in digests if name != FRAMING and name not in ids]
    if lost:
        message = f"it rests on {messages.names(lost)}, which is not on record any more"
        yield Finding(LOST, message, file=where)


def _framing_edits(debate: Debate, accounts: Iterable[_Account]) -> Iterator[Finding]:
    """Yield after how many turns the framing became another one."""
    known = [(a.turns, a.digests[FRAMING]) for a in accounts if FRAMING in a.digests]
    now = (debate.step, of_text(debate.body))
    for (turns, before), (_, after) in pairwise([*known, now]):
        if before != after:
            when = f"after {turns} turn{'s' if turns != 1 else ''}" if turns else "after 'new'"
            message = f"the motion, a definition, the scope or the context was edited {when}"
            yield Finding(EDITED, message, file=NAME)


def _near(ids: Iterable[str], among: Iterable[str], recent: int) -> list[str]:
    """Return the ids of the exchanges of some entries, of the one after each, and of recent ones.

    An entry's digest stands in the turn after it.
    """
    exchanges = {order(entry_id)[0] for entry_id in among}
    exchanges |= {exchange + 1 for exchange in exchanges}
    numbers = ((entry_id, order(entry_id)[0]) for entry_id in ids)
    return [i for i, exchange in numbers if exchange in exchanges or exchange >= recent]


def _ids(debate: Debate) -> dict[str, None]:
    return dict.fromkeys(i for kind in RECORD_FOLDERS for i in debate.record.ids(kind))


def _newest(debate: Debate) -> list[Entry]:
    newest = of_step(debate.record, debate.step - 1)
    return sorted(filter(_has_file, newest), key=lambda entry: order(entry.id))


def _has_file(entry: Entry) -> bool:
    """Tell whether an entry is a file of its own: judgments of an older tool are not."""
    return not (entry.folder == JUDGMENTS and entry.header.get("older"))


def _stated(turn: Iterable[Entry]) -> dict[str, str]:
    """Return what the entries of a turn say that it rests on; nothing in an older version's."""
    stated: dict[str, str] = {}
    for entry in turn:
        stated |= entry.header.get("rests_on") or {}
    return stated

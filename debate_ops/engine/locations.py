"""Whether every entry lies in the folder where it belongs, by the names of the files alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from debate_ops.errors import BadRecordError, Finding
from debate_ops.model.entries import ADVICE
from debate_ops.protocols import first_answer
from debate_ops.protocols.base import Rules
from debate_ops.protocols.table import rules_of
from debate_ops.storage.folder import RECORD_FOLDERS


def refuse_misplaced(protocol: str, ids: Mapping[str, Sequence[str]]) -> None:
    """Refuse a record with an entry in the wrong folder: it would be taken for something else.

    Raises:
        BadRecordError: names each file, and where it belongs.
    """
    if faults := misplaced(protocol, ids):
        raise BadRecordError(
            "; ".join(fault.message for fault in faults),
            hint="Move it to where it belongs, or away if it is a copy.",
        )


def misplaced(protocol: str, ids: Mapping[str, Sequence[str]]) -> tuple[Finding, ...]:
    """Return a fault for each entry in the wrong folder; `ids` are what each folder has."""
    rules = rules_of(protocol)
    there = {folder: frozenset(ids[folder]) for folder in RECORD_FOLDERS}
    return tuple(
        _fault(folder, entry_id, right, is_copy=entry_id in there.get(right, ()))
        for folder in RECORD_FOLDERS
        for entry_id in ids[folder]
        if (right := _folder_of(rules, entry_id))
        not in ({folder} if folder == ADVICE else {"", folder})
    )


def _folder_of(rules: Rules, entry_id: str) -> str:
    return ADVICE if first_answer.is_its_id(entry_id) else rules.folder_of(entry_id)


def _fault(folder: str, entry_id: str, right: str, *, is_copy: bool) -> Finding:
    file = f"{folder}/{entry_id}.md"
    where = f"in {right}/" if right else "nowhere in this debate"
    message = f"{file} lies in the wrong folder: {entry_id} belongs {where}"
    message += ", where it is, too" if is_copy else ""
    return Finding("wrong_folder", message, file=file, actual=folder, expected=right)

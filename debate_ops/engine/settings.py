"""A debate's settings: in full, and each one checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from debate_ops.errors import BadRecordError, Finding, UsageError
from debate_ops.formats import json_text
from debate_ops.model.debate import Debate
from debate_ops.model.texts import one_line
from debate_ops.protocols import first_answer
from debate_ops.protocols.base import Rules
from debate_ops.protocols.table import rules_of

MAX_SHOWN = 200
"""Characters of a wrong value that a message shows."""

MAX_REASON = 4_000
"""Characters of what is wrong with it: room for every fault of many participants."""


def checked_settings(rules: Rules, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return a protocol's settings in full: what was given, and the defaults for the rest.

    Raises:
        UsageError: one is unknown or missing, has a value it cannot have, or does not fit the
            others; all are named at once.
    """
    known = {setting.name: setting for setting in rules.SETTINGS}
    faults = [_unknown(name, known) for name in chosen if name not in known]
    settings: dict[str, Any] = {}
    for name, setting in known.items():
        value = chosen.get(name, setting.default)
        if value is None:
            faults.append(_fault(name, f"missing, expected {setting.expected}"))
            continue
        try:
            settings[name] = setting.read(value)
            json_text.canonical(settings[name]).encode("utf-8")
        except (ValueError, ArithmeticError) as error:
            why = "" if isinstance(error, UnicodeError) else one_line(str(error), MAX_REASON)
            message = f" ({why})" if why else ""
            faults.append(_fault(name, f"is {shown(value)}, expected {setting.expected}{message}"))
    if not faults:
        clashes = (*rules.clashes(settings), *first_answer.clashes(rules, settings))
        faults = [_fault(*clash.split(" ", 1)) for clash in clashes]
    if faults:
        raise refused(
            faults,
            f"Settings: {', '.join(known)}. The command 'settings' says what each of them means.",
        )
    return settings


def usual_settings(rules: Rules) -> dict[str, Any]:
    """Return what a new debate has where nobody says otherwise, as far as that is no default."""
    return {each.name: each.usual for each in rules.SETTINGS if each.usual is not None}


def refused(faults: Sequence[Finding], hint: str) -> UsageError:
    """Return the error that settings are not right; each fault names its setting in `where`."""
    text = faults[0].sentence() if len(faults) == 1 else f"{len(faults)} settings are not right"
    return UsageError(text, hint=hint, faults=tuple(faults))


def shown(value: Any) -> str:
    """Return a value in short, as JSON where it can be that."""
    try:
        return one_line(json_text.canonical(value), MAX_SHOWN)
    except (TypeError, UnicodeError):
        return one_line(ascii(value), MAX_SHOWN)
    except ValueError:  # a whole number of more digits than Python writes
        return "a number of thousands of digits"


def _unknown(name: str, known: Iterable[str]) -> Finding:
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    return _fault(name, f"there is no such setting{f'; did you mean {near[0]}?' if near else ''}")


def _fault(name: str, message: str) -> Finding:
    return Finding("bad_setting", message, where=name)


def with_settings(debate: Debate) -> Debate:
    """Return a debate, as its `debate.md` has it, with its settings in full.

    The original skill asks for no more than exchange and phase: totals that are not stated are
    those of the record.

    Raises:
        BadRecordError: names the setting that is not right, or the protocol that is none.
    """
    rules = rules_of(debate.protocol)
    try:
        debate = debate._replace(settings=checked_settings(rules, debate.settings))
    except UsageError as error:
        message = "; ".join(error.sentences())
        raise BadRecordError(
            f"debate.md: settings: {message}", hint=f"Repair debate.md by hand. {error.hint}"
        ) from None
    if debate.older and not debate.state.totals:
        totals = rules.derive(debate.record, debate.settings).totals
        debate = debate._replace(state=debate.state._replace(totals=totals))
    return debate

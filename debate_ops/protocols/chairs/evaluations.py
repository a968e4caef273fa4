"""Evaluations: what the evaluator replies about a speech, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from debate_ops.errors import BadRecordError, Finding
from debate_ops.model.entries import JUDGMENTS, Contribution, Entry
from debate_ops.model.score import to_millis
from debate_ops.protocols.base import Settings
from debate_ops.protocols.chairs import course, frameworks, names
from debate_ops.protocols.chairs.course import SPEECH_FIELD, fault, none_if_blank, speech_id
from debate_ops.protocols.chairs.settings import has_interjections
from debate_ops.protocols.schedule import (
    EACH_ITS_OWN,
    Data,
    Header,
    Kind,
    Replied,
    added,
    added_keys,
)

STRICT_LIMIT, MODERATE_LIMIT = 60, 40
"""Below which adherence the arbiter steps in, by accountability."""

_WHOLE = 100
_STEP_IN = "Why the arbiter should step in"


class _Form(NamedTuple):
    """How a part is judged: by a key, with remarks under another one, which have their section.

    The part shows a `violation` where what it is judged to be is one of `shown_by`.
    """

    judged: str
    remarks: str
    section: str
    violation: str
    shown_by: tuple[object, ...]

    @property
    def may_be_absent(self) -> bool:
        """Whether a speech may leave the part out; its remarks are a text then, else a list."""
        return self.remarks == "notes"


_FORMS: Mapping[str, _Form] = {
    names.STEEL_MANNING: _Form(
        "quality", "notes", "Steel-manning", "straw_manning", ("absent", "weak")
    ),
    names.SELF_CRITIQUE: _Form(
        "quality", "notes", "Self-critique", "missing_self_critique", ("absent",)
    ),
    names.CONSISTENCY: _Form(
        "consistent",
        "violations",
        "Violations of the framework",
        "framework_inconsistency",
        (False,),
    ),
    names.HONESTY: _Form("level", "issues", "Issues", "rhetorical_evasion", ("low",)),
}
"""The parts of an evaluation; of several violations, that of the first part counts."""

Parts = Mapping[str, Mapping[str, Any]]
"""The judged parts of an evaluation by name, as its header has them."""


def half_up(over: int, under: int) -> int:
    """Return a quotient of whole numbers as a whole number, halves rounded up.

    >>> half_up(151, 2), half_up(1, 3)
    (76, 0)
    """
    return (2 * over + under) // (2 * under)


def parts_of(reply: Mapping[str, Any], settings: Settings) -> dict[str, dict[str, Any]]:
    """Return the parts of a checked evaluation that count here, as its header has them."""
    return {part: _part(_FORMS[part], reply[part]) for part in frameworks.parts(settings)}


def _part(form: _Form, reply: Mapping[str, Any]) -> dict[str, Any]:
    judged = reply[form.judged]
    attempted = {"attempted": judged != "absent"} if form.may_be_absent else {}
    return {"points": int(reply["points"]), form.judged: judged, **attempted}


def adherence(parts: Parts) -> int:
    """Return the points of the judged parts, in per cent of what they could give, half up."""
    most = names.MOST_POINTS * len(parts)
    return half_up(_WHOLE * sum(part["points"] for part in parts.values()), most)


def violation(parts: Parts) -> str | None:
    """Return the kind of violation that the judged parts show, if any; of several the first."""
    forms = ((part, form) for part, form in _FORMS.items() if part in parts)
    shown = (form.violation for part, form in forms if parts[part][form.judged] in form.shown_by)
    return next(shown, None)


def calls_for_interjection(parts: Parts, *, is_required: bool, settings: Settings) -> bool:
    """Tell whether the arbiter steps in; `is_required` is what the evaluator says of it."""
    if violation(parts) is None or not has_interjections(settings):
        return False
    if settings["accountability"] == "moderate":
        return is_required and adherence(parts) < MODERATE_LIMIT
    is_left_out = any(not part.get("attempted", True) for part in parts.values())
    return is_required or adherence(parts) < STRICT_LIMIT or is_left_out


def _judged(replied: Replied) -> Data:
    settings, is_required = replied.past.settings, replied.value["requires_interjection"]
    parts = parts_of(replied.value, settings)
    return {
        "parts": parts,
        "adherence": adherence(parts),
        "requires_interjection": is_required,
        "violation": violation(parts),
        "interjection": calls_for_interjection(parts, is_required=is_required, settings=settings),
    }


def _texts(replied: Replied) -> dict[str, str]:
    reply, texts = replied.value, {}
    for part in frameworks.parts(replied.past.settings):
        form = _FORMS[part]
        remarks = reply[part][form.remarks]
        texts[form.section] = remarks if form.may_be_absent else "\n".join(remarks)
    reason = reply["interjection_reason"] if reply["requires_interjection"] else None
    return texts | {_STEP_IN: reason or ""}


def _reply_of(entry: Contribution) -> Data:
    """Return the evaluation that became an entry."""
    reply: Data = {
        "requires_interjection": entry.data["requires_interjection"],
        "interjection_reason": entry.texts.get(_STEP_IN),
    }
    for part, judged in entry.data["parts"].items():
        form, kept = _FORMS[part], {k: v for k, v in judged.items() if k != "attempted"}
        remarks = entry.texts.get(form.section, "")
        reply[part] = kept | {form.remarks: remarks if form.may_be_absent else remarks.splitlines()}
    return reply


def _plain(plain: Data) -> tuple[str, ...]:
    """Put an evaluation into its one form."""
    for part, form in _FORMS.items():
        judged = plain.get(part)
        if judged is None:
            plain.pop(part, None)
        elif isinstance(judged, dict):
            remarks = none_if_blank(judged.get(form.remarks))
            one_form = (remarks or "") if form.may_be_absent else _plain_list(remarks)
            plain[part] = judged | {form.remarks: one_form}
    plain["interjection_reason"] = none_if_blank(plain.get("interjection_reason"))
    return ()


def _plain_list(value: Any) -> Any:
    """Return a list of texts, each on one line; what is none of the forms stays as it is."""
    items = [] if value is None else [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        return items
    return [" ".join(item.split()) if isinstance(item, str) else item for item in items]


def _faults(replied: Replied) -> Iterator[Finding]:
    """Yield what breaks a rule in an evaluation."""
    value = replied.value
    for name in frameworks.parts(replied.past.settings):
        part = _object(value.get(name))
        if name not in value and _FORMS[name].may_be_absent:
            message = f"{name} is missing; in this debate every speech is judged by it"
            yield fault("part_missing", name, message, "an object with points, quality and notes")
        elif part.get("quality") == "absent" and (to_millis(part.get("points")) or 0) > 0:
            message = f"{name} is absent, but has {part['points']} points"
            asked = "0 points, or another quality"
            yield fault("absent_with_points", f"{name}.points", message, asked, part["points"])
    yield from _consistency_faults(_object(value.get(names.CONSISTENCY)))
    if value.get("requires_interjection") is True and not value.get("interjection_reason"):
        message = "an interjection is called for without a reason"
        asked = "why the arbiter should step in, in a sentence or two"
        yield fault("reason_missing", "interjection_reason", message, asked)


def _object(value: Any) -> Mapping[str, Any]:
    """Return a part of an evaluation; an empty one where it is none: the schema says so."""
    return value if isinstance(value, dict) else {}


def _consistency_faults(part: Mapping[str, Any]) -> Iterator[Finding]:
    consistent, violations = part.get("consistent"), part.get("violations")
    key = f"{names.CONSISTENCY}.violations"
    if consistent is False and violations == []:
        message = "consistent is false, but no violation is named"
        asked = "what breaks with the framework, or consistent true"
        yield fault("violation_missing", key, message, asked)
    if consistent is True and violations and isinstance(violations, list):
        message = f"consistent is true, but {len(violations)} violations are named"
        yield fault("violation_unfitting", key, message, "no violations, or consistent false")


def _warnings(replied: Replied) -> Iterator[Finding]:
    """Yield what is ignored in an evaluation."""
    value, judged = replied.value, frameworks.parts(replied.past.settings)
    for name in _FORMS:
        if name in value and name not in judged:
            message = f"{name} is not judged in this debate; it was passed over"
            yield Finding("part_not_judged", message, where=f"$.{name}")
    if value.get("requires_interjection") is False and value.get("interjection_reason"):
        message = "a reason for an interjection that is not called for was left out"
        yield Finding("reason_unused", message, where="$.interjection_reason")


def _judges(replied: Replied) -> list[str]:
    answered = course.answered_by(replied.past, replied.slot)
    return [*filter(None, (speech_id(replied), answered))]


def header_of(entry: Entry) -> Header:
    """Return the header of an entry; that of a decision only if the debate can go on by it.

    Raises:
        BadRecordError: it was edited so that it cannot; names the key.
    """
    header = entry.header
    for key, is_usable in _usable(entry.kind, header):
        if not is_usable:
            raise BadRecordError(
                f"{entry.file}: {key} is {header.get(key)!r}, and the debate cannot go on by that",
                hint="Bring back the file as it was written; entries are never changed.",
            )
    return header


def _usable(kind: str, header: Header) -> Iterator[tuple[str, bool]]:
    """Yield for each key of a decision that something follows from whether it has a usable form."""
    if kind == names.EVALUATION:
        called, parts = header.get("interjection"), header.get("parts")
        yield "interjection", isinstance(called, bool)
        yield "violation", not called or header.get("violation") in [*frameworks.VIOLATIONS]
        yield "adherence", header.get("adherence") in range(_WHOLE + 1)
        yield "parts", isinstance(parts, dict) and all(map(_is_part, parts.values()))
    elif kind == names.FLOOR:
        granted = header.get("granted")
        yield "granted", isinstance(granted, bool)
        yield "reason", not granted or header.get("reason") in [*frameworks.REASONS]
        for key in ("chair", "trigger", "opener"):
            yield key, not granted or isinstance(header.get(key), str)


def _is_part(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("attempted", True), bool)


KIND = Kind(
    names.EVALUATION,
    "awaiting_reactions",
    "reactions to a speech",
    "chairs-evaluation",
    "speech_evaluated",
    (
        SPEECH_FIELD,
        added("judges", _judges),
        added_keys(_judged),
        added("notes", _texts, EACH_ITS_OWN),
    ),
    lambda r: f"Evaluation of {speech_id(r)}: {_judged(r)['adherence']} of {_WHOLE}",
    folder=JUDGMENTS,
    together=True,
    plain=_plain,
    faults=_faults,
    warnings=_warnings,
    back=_reply_of,
)

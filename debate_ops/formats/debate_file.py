"""`debate.md`: the motion, its framing, and where the debate stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from debate_ops.formats import headers
from debate_ops.formats.digest import are_digests
from debate_ops.formats.headers import (
    Form,
    are_texts,
    are_totals,
    check_form,
    is_text,
    totals_as_data,
    totals_from_data,
)
from debate_ops.formats.prose import escape, heading, pieces, unescape
from debate_ops.model.debate import Debate, Definition, Document, Framing, Request, Total, Word

NAME = "debate.md"
DEFAULT_PROTOCOL = "exchange"

MOST_COUNT = 1_000_000
"""No debate has so many exchanges or steps."""

_SECTION = r"(?m)^(# Motion|## (?:Definitions|Scope))[ \t]*\n"
_CONTEXT = r"(?m)^## Context[ \t]*\n"
_DEFINITION = r"(?m)^[-*] \*\*((?:\\.|[^*\\])+?)(?::\*\*|\*\*:)[ \t]*"
_TERM_END = r"(\\.)|[*:]"
_DOCUMENT = r"(?m)^### ([^\n]*+)\n\n(~{3,}+)text\n"
_DOCUMENT_END = r"(?m)^~{3,}+$"
_TILDES = r"(?m)^~+"


class DebateFile(NamedTuple):
    """What `debate.md` says, before it is validated against the record.

    `step` is None in debates of an older tool; `phase`, `exchange` and `totals` are its view of
    the state.
    """

    slug: str
    protocol: str
    exchange: int
    phase: str
    step: int | None
    totals: Mapping[str, Total]
    request: Request | None
    settings: Mapping[str, Any]
    created: str
    replay_of: Mapping[str, Any] | None
    undone: tuple[str, ...]
    digests: Mapping[str, str]
    words: tuple[Word, ...]
    extra: Mapping[str, Any]
    body: str
    form: str


def parse(text: str, name: str) -> DebateFile:
    """Read a `debate.md`.

    Raises:
        BadRecordError: the header cannot be read or misses what the loop needs.
    """
    return read(headers.parse(text, name), name)


def read(file: headers.Front, name: str) -> DebateFile:
    """Return what the header and body of a `debate.md` say.

    Raises:
        BadRecordError: the header misses what the loop needs.
    """
    header, body, form = file
    for key, expected in FORMS.items():
        if key in header or key in _REQUIRED:
            hint = f"Repair {key} in {name} by hand, or bring back an earlier version of it."
            check_form(header, key, expected, name, hint)
    request = header.get("request")
    return DebateFile(
        slug=header.get("debate_id", ""),
        protocol=header.get("protocol", DEFAULT_PROTOCOL),
        exchange=header["current_exchange"],
        phase=header["current_phase"],
        step=header.get("step"),
        totals=totals_from_data(header.get("cumulative_scores", {})) or {},
        request=Request(request["exchanges"], request["until"]) if request else None,
        settings=header.get("settings") or {},
        created=header.get("created", ""),
        replay_of=header.get("replay_of"),
        undone=tuple(header.get("undone", ())),
        digests=dict(header.get("digests", {})),
        words=tuple(Word(**word) for word in header.get("words", ())),
        extra={key: value for key, value in header.items() if key not in FORMS},
        body=body,
        form=form,
    )


def render(debate: Debate) -> str:
    """Return the text of a debate's `debate.md`; keys this version does not know survive."""
    return headers.compose(header(debate), debate.body, debate.form)


def header(debate: Debate) -> dict[str, Any]:
    """Return the header of a debate's `debate.md` as data."""
    state = debate.state
    optional = {
        "request": debate.request and debate.request._asdict(),
        "settings": dict(debate.settings) or None,
        "created": debate.created or None,
        "replay_of": debate.replay_of and dict(debate.replay_of),
        "undone": list(debate.undone) or None,
        "digests": dict(debate.digests) or None,
        "words": [word._asdict() for word in debate.words] or None,
    }
    return {
        "debate_id": debate.slug,
        "protocol": debate.protocol,
        "current_exchange": state.exchange,
        "current_phase": state.phase,
        "step": debate.step,
        "cumulative_scores": totals_as_data(state.totals),
        **{key: value for key, value in optional.items() if value is not None},
        **debate.extra,
    }


def compose_body(framing: Framing) -> str:
    """Return the body of a new `debate.md`; texts are kept as given, line breaks included."""
    parts = [f"# Motion\n\n{escape(framing.motion)}"]
    if framing.definitions:
        parts.append("## Definitions\n\n" + "\n\n".join(map(_definition, framing.definitions)))
    if framing.scope:
        parts.append(f"## Scope\n\n{escape(framing.scope)}")
    if framing.context:
        parts.append("## Context\n\n" + "\n\n".join(map(_document, framing.context)))
    return "\n" + "\n\n".join(parts) + "\n"


def framing(body: str) -> Framing:
    """Return what the body says: the context is its last part and runs to the end."""
    head, *context = re.split(_CONTEXT, body.replace("\r\n", "\n"), maxsplit=1)
    _, *parts = re.split(_SECTION, head)
    sections: dict[str, str] = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        sections.setdefault(name, text.strip("\n"))
    return Framing(
        motion=unescape(sections.get("# Motion", "")),
        definitions=_definitions(sections.get("## Definitions", "")),
        scope=unescape(sections.get("## Scope", "")),
        context=_documents("".join(context).strip("\n")),
    )


def _definitions(text: str) -> tuple[Definition, ...]:
    listed = tuple(
        Definition(unescape(match[1]), unescape(piece))
        for match, piece in pieces(_DEFINITION, text)
    )
    return listed or ((Definition("", unescape(text)),) if text else ())


def _documents(text: str) -> tuple[Document, ...]:
    """Read documents between fences of tildes; a context written by hand is one document."""
    documents = tuple(_fenced(text))
    return documents or ((Document("", unescape(text)),) if text else ())


def _fenced(text: str) -> Iterator[Document]:
    """Yield what stands between two equal fences, the first of which has a heading above it."""
    ends: dict[str, list[int]] = {}
    for match in re.finditer(_DOCUMENT_END, text):
        ends.setdefault(match[0], []).append(match.start())
    at = 0
    while opening := re.compile(_DOCUMENT).search(text, at):
        at, fence = opening.end(), opening[2]
        later = ends.get(fence, [])
        if (number := bisect_right(later, at)) < len(later):
            yield Document(unescape(opening[1]), text[at : later[number] - 1])
            at = later[number] + len(fence)


def _definition(definition: Definition) -> str:
    if not definition.term:  # definitions in prose
        return escape(definition.text)
    return f"- **{_term(definition.term)}**: {heading(definition.text)}"


def _term(text: str) -> str:
    return re.sub(_TERM_END, lambda match: match[1] or f"\\{match[0]}", heading(text))


def _document(document: Document) -> str:
    longest = max((len(run) for run in re.findall(_TILDES, document.text)), default=0)
    fence = "~" * max(3, longest + 1)
    return f"### {heading(document.name)}\n\n{fence}text\n{document.text}\n{fence}"


def is_count(value: object) -> TypeGuard[int]:
    """Tell whether a value may be the number of an exchange or of a step."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_COUNT


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_object_or_none(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _is_request(value: Any) -> bool:
    keys = ("exchanges", "until")
    return value is None or (isinstance(value, dict) and all(is_count(value.get(k)) for k in keys))


def _are_words(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_word_of_somebody, value))


def _is_word_of_somebody(value: Any) -> bool:
    if not isinstance(value, dict) or value.keys() != set(Word._fields):
        return False
    return is_count(value["step"]) and all(is_text(value[k]) for k in value if k != "step")


_COUNT = (is_count, f"a whole number from 0 and below {MOST_COUNT}")
_OBJECT = (_is_object_or_none, "an object")
FORMS: Mapping[str, Form] = {
    "debate_id": (is_text, "text"),
    "protocol": (_is_word, "a word"),
    "current_exchange": _COUNT,
    "current_phase": (_is_word, "a word"),
    "step": _COUNT,
    "cumulative_scores": (are_totals, "{side: {total, count}}"),
    "request": (_is_request, "{exchanges, until}, whole numbers from 0"),
    "settings": _OBJECT,
    "created": (is_text, "text"),
    "replay_of": _OBJECT,
    "undone": (are_texts, "ids"),
    "digests": (are_digests, "{name: digest}"),
    "words": (_are_words, "a list of {text, by, to, step, at}"),
}
"""Every key that we know, and its form."""
_REQUIRED = frozenset({"current_exchange", "current_phase"})

"""`debate.md`: the motion, its framing, and where the debate stands."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeGuard

from debate_ops.errors import BadRecordError
from debate_ops.formats import front
from debate_ops.formats.digest import are_digests
from debate_ops.formats.judgment import totals_as_data, totals_from_data
from debate_ops.formats.prose import escape, heading, unescape
from debate_ops.model import messages
from debate_ops.model.debate import Debate, Definition, Document, Framing, Request, Total

NAME = "debate.md"
DEFAULT_PROTOCOL = "exchange"

MOST_COUNT = 1_000_000
"""No debate has so many exchanges or steps."""

_KNOWN = (
    "debate_id",
    "protocol",
    "current_exchange",
    "current_phase",
    "step",
    "cumulative_scores",
    "request",
    "settings",
    "created",
    "replay_of",
    "undone",
    "digests",
)
_SECTION = re.compile(r"^(# Motion|## (?:Definitions|Scope|Context))[ \t]*\n", re.MULTILINE)
_DEFINITION = re.compile(r"^[-*] \*\*((?:\\.|[^*\\])+?)(?::\*\*|\*\*:)[ \t]*", re.MULTILINE)
_TERM_END = re.compile(r"(\\.)|[*:]")
_DOCUMENT = re.compile(r"^### ([^\n]*+)\n\n(~{3,}+)text\n", re.MULTILINE)
_DOCUMENT_END = re.compile(r"^~{3,}+$", re.MULTILINE)
_TILDES = re.compile(r"^~+", re.MULTILINE)


class DebateFile(NamedTuple):
    """What `debate.md` says, before it is held against the record.

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
    extra: Mapping[str, Any]
    body: str
    form: str


def parse(text: str, name: str) -> DebateFile:
    """Read a `debate.md`.

    Raises:
        BadRecordError: the header cannot be read or misses what the loop needs.
    """
    return read(front.parse(text, name), name)


def read(file: front.Front, name: str) -> DebateFile:
    """Return what the header and body of a `debate.md` say.

    Raises:
        BadRecordError: the header misses what the loop needs.
    """
    header, body, form = file
    totals = totals_from_data(header.get("cumulative_scores", {}))
    if totals is None:
        raise _bad(name, "cumulative_scores", header, "{side: {total, count}}")
    return DebateFile(
        slug=_text(header, "debate_id", name),
        protocol=_word({"protocol": DEFAULT_PROTOCOL} | header, "protocol", name),
        exchange=_count(header, "current_exchange", name),
        phase=_word(header, "current_phase", name),
        step=_count(header, "step", name) if "step" in header else None,
        totals=totals,
        request=_request(header, name),
        settings=_mapping(header, "settings", name) or {},
        created=_text(header, "created", name),
        replay_of=_mapping(header, "replay_of", name),
        undone=_ids(header, "undone", name),
        digests=_digests(header, name),
        extra={key: value for key, value in header.items() if key not in _KNOWN},
        body=body,
        form=form,
    )


def render(debate: Debate) -> str:
    """Return the text of a debate's `debate.md`; keys this version does not know survive."""
    return front.compose(header(debate), debate.body, debate.form)


def header(debate: Debate) -> dict[str, Any]:
    """Return the header of a debate's `debate.md` as data."""
    state = debate.state
    result: dict[str, Any] = {
        "debate_id": debate.slug,
        "protocol": debate.protocol,
        "current_exchange": state.exchange,
        "current_phase": state.phase,
        "step": debate.step,
        "cumulative_scores": totals_as_data(state.totals),
    }
    if debate.request is not None:
        result["request"] = debate.request._asdict()
    if debate.settings:
        result["settings"] = dict(debate.settings)
    if debate.created:
        result["created"] = debate.created
    if debate.replay_of is not None:
        result["replay_of"] = dict(debate.replay_of)
    if debate.undone:
        result["undone"] = list(debate.undone)
    if debate.digests:
        result["digests"] = dict(debate.digests)
    return result | dict(debate.extra)


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
    sections = _sections(body.replace("\r\n", "\n"))
    return Framing(
        motion=unescape(sections.get("# Motion", "")),
        definitions=_definitions(sections.get("## Definitions", "")),
        scope=unescape(sections.get("## Scope", "")),
        context=_documents(sections.get("## Context", "")),
    )


def _sections(body: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    matches = list(_SECTION.finditer(body))
    for index, match in enumerate(matches):
        last = match[1] == "## Context" or index + 1 == len(matches)
        end = len(body) if last else matches[index + 1].start()
        sections.setdefault(match[1], body[match.end() : end].strip("\n"))
        if last:
            break
    return sections


def _definitions(text: str) -> tuple[Definition, ...]:
    matches = list(_DEFINITION.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    found = tuple(
        Definition(unescape(match[1]), unescape(text[match.end() : end].strip("\n")))
        for match, end in zip(matches, ends, strict=False)
    )
    return found or ((Definition("", unescape(text)),) if text else ())


def _documents(text: str) -> tuple[Document, ...]:
    """Read documents between fences of tildes; a context written by hand is one document."""
    documents = tuple(_fenced(text))
    return documents or ((Document("", unescape(text)),) if text else ())


def _fenced(text: str) -> Iterator[Document]:
    """Yield what stands between two equal fences, the first of which has a heading above it."""
    ends: dict[str, list[int]] = {}
    for match in _DOCUMENT_END.finditer(text):
        ends.setdefault(match[0], []).append(match.start())
    at = 0
    while opening := _DOCUMENT.search(text, at):
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
    return _TERM_END.sub(lambda match: match[1] or f"\\{match[0]}", heading(text))


def _document(document: Document) -> str:
    longest = max((len(run) for run in _TILDES.findall(document.text)), default=0)
    fence = "~" * max(3, longest + 1)
    return f"### {heading(document.name)}\n\n{fence}text\n{document.text}\n{fence}"


def _count(header: Mapping[str, Any], key: str, name: str) -> int:
    value = header.get(key)
    if not is_count(value):
        raise _bad(name, key, header, f"a whole number from 0 and below {MOST_COUNT}")
    return value


def is_count(value: object) -> TypeGuard[int]:
    """Tell whether a value may be the number of an exchange or of a step."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST_COUNT


def _word(header: Mapping[str, Any], key: str, name: str) -> str:
    value = header.get(key)
    if not isinstance(value, str) or not value:
        raise _bad(name, key, header, "a word")
    return value


def _ids(header: Mapping[str, Any], key: str, name: str) -> tuple[str, ...]:
    value = header.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _bad(name, key, header, "a list of ids")
    return tuple(value)


def _digests(header: Mapping[str, Any], name: str) -> Mapping[str, str]:
    value = header.get("digests", {})
    if not are_digests(value):
        raise _bad(name, "digests", header, "{name: digest}")
    return dict(value)


def _text(header: Mapping[str, Any], key: str, name: str) -> str:
    value = header.get(key, "")
    if not isinstance(value, str):
        raise _bad(name, key, header, "text")
    return value


def _mapping(header: Mapping[str, Any], key: str, name: str) -> Mapping[str, Any] | None:
    value = header.get(key)
    if value is not None and not isinstance(value, dict):
        raise _bad(name, key, header, "an object")
    return value


def _request(header: Mapping[str, Any], name: str) -> Request | None:
    value = _mapping(header, "request", name)
    if value is None:
        return None
    try:
        return Request(_count(value, "exchanges", name), _count(value, "until", name))
    except BadRecordError:
        expected = "{exchanges, until}, whole numbers from 0"
        raise _bad(name, "request", header, expected) from None


def _bad(name: str, key: str, header: Mapping[str, Any], expected: str) -> BadRecordError:
    there = messages.value(header[key]) if key in header else "nothing"
    return BadRecordError(
        f"{name}: {key} is {there}, expected {expected}",
        hint=f"Repair {key} in {name} by hand, or bring back an earlier version of the file.",
    )

"""`debate.md`: the motion, its framing, and where the debate stands."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from debate_ops.core.errors import BadRecordError
from debate_ops.core.markdown import escape, heading, pieces, unescape
from debate_ops.core.settings import explain_errors
from debate_ops.core.texts import spell_place
from debate_ops.engine.store import DEBATE_FILE

MOST_COUNT = 1_000_000
"""No debate has so many exchanges or steps."""

_SECTION = r"(?m)^(# Motion|## (?:Definitions|Scope))[ \t]*\n"
_CONTEXT = r"(?m)^## Context[ \t]*\n"
_DEFINITION = r"\n[-*] \*\*((?:\\.|[^*\\])+?)(?::\*\*|\*\*:)[ \t]*"
_TERM_END = r"(\\.)|[*:]"
_DOCUMENT = re.compile(r"(?m)^### ([^\n]*+)\n\n(~{3,}+)text(?: for=([a-z0-9-]++))?\n")
_DOCUMENT_END = r"(?m)^~{3,}+$"


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow")


Count = Annotated[int, Field(ge=0, lt=MOST_COUNT)]


class Request(_Part):
    """What a run still has to do: `exchanges` were asked for, done when `until` is reached."""

    exchanges: Count
    until: Count


class Word(_Part):
    """What a person said into a debate: when, at which step, by whom, and to whom (or to all)."""

    text: str
    by: str
    to: str
    step: Count
    at: str


def _check_totals(value: Any) -> Any:
    for total in value.values() if isinstance(value, dict) else [value]:
        if not isinstance(total, dict) or not {"total", "count"} <= total.keys():
            raise ValueError("expected {side: {total, count}}")
    return value


class Header(_Part):
    """The header of `debate.md`: keys that this version does not know survive.

    `step` counts the turns committed so far; it is None in a debate that somebody has begun by
    hand. `undone` are ids that the last undo took back, `digests` those of what the turn now due
    rests on. `words` are what people said; no rule knows of them.
    """

    debate_id: str = ""
    protocol: Annotated[str, Field(min_length=1)] = "exchange"
    current_exchange: Count
    current_phase: Annotated[str, Field(min_length=1)]
    step: Count | None = None
    cumulative_scores: Annotated[dict[str, Any], BeforeValidator(_check_totals)] = {}
    request: Request | None = None
    settings: dict[str, Any] | None = None
    created: str = ""
    completed_at: str = ""
    replay_of: dict[str, Any] | None = None
    undone: list[str] = []
    digests: dict[str, str] = {}
    words: list[Word] = []

    def as_data(self) -> dict[str, Any]:
        """Return it as it is written: what is optional stands there only if there is something."""
        optional = {"request", "settings", "created", "completed_at", "replay_of"}
        optional |= {"undone", "digests", "words"}
        return {key: part for key, part in self.model_dump().items() if part or key not in optional}


def read_header(data: dict[str, Any]) -> Header:
    """Return the header of a `debate.md` from its data, or name every key that is wrong."""
    try:
        return Header.model_validate(data)
    except ValidationError as error:
        faults = (f"{spell_place(at)} {why}" for at, why in explain_errors(error))
        raise BadRecordError(
            f"{DEBATE_FILE}: {'; '.join(faults)}",
            hint=f"Repair {DEBATE_FILE} by hand, or bring back an earlier version of it.",
        ) from None


class Framing(NamedTuple):
    """What the debate is about: the same for every participant.

    `definitions` are pairs of a term, which may be empty, and its meaning; `context` of the name of
    a document and its text. `papers` are given to the participant alone that is named first.
    """

    motion: str
    definitions: tuple[tuple[str, str], ...] = ()
    scope: str = ""
    context: tuple[tuple[str, str], ...] = ()
    papers: tuple[tuple[str, str, str], ...] = ()


def write_body(framing: Framing) -> str:
    """Return the body of a new `debate.md`; texts are kept as given, line breaks included."""
    parts, definitions, documents = [f"# Motion\n\n{escape(framing.motion)}"], [], []
    for term, text in framing.definitions:
        written = re.sub(_TERM_END, lambda match: match[1] or f"\\{match[0]}", heading(term))
        definitions.append(f"- **{written}**: {heading(text)}" if term else escape(text))
    if definitions:
        parts.append("\n\n".join(["## Definitions", *definitions]))
    if framing.scope:
        parts.append(f"## Scope\n\n{escape(framing.scope)}")
    for owner, name, text in (*(("", *each) for each in framing.context), *framing.papers):
        longest = max((len(run) for run in re.findall(r"(?m)^~+", text)), default=0)
        fence = "~" * max(3, longest + 1)
        whose = f" for={owner}" if owner else ""
        documents.append(f"### {heading(name)}\n\n{fence}text{whose}\n{text}\n{fence}")
    if documents:
        parts.append("\n\n".join(["## Context", *documents]))
    return "\n" + "\n\n".join(parts) + "\n"


def read_framing(body: str) -> Framing:
    """Return what the body says: the context is its last part and runs to the end."""
    head, *context = re.split(_CONTEXT, body.replace("\r\n", "\n"), maxsplit=1)
    _, *parts = re.split(_SECTION, head)
    sections: dict[str, str] = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        sections.setdefault(name, text.strip("\n"))
    terms, given = sections.get("## Definitions", ""), "".join(context).strip("\n")
    definitions = ((unescape(m[1]), unescape(said)) for m, said in pieces(_DEFINITION, terms))
    fenced = list(_read_fenced(given)) or ([("", "", unescape(given))] if given else [])
    return Framing(
        motion=unescape(sections.get("# Motion", "")),
        definitions=(*definitions,) or ((("", unescape(terms)),) if terms else ()),
        scope=unescape(sections.get("## Scope", "")),
        context=tuple((name, text) for owner, name, text in fenced if not owner),
        papers=tuple(each for each in fenced if each[0]),
    )


def _read_fenced(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield what stands between two equal fences: whose it is, the heading above, and the text."""
    ends: dict[str, list[int]] = {}
    for match in re.finditer(_DOCUMENT_END, text):
        ends.setdefault(match[0], []).append(match.start())
    at = 0
    while opening := _DOCUMENT.search(text, at):
        at, fence = opening.end(), opening[2]
        later = ends.get(fence, [])
        if (number := bisect_right(later, at)) < len(later):
            yield opening[3] or "", unescape(opening[1]), text[at : later[number] - 1]
            at = later[number] + len(fence)

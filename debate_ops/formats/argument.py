"""An argument as a Markdown file: `arguments/<id>.md`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from debate_ops.formats.prose import escape, heading, quote, strip_quote, unescape, unquote
from debate_ops.model.entries import Argument, Entry, Ground, Link

SIDE_NAMES = {"prop": "proposition", "opp": "opposition"}

_SECTION = re.compile(
    r"^## (Claim|Grounds|Warrant|Backing|Qualifier|Attacks|Defends)\n", re.MULTILINE
)
_GROUND = re.compile(r"^### ([0-9]++)\.[ \t]*+(.*+)\n", re.MULTILINE)
_RELEVANCE = re.compile(r"^\*\*Relevance:\*\*[ \t]*", re.MULTILINE)
_LINK = re.compile(r"^### (?:Attacking|Defending) \[?([^\]\n]+?)(?:\]\([^)\n]*\))?\n", re.MULTILINE)
_TYPE = re.compile(r"\n*+\*\*Type:\*\* ([a-z_]++)[ ]*+\n*+")

Reader = Callable[[str], str]


def header(argument: Argument) -> dict[str, Any]:
    """Return what the header of the file says of the argument itself."""
    return {
        "id": argument.id,
        "side": argument.side,
        "kind": "argument",
        "exchange": argument.exchange,
        "title": argument.title,
        "claim": argument.claim,
        "attacks": [{"target_id": a.target_id, "type": a.type} for a in argument.attacks],
        "defends": [{"target_id": d.target_id, "type": d.type} for d in argument.defends],
    }


def body(argument: Argument) -> str:
    """Return the body of the file: every text of the argument, once, readable."""
    grounds = [
        f"### {number}. {heading(ground.source)}\n\n{quote(ground.content)}\n\n"
        f"**Relevance:** {escape(ground.relevance)}"
        for number, ground in enumerate(argument.grounds, 1)
    ]
    sections = [
        ("Claim", escape(argument.claim)),
        ("Grounds", "\n\n".join(grounds)),
        ("Warrant", escape(argument.warrant)),
        ("Backing", escape(argument.backing)),
        ("Qualifier", escape(argument.qualifier)),
        ("Attacks", "\n\n".join(_link("Attacking", link) for link in argument.attacks)),
        ("Defends", "\n\n".join(_link("Defending", link) for link in argument.defends)),
    ]
    listed = [f"## {name}\n\n{text}" for name, text in sections if text]
    return "\n" + "\n\n".join([f"# {heading(argument.title)}", *listed]) + "\n"


def headline(argument: Argument) -> str:
    """Return an argument in one line."""
    return f"{argument.title}: {argument.claim}"


def lines(argument: Argument) -> list[str]:
    """Return an argument as plain lines that say what each text is: for prompts."""
    listed = [f"Title: {argument.title}", f"Claim: {argument.claim}"]
    for number, ground in enumerate(argument.grounds, 1):
        listed += [
            f"Ground {number}, source: {ground.source}",
            f"Ground {number}, content: {ground.content}",
            f"Ground {number}, relevance: {ground.relevance}",
        ]
    listed.append(f"Warrant: {argument.warrant}")
    listed += [f"Backing: {argument.backing}"] if argument.backing else []
    listed += [f"Qualifier: {argument.qualifier}"] if argument.qualifier else []
    listed += [f"Attacks {a.target_id} ({a.type}): {a.content}" for a in argument.attacks]
    listed += [f"Defends {d.target_id} ({d.type}): {d.content}" for d in argument.defends]
    return listed


def parse(entry: Entry) -> Argument:
    """Return the argument that a file holds.

    Bodies of older debates (written without escapes, marked by `older` in the header that the
    loader supplies) are taken as they stand.
    """
    read: Reader = str if entry.header.get("older") else unescape
    sections = _sections(entry.body)
    return Argument(
        id=entry.id,
        side=str(entry.header.get("side", entry.id.partition("_")[0])),
        exchange=entry.exchange,
        title=str(entry.header.get("title", "")),
        claim=str(entry.header.get("claim") or read(sections.get("Claim", ""))),
        grounds=_grounds(sections.get("Grounds", ""), read),
        warrant=read(sections.get("Warrant", "")),
        backing=read(sections.get("Backing", "")),
        qualifier=read(sections.get("Qualifier", "")),
        attacks=_links(sections.get("Attacks", ""), read),
        defends=_links(sections.get("Defends", ""), read),
    )


def links(entry_header: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    """Return (target, type) of each attack or defence that a header names.

    >>> links({"attacks": [{"target_id": "opp_001", "type": "claim_attack"}]}, "attacks")
    (('opp_001', 'claim_attack'),)
    """
    listed = entry_header.get(key) or []
    return tuple((str(link.get("target_id", "")), str(link.get("type", ""))) for link in listed)


def _link(word: str, link: Link) -> str:
    target = f"[{link.target_id}]({link.target_id}.md)"
    return f"### {word} {target}\n\n**Type:** {link.type}\n\n{escape(link.content)}"


def _pieces(pattern: re.Pattern[str], text: str) -> list[tuple[re.Match[str], str]]:
    matches = list(pattern.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    pieces = [
        text[match.end() : end].strip("\n") for match, end in zip(matches, ends, strict=False)
    ]
    return list(zip(matches, pieces, strict=True))


def _sections(text: str) -> dict[str, str]:
    return {match[1]: piece for match, piece in _pieces(_SECTION, text.replace("\r\n", "\n"))}


def _grounds(text: str, read: Reader) -> tuple[Ground, ...]:
    return tuple(_ground(match[2], piece, read) for match, piece in _pieces(_GROUND, text))


def _ground(source: str, text: str, read: Reader) -> Ground:
    relevance = _RELEVANCE.search(text)
    quoted = text[: relevance.start()] if relevance else text
    unmark = unquote if read is unescape else strip_quote
    return Ground(
        source=read(source),
        content=unmark(quoted.strip("\n")),
        relevance=read(text[relevance.end() :]) if relevance else "",
    )


def _links(text: str, read: Reader) -> tuple[Link, ...]:
    found = []
    for match, piece in _pieces(_LINK, text):
        kind = _TYPE.match(piece)
        content = piece[kind.end() :] if kind else piece
        found.append(Link(match[1], kind[1] if kind else "", read(content)))
    return tuple(found)

"""A contribution of any kind as a Markdown file: data in the header, texts as sections."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from debate_ops.formats.prose import heading, passage, unescape
from debate_ops.model.entries import ARGUMENTS, LEFT_OUT, Contribution, Entry

LINKS = {"attacks": "Attacks", "defends": "Defends"}
"""Keys of the header that hold links to other entries, and the section that shows each."""

_STAMPED = frozenset(
    {"id", "participant", "kind", "exchange", "step", "from", "at", "rests_on", "made_by"}
    | {"judged", "older"}
)
# Sections that only say what another is about, where that one is there: it has the entry's words.
_ABOUT = {"Question": "Answer", "Requirements": "Point 1"}
_SECTION = re.compile(r"^## ([^\n]+)\n", re.MULTILINE)


def header(contribution: Contribution) -> dict[str, Any]:
    """Return what the header of the file says of the contribution itself."""
    return {
        "id": contribution.id,
        "participant": contribution.participant,
        "kind": contribution.kind,
        "exchange": contribution.exchange,
    } | dict(contribution.data)


def body(contribution: Contribution) -> str:
    """Return the body of the file: a headline, every text under its heading, then the links."""
    parts = [f"# {heading(headline(contribution))}"]
    parts += [f"## {name}\n\n{passage(text)}" for name, text in contribution.texts.items()]
    for key, name in LINKS.items():
        listed = [_link(contribution, item) for item in contribution.data.get(key) or ()]
        parts += [f"## {name}\n\n" + "\n".join(listed)] if listed else []
    return "\n" + "\n\n".join(parts) + "\n"


def headline(contribution: Contribution) -> str:
    """Return what stands above a contribution: its title, or its kind and whose it is."""
    title = str(contribution.data.get("title") or "")
    return title or f"{contribution.kind.capitalize()} of {contribution.participant}"


def gist(contribution: Contribution) -> str:
    """Return a contribution in one line: its title if it has one, and its first own text."""
    title = str(contribution.data.get("title") or "")
    texts = contribution.texts
    own = [text for name, text in texts.items() if _ABOUT.get(name) not in texts]
    first = next(iter([*own, *texts.values()]), "")
    return ": ".join(filter(None, (title, first))) or headline(contribution)


def parse(entry: Entry) -> Contribution:
    """Return the contribution that a file holds."""
    text = entry.body.replace("\r\n", "\n")
    matches = list(_SECTION.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    texts = {
        match[1]: unescape(text[match.end() : end].strip("\n"))
        for match, end in zip(matches, ends, strict=False)
        if match[1] not in LINKS.values()
    }
    data = {key: value for key, value in entry.header.items() if key not in _STAMPED}
    return Contribution(entry.id, entry.kind, entry.exchange, entry.folder, data, texts)


def lines(contribution: Contribution) -> list[str]:
    """Return a contribution as plain lines, every text after its heading: for prompts."""
    listed = [f"Title: {contribution.data['title']}"] if contribution.data.get("title") else []
    listed += [f"{name}: {text}" for name, text in contribution.texts.items() if name != LEFT_OUT]
    for key, name in LINKS.items():
        listed += [f"{name} {target} ({kind})" for target, kind in links(contribution.data, key)]
    return listed


def links(data: Mapping[str, Any], key: str) -> tuple[tuple[str, str], ...]:
    """Return (target, type) of each link that stands under `key`."""
    return tuple((str(item["target_id"]), str(item["type"])) for item in data.get(key) or ())


def _link(contribution: Contribution, item: Mapping[str, Any]) -> str:
    target = str(item["target_id"])
    place = "" if contribution.folder == ARGUMENTS else "../arguments/"
    return f"- [{target}]({place}{target}.md): {item['type']}"

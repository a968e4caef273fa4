"""Debates of the NYU data, as released and in the short form with known answers.

Michael et al. 2023, "Debate Helps Supervise Unreliable Experts", arXiv 2311.08702. In the
released files a story is a list of tokens, and a quotation is a span of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from debate_ops.core.errors import UsageError
from debate_ops.imports import KNOWN, Imported, Speech

_BEFORE = re.compile(r" (?=(?:[.,;:!?)\]%]|'s\b|'re\b|'ve\b|'ll\b|'d\b|'m\b|n't\b|''))")
_AFTER = re.compile(r"(?<=[(\[]) |(?<=``) ")


def read(data: Any, pick: str = "") -> Imported:
    """Return a debate; of a list of several the one that `pick` names by its id or number.

    Raises:
        UsageError: it is of neither form, or it is not said which one of several.
    """
    item = _picked(data, pick)
    try:
        if "setup" in item:
            return _released(item)
        speeches = tuple(Speech(s["debater"], _text(s["text"])) for s in item["speeches"])
        return Imported(_text(item["question"]), speeches, dict(item["answers"]))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise UsageError(
            f"it is no debate of the NYU data: {type(error).__name__} at {error}",
            hint="Expected: 'setup' and 'rounds' as released, or 'question', 'answers' and "
            "'speeches' with 'debater' and 'text'.",
        ) from None


def _picked(data: Any, pick: str) -> dict[str, Any]:
    listed = data if isinstance(data, list) else [data]
    items = [item for item in listed if isinstance(item, dict)]
    ids = {str(item.get("id") or number): item for number, item in enumerate(items, 1)}
    is_known = any({"setup", "question"} & {*item} for item in items)
    if len(items) < len(listed) or not is_known:
        slack = bool(items) and {"ts", "text"} <= {*items[0]}
        form = "a Slack export" if slack else "JSON of another form than the NYU debates"
        raise UsageError(f"it is {form}, a form that is not known", hint=KNOWN)
    if pick in ids:
        return ids[pick]
    if len(items) == 1 and not pick:
        return items[0]
    first = ", ".join(list(ids)[:5])
    raise UsageError(
        f"it holds {len(items)} debates" + (f", and none is {pick!r}" if pick else ""),
        hint=f"Name one with --pick: {first}{', ...' if len(ids) > 5 else ''}",  # noqa: PLR2004
    )


def _released(item: Mapping[str, Any]) -> Imported:
    setup = item["setup"]
    material = setup.get("sourceMaterial") or {}  # the story, wherever the source keeps it
    kept = material if "contents" in material else next(iter(material.values()), {})
    story = kept.get("contents") if isinstance(kept, Mapping) else None
    speakers: dict[int, str] = {}
    speeches: list[Speech] = []
    for one in item["rounds"]:
        (content,) = one.values()
        for key, said in sorted((content.get("speeches") or {}).items()):
            speakers[int(key)] = said["speaker"]
            text = _words(said["content"], story if isinstance(story, list) else [])
            at, stamp = said.get("timestamp"), ""
            if isinstance(at, int):
                stamp = datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            if text.strip():
                speeches.append(Speech(said["speaker"], text, stamp))
    positions = {speakers[k]: a for k, a in enumerate(setup["answers"]) if k in speakers}
    left_out = ("what the judge said and decided",)
    return Imported(_text(setup["question"]), tuple(speeches), positions, left_out)


def _words(content: Sequence[Mapping[str, Any]], story: Sequence[str]) -> str:
    words = ""
    for part in content:
        if "Quote" in part:
            first, end = part["Quote"]["span"]
            words += f"<quote>{joined(story[first:end])}</quote>"
        else:
            words += _text(part["Text"]["text"])
    return words


def joined(tokens: Sequence[str]) -> str:
    """Return the tokens of a treebank as a text.

    >>> joined(["They", "said", "``", "no", "''", "."])
    'They said "no".'
    """
    text = _AFTER.sub("", _BEFORE.sub("", " ".join(token.strip(" ") for token in tokens)))
    text = text.replace("``", '"').replace("''", '"').replace("-LSB-", "[").replace("-RSB-", "]")
    return text.replace(" \n ", "\n").strip()


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value

"""Debates on the questions whose documents were written for them: make them, keep their speeches.

    python -m benchmarks.known_debates new [ID ...]     debates/ID, with the document as its context
    python -m benchmarks.known_debates keep [ID ...]    what was said there goes into own.json

Without an ID it is all of them; those that nobody has debated are left as they are. The
proposition holds answer A, the opposition answer B, whichever of them is right.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import debate_ops
from debate_ops import engine
from debate_ops.analysis.evidence import check_ground
from debate_ops.analysis.quotations import Kind
from debate_ops.core.values import Debate, Entry
from debate_ops.engine import Framing
from debate_ops.engine.store import DEBATES, Folder
from debate_ops.protocols.exchange import list_arguments

SET = Path(debate_ops.__file__).parent / "calibration" / "own.json"
SIDES = {"prop": "A", "opp": "B"}
LICENCE = (
    "Each side argues to win, whatever is right: it chooses what to show and how to read it, and "
    "grants only what the other side has proved by quotation. Nobody invents or alters a "
    "quotation, a source or a figure."
)
"""What a judge is to be tested with: debaters who concede at once decide the question for it."""


def main() -> None:
    """Do what the first word says."""
    _, *words = sys.argv
    match words:
        case ["new", *names]:
            made = [create(item).path for item in picked(questions(), names)]
            print("\n".join(made))
        case ["keep", *names]:
            print(f"{len(list(keep(SET, names)))} debates kept in {SET}")
        case _:
            sys.exit(__doc__)


def questions(path: Path = SET) -> list[dict[str, Any]]:
    """Return the questions of a set."""
    items: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return items


def picked(items: list[dict[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the questions with these ids; all of them if none is named."""
    if unknown := set(names) - {item["id"] for item in items}:
        sys.exit(f"there is no question {', '.join(sorted(unknown))}")
    return [item for item in items if not names or item["id"] in names]


def create(item: Mapping[str, Any], **settings: Any) -> Folder:
    """Make the debate of a question, of the protocol `exchange`; one that is there is left alone.

    It does not say which answer is right.
    """
    folder = Folder(os.path.join(DEBATES, item["id"]))
    if not is_there(folder):
        document = SET.parent / item["document"]
        context = (document.name, document.read_text(encoding="utf-8").rstrip("\n"))
        framing = framing_of(item, context)
        engine.create(folder.slug, framing, settings={"web_search": "forbidden"} | settings)
    return folder


def is_there(folder: Folder) -> bool:
    """Tell whether a debate is there."""
    return os.path.lexists(folder.debate_file)


def framing_of(item: Mapping[str, Any], document: tuple[str, str]) -> Framing:
    """Return what a question's debate is about, with its document."""
    answers = item["answers"]
    return Framing(
        motion=f"{item['question']} The right answer is: “{answers['A']}”",
        scope=f"The proposition holds that the right answer is “{answers['A']}”, the opposition "
        f"that it is “{answers['B']}”. One of the two is right. What decides is in "
        f"{document[0]}; whoever decides in the end cannot see it, and has only what is quoted. "
        f"{LICENCE}",
        context=(document,),
    )


def speeches(folder: Folder) -> list[dict[str, Any]]:
    """Return what the sides of a debate said: one speech for each of them and each exchange.

    A quotation that is word for word in the document stands in `<quote>`, and no other text does.
    """
    debate = engine.load(folder).debate
    said = sorted(list_arguments(debate), key=lambda e: (e.round, e.by != "prop"))
    return [
        {
            "round": number + 1,
            "debater": SIDES[side],
            "text": "\n\n".join("\n".join(_lines(entry, debate)) for entry in own),
        }
        for (number, side), own in groupby(said, key=lambda e: (e.round, e.by))
    ]


def _lines(entry: Entry, d: Debate) -> Iterator[str]:
    yield _plain(f"[{entry.id}] {entry.title}")
    yield _plain(f"Claim: {entry.texts.get('Claim') or entry.data['claim']}")
    for ground in entry.data["grounds"]:
        named, quote = ground.get("document"), ground.get("quote") or ""
        yield _plain(f"Ground, from {named or ground['source']}: {ground['content']}")
        found = check_ground(d, ground)
        if found and found[0].kind is Kind.VERBATIM:
            yield f"<quote>{_plain(quote)}</quote>"
        elif found:
            yield _plain(f"Quoted, but not found so in the document: {quote}")
        yield _plain(f"Why: {ground['relevance']}")
    for name in ("Warrant", "Backing", "Qualifier"):
        if text := entry.texts.get(name):
            yield _plain(f"{name}: {text}")
    for verb, key in (("Attacks", "attacks"), ("Defends", "defends")):
        for link in entry.data.get(key) or ():
            yield _plain(f"{verb} {link['target_id']}: {link['content']}")


def _plain(text: str) -> str:
    return re.sub("(?i)</?quote>", "", text)


def keep(path: Path, names: Sequence[str]) -> Iterator[str]:
    """Write the speeches of debates into a set, and yield the ids of those that were there."""
    items = questions(path)
    for item in picked(items, names):
        folder = Folder(os.path.join(DEBATES, item["id"]))
        if is_there(folder) and (said := speeches(folder)):
            item["speeches"] = said
            yield item["id"]
    path.write_text(json.dumps(items, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Makes the corpus of quotations, `cases.json`, from its texts by rules and a seed.

Run `python -m tests.semantics.quotations.make` after a change here or of `texts.json`.
"""

from __future__ import annotations

import json
import random
import re
import textwrap
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

HERE = Path(__file__).parent
TRUE, ALTERED, INVENTED = "true", "altered", "invented"
Case = dict[str, str]

_LIGATURES = {"ffi": "\ufb03", "ffl": "\ufb04", "ff": "\ufb00", "fi": "\ufb01", "fl": "\ufb02"}
_OTHER_QUOTES = str.maketrans(dict.fromkeys('"„“«»', "'") | {"\u2013": "-", "'": "\u2019"})
_NOT = re.compile(r"\b(not|nicht|pas|no|Nobody|niemand|Personne|Nadie|ningún|aucun|nowhere)\b ?")
_NUMBER = re.compile(r"\d(?=\D*$)")


def as_pdf(text: str, chance: random.Random) -> str:
    """Return a text as a program gets it out of a PDF."""
    for letters, one in _LIGATURES.items():
        text = text.replace(letters, one)
    words = [soft(word, chance) if chance.random() < 0.2 else word for word in text.split(" ")]
    lines = textwrap.wrap(" ".join(words), 46, break_on_hyphens=False)
    text = "\n".join(hyphenated(lines, chance))
    text = unicodedata.normalize("NFD", text) if chance.random() < 0.5 else text
    return re.sub(r" (?=\S+\n)", lambda _: chance.choice([" ", "  ", "\u00a0"]), text)


def soft(word: str, chance: random.Random) -> str:
    """Return a word with a soft hyphen, if it is long."""
    place = chance.randrange(3, max(4, len(word) - 2))
    return f"{word[:place]}\u00ad{word[place:]}" if word.isalpha() and len(word) > 6 else word


def hyphenated(lines: list[str], chance: random.Random) -> Iterator[str]:
    """Yield lines, some of which end within a long word."""
    for line in lines:
        first, _, rest = line.partition(" ")
        if len(first) > 7 and first.isalpha() and rest and chance.random() < 0.7:
            yield f"{first[:4]}-"
            yield f"{first[4:]} {rest}"
        else:
            yield line


def stretch(text: str, chance: random.Random, least: int = 7, most: int = 22) -> str:
    """Return words of a text that follow each other."""
    words = text.split(" ")
    size = chance.randrange(least, most)
    start = chance.randrange(len(words) - size)
    return " ".join(words[start : start + size])


def with_gap(quotation: str, chance: random.Random) -> str:
    """Return a quotation with an ellipsis in place of words in its middle."""
    words = quotation.split(" ")
    sign = chance.choice(["…", "...", "[…]", "[...]", "(…)"])
    return " ".join([*words[:4], sign, *words[-4:]])


def marked_up(quotation: str, chance: random.Random) -> str:
    """Return a quotation as it is copied out of a prompt, with emphasis of one's own."""
    words = quotation.split(" ")
    words[2] = f"**{words[2]}**"
    return " ".join(words[:5]) + "\n> " + " ".join(words[5:]) + chance.choice(["", "."])


TRUE_RULES: dict[str, Callable[[str, random.Random], str]] = {
    "as it stands": lambda q, _: q,
    "in other quotation marks and dashes": lambda q, _: f"\u201c{q.translate(_OTHER_QUOTES)}\u201d",
    "with an ellipsis": with_gap,
    "copied from a prompt": marked_up,
    "copied from a PDF": as_pdf,
}


def negated(quotation: str, chance: random.Random) -> str:
    """Return a quotation without its negation, or with a word in place of another."""
    return (
        _NOT.sub("", quotation, count=1) if _NOT.search(quotation) else swapped(quotation, chance)
    )


def swapped(quotation: str, chance: random.Random) -> str:
    """Return a quotation in which two words have changed places."""
    words = quotation.split(" ")
    place = chance.randrange(1, len(words) - 3)
    words[place], words[place + 2] = words[place + 2], words[place]
    return " ".join(words) if words[place] != words[place + 2] else " ".join(words[::-1])


def other_number(quotation: str, chance: random.Random) -> str:
    """Return a quotation with another digit, or with a word more."""
    changed = _NUMBER.sub(lambda m: str((int(m[0]) + 3) % 10), quotation, count=1)
    return changed if changed != quotation else added(quotation, chance)


def added(quotation: str, chance: random.Random) -> str:
    """Return a quotation with one word more."""
    words = quotation.split(" ")
    words.insert(chance.randrange(2, len(words) - 2), "xenon")
    return " ".join(words)


def omitted(quotation: str, chance: random.Random) -> str:
    """Return a quotation without one of its words, and nothing to show for it."""
    words = quotation.split(" ")
    del words[chance.randrange(2, len(words) - 2)]
    return " ".join(words)


ALTERED_RULES: dict[str, Callable[[str, random.Random], str]] = {
    "without its negation": negated,
    "with another number": other_number,
    "with a word more": added,
    "with a word less": omitted,
    "with words exchanged": swapped,
}


def cases() -> Iterator[Case]:
    """Yield 200 cases: of each language 25 true quotations, 15 altered and 10 invented ones."""
    texts = json.loads((HERE / "texts.json").read_text(encoding="utf-8"))
    chance = random.Random(1961)  # noqa: S311
    for language, each in texts.items():
        plain = each["text"]
        kinds = ((TRUE, TRUE_RULES, 25), (ALTERED, ALTERED_RULES, 15))
        for kind, rules, number in kinds:
            for rule in [*rules] * (number // len(rules)):
                document = as_pdf(plain, chance) if chance.random() < 0.6 else plain
                quotation = rules[rule](stretch(plain, chance, 12), chance)
                yield case(language, kind, rule, quotation, document)
        for quotation in each["invented"]:
            yield case(language, INVENTED, "by hand", quotation, as_pdf(plain, chance))


def case(language: str, kind: str, rule: str, quotation: str, document: str) -> Case:
    """Return a case as it is kept."""
    named = {"language": language, "kind": kind, "rule": rule}
    return named | {"quotation": quotation, "document": document}


if __name__ == "__main__":
    listed = json.dumps(list(cases()), indent=1, ensure_ascii=True)
    (HERE / "cases.json").write_text(f"{listed}\n", encoding="utf-8")

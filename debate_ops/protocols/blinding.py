"""What members of a panel are shown of a debate: letters in the place of names, and back.

Every second member reads the sides in the other order, so that what comes first decides nothing.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import partial
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

if TYPE_CHECKING:
    from debate_ops.core.values import Debate, Entry, Turn
    from debate_ops.protocols.speeches import Settings

LEAST_NAME = 3
"""Letters of a name that is made unreadable in texts: a shorter one may be a word."""
_BEGIN = "(?:\\A|[.!?\u2026\\n])[ \\-*_(\"'\u201c\u2018]*"
"""What stands before the first word of a sentence."""
_HAS_ID = re.compile(r"\[[a-z][a-z0-9-]*_[0-9]{3}")
"""How a speech begins that is made of entries of another debate, each with its own id."""


def even_percent(answers: int) -> int:
    """Return how sure, in per cent, somebody is at least of the likeliest of some answers."""
    return math.ceil(100 / answers)


def _order_for(names: Iterable[str], member: str) -> list[str]:
    """Return names in the order of a member: every second one reads them backwards."""
    return list(names)[:: -1 if member[-1] in "02468" else 1]


def label_speakers(s: Settings, member: str) -> dict[str, str]:
    """Return what a member of the panel reads in the place of each name, in its order.

    Names that are letters already stay, in capitals, because the speeches may use them.
    """
    names = _order_for(s.positions, member)
    if all(len(name) == 1 for name in names):
        return {name: name.upper() for name in names}
    letters = [*ascii_uppercase, *(f"A{letter}" for letter in ascii_uppercase)]
    return dict(zip(names, letters, strict=False))


def label_answers(s: Settings, member: str) -> dict[str, str]:
    """Return what stands on a ballot for each answer: to a judge who is no member its name."""
    labels = label_speakers(s, member) if member in s.members else {}
    return {name: labels.get(name, name) for name in _order_for(s.answers, member)}


def name_voice(s: Settings) -> str:
    """Return what somebody who spoke is called, before the letter."""
    return "Speaker" if s.choices else "Side"


def blind_text(said: str, s: Settings, member: str) -> str:
    """Return a text with the names of participants, alone and in ids, as a member reads them.

    A name that is a word of its own position, in short, stays where it stands alone.
    """
    labels, voice = label_speakers(s, member), name_voice(s)
    words: dict[str, str] = {}
    for each in s.participants:
        said = re.sub(
            rf"(?<![\w-]){re.escape(each.name)}_(?=[0-9]{{3}})", f"{labels[each.name]}_", said
        )
        short = each.position.partition("\n")[0].casefold()
        for name in (each.called, each.name, each.name.capitalize()):
            if len(name) >= LEAST_NAME and name.casefold() not in short:
                words[name] = f"{voice} {labels[each.name]}"
    for name in sorted(words, key=len, reverse=True):
        said = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", words[name], said)
    return said


def unblind_id(an_id: str, s: Settings, member: str) -> str:
    """Return the id on record of an entry that a member has read under another one."""
    letter, _, rest = an_id.partition("_")
    names = {label: name for name, label in label_speakers(s, member).items()}
    return f"{names[letter]}_{rest}" if letter in names else an_id


def unblind_text(said: str, s: Settings, member: str, called: Mapping[str, str]) -> str:
    """Return what a member wrote with those who spoke as readers call them, and ids on record.

    Letters that stand alone may be words, so they stay, with a key in front. A and I alone are
    words of English.
    """
    letters = {}
    for name, letter in label_speakers(s, member).items():
        letters[letter] = called.get(name, name)
        said = re.sub(rf"\b{letter}_(?=[0-9]{{3}})", f"{name}_", said)
        spoken = rf"({_BEGIN})?\b(?:[Tt]he )?(?:Side|Speaker) {letter}\b"
        said = re.sub(spoken, partial(_write_name, letters[letter]), said)
    ends = ((letter, "(?='s)" if letter in {"A", "I"} else r"(?![\w-])") for letter in letters)
    if any(re.search(rf"(?<![\w-]){letter}{end}", said) for letter, end in ends):
        return f"({', '.join(f'{letter}: {name}' for letter, name in letters.items())}) {said}"
    return said


def _write_name(name: str, place: re.Match[str]) -> str:
    """Return a name as it is written at its place: with a capital where a sentence begins."""
    begin = place[1]
    return name if begin is None else f"{begin}{name[:1].upper()}{name[1:]}"


def show_panel(d: Debate, turn: Turn, member: str) -> dict[str, Any]:
    """Return what a member may see: before its ballot no speech at all."""
    s = d.settings
    labels, answers, voice = label_speakers(s, member), label_answers(s, member), name_voice(s)
    called = answers | {name: f"{voice} {letter}" for name, letter in labels.items()}
    texts = s.positions | s.answers
    lines = [f"{said}: {texts[name] or '(none)'}" for name, said in called.items()]
    values = {
        "question": blind_text(s.question, s, member),
        "positions": blind_text("\n".join(lines), s, member),
        "answers": Markup(", ".join(f"`{said}`" for said in answers.values())),
        "even": even_percent(len(answers)),
    }
    if turn.phase == "awaiting_views":
        return values
    number = int(member.rpartition("-")[2]) - 1
    issues = "\n".join(f"{n}. {said}" for n, said in enumerate(s.issues, 1))
    names = list(labels)
    speeches = sorted(d.find("speech"), key=lambda e: (e.round, names.index(e.by)))
    return values | {
        "speeches": "\n\n".join(blind_text(_spell(e), s, member) for e in speeches),
        "issues": blind_text(issues, s, member),
        "persona": s.personas[number % len(s.personas)] if s.personas else "",
    }


def _spell(e: Entry) -> str:
    """Return a speech with its id, unless it is made of entries that have their own."""
    said = e.texts.get("Speech", "")
    if _HAS_ID.match(said):
        return said
    lines = [f"[{e.id}]", f"Title: {e.title}", *(f"{k}: {v}" for k, v in e.texts.items() if v)]
    for key, label in (("attacks", "Attacks"), ("defends", "Defends")):
        lines += [f"{label} {link['target_id']} ({link['type']})" for link in e.data.get(key, ())]
    return "\n".join(lines)

"""One small debate in three languages, and a brief of it that keeps to its record."""

from __future__ import annotations

from typing import Any, NamedTuple

from debate_ops.model.debate import Document, Framing
from debate_ops.model.views import Ground
from debate_ops.reports.exchange.report import view as view_of
from debate_ops.reports.exchange.scoreboard import Scoreboard
from debate_ops.reports.view import View
from tests.reports.debates import argument, debate, judgment

Data = dict[str, Any]


class Words(NamedTuple):
    """The texts of a debate in one language, and sentences of a brief of it."""

    motion: str
    ground: str
    words: str
    point: str
    plain: str
    number: str
    other: str
    quoted: str
    misquoted: str


LANGUAGES = {
    "English": Words(
        motion="This house would stop inserting leap seconds from 2035 on",
        ground="Since 1972 there were 27 leap seconds; 0.2 % of the queries failed. Servers stood.",
        words="Servers stood",
        point="Two repositories cost 130 changes a year.",
        plain="Both sides agree that clocks have to be kept by somebody who looks after them.",
        number="There were 27 of them since 1972, and 0.2% of the queries failed.",
        other="There were 28 of them.",
        quoted="It says “Servers stood” there.",
        misquoted="It says “Servers fell” there.",
    ),
    "German": Words(
        motion="Dieses Haus würde ab 2035 keine Schaltsekunden mehr einfügen",
        ground="Seit 1972 gab es 27 Schaltsekunden; 0,2 % der Anfragen schlugen fehl. Server fielen aus.",
        words="server  fielen",
        point="Zwei Ablagen kosten 130 Änderungen im Jahr.",
        plain="Beide Seiten sind sich einig, dass jemand auf die Uhren achten muss, der sie kennt.",
        number="Es gab deren 27 seit 1972, und 0,2 % der Anfragen schlugen fehl.",
        other="Es gab deren 0,3.",
        quoted="Dort steht „Server fielen aus“, ohne Grund.",
        misquoted="Dort steht „Server liefen“, ohne Grund.",
    ),
    "Japanese": Words(
        motion="本院は2035年から閏秒の挿入をやめる",
        ground="1972年以来、閏秒は27回あり、問い合わせの0.2%が失敗した。サーバーが止まった。",
        words="サーバーが止まった",
        point="二つの保管庫は年に130件の変更を要する。",
        plain="双方とも時計は誰かが世話をしなければならないという点では一致している。",
        number="1972年以来２７回あり、0.2％が失敗した。",
        other="1973年以来のことである。",
        quoted="そこには「サーバーが止まった」とある。",
        misquoted="そこには「サーバーが動いた」とある。",
    ),
}
POINT = "facts.md, 3"
ARGUMENTS = ("prop_001", "prop_002", "opp_001", "opp_002")


def view(language: str) -> View:
    """Return the debate: the case for the motion is ahead by 0.35, over two issues."""
    words = LANGUAGES[language]
    record = debate(
        argument("prop_001", grounds=(Ground("facts.md", words.ground, ""),)),
        argument("opp_001"),
        judgment(1, {"prop_001": 300, "opp_001": -200}),
        argument("prop_002", attacks=["opp_001"]),
        argument("opp_002", attacks=["prop_001"]),
        judgment(2, {"prop_002": -100, "opp_002": 100}, {"prop_001": (300, 350)}),
        framing=Framing(words.motion, context=(Document("facts.md", words.point),)),
    )
    points = {POINT: words.point}
    return view_of(Scoreboard(record))._replace(points=points, unused=(POINT,), favoured="prop")


def story(sentence: str) -> str:
    """Return enough sentences for a fourth of a story."""
    return " ".join([sentence] * (7 if sentence.isascii() or " " in sentence else 5))


def brief(language: str) -> Data:
    """Return a brief that has no faults, and something of everything in it."""
    words = LANGUAGES[language]
    point = {"lead": words.plain, "text": words.number, "cites": ["prop_001"]}
    attack = {"text": "{attack:opp_002>prop_001}", "cites": []}
    quoted = {"lead": words.plain, "text": words.quoted, "cites": ["prop_001"]}
    context = {"text": words.point, "cites": [POINT]}
    whys = (words.number, "{total:prop} {total:opp@1} {score:prop_001@1} {change:prop_001}")
    shares = (("prop", ["prop_001", "opp_001"]), ("opp", ["prop_002", "opp_002"]))
    return brief_of(view(language), words.plain) | {
        "why": [f"{words.plain} [[prop_001]], {{lead}}, 2035."],
        "confidence": f"{words.plain} 60 %.",
        "sections": [
            {"title": words.plain, "for": "prop", "points": [point]},
            {"title": words.plain, "for": "opp", "points": [attack]},
            {"title": "{quote:prop_001|" + words.words + "}", "points": [quoted, context]},
        ],
        "issues": [
            {"question": words.plain, "better": better, "why": why, "arguments": own}
            for (better, own), why in zip(shares, whys, strict=True)
        ],
        "cruxes": [{"question": words.plain, "yes_favours": "opp", "evidence": words.plain}],
        "next_steps": [{"lead": words.plain, "text": "14:30, 2041: > 60 %", "cites": [POINT]}],
        "unchecked": [{"fact": words.number, "cites": ["prop_001"]}],
        "unused": [{"point": POINT, "why": "130"}],
        "changed": f"[[{POINT}]]: 130",
    }


def brief_of(view: View, plain: str = LANGUAGES["English"].plain) -> Data:
    """Return a brief without faults of a debate of any protocol, all of it one sentence."""
    entries = list(view.shares)
    issues = [
        {"question": plain, "better": better, "why": plain, "arguments": part}
        for part in (entries[::2], entries[1::2])
        for total in [view.moved_by(part)]
        for better in [list(view.choices)[total < 0] if total else "even"]
    ]
    cited = [item.id for item in view.content.items][:1]
    return {
        "participant": "reporter",
        "answer": plain,
        "direction": view.favoured or "open",
        "why": [plain],
        "confidence": plain,
        "meanwhile": plain,
        "sections": [
            {"title": plain, "points": [{"lead": plain, "text": plain, "cites": cited}], **choice}
            for choice in [{"for": choice} for choice in view.choices] or [{}]
        ],
        "cruxes": [
            {"question": plain, "yes_favours": next(iter(view.choices), "none"), "evidence": plain}
        ],
        "next_steps": [{"lead": plain}],
        "unchecked": [],
        "story": dict.fromkeys(("question", "clash", "turning_points", "verdict"), story(plain)),
    } | ({"issues": issues} if entries else {})

"""Debates that are full of texts which try to run, to load, to hide or to break something."""

from __future__ import annotations

from typing import Any

from debate_ops.model.debate import Debate, Definition, Document, Framing
from debate_ops.model.score import Millis
from debate_ops.model.views import Argument, Ground, Judgment, Link, Score
from tests.hostile import texts
from tests.reports.debates import OPENING, argument, debate, judgment

TEXTS = (*texts.TEXTS.values(), *texts.CONTROLS.values(), *texts.LAYOUT)
SCRIPT = texts.TEXTS["script"]
LOADING = texts.TEXTS["html that loads"]
MADE_BY: dict[str, Any] = {"model": SCRIPT, "client": LOADING, "latency_ms": SCRIPT}


def one_of_each() -> Debate:
    """Return a debate with one argument for each text, which stands wherever a text can stand."""
    values: list[Argument | Judgment] = [argument(i) for i in OPENING]
    values.append(judgment(0, dict.fromkeys(OPENING, 0)))
    for number, text in enumerate(TEXTS, 1):
        mine, other = (f"{side}_{number:03d}" for side in ("prop", "opp"))
        values += [_filled(mine, text, number), argument(other, title=f"A plain one of {number}")]
        scores = (Score(mine, Millis(100), text), Score(other, Millis(-100), text))
        values.append(Judgment(f"judge_{number:03d}", number, scores, ()))
    return debate(*values, motion=SCRIPT, framing=framing(), made_by=MADE_BY)


def framing() -> Framing:
    """Return a framing all of whose texts are hostile."""
    return Framing(
        " ".join(texts.TEXTS.values()),
        tuple(Definition(text.split("\n", 1)[0][:80], text) for text in texts.TEXTS.values()),
        "\n\n".join(texts.TEXTS.values()),
        tuple(Document(f"notes-{number}", text) for number, text in enumerate(texts.LAYOUT)),
    )


def _filled(entry_id: str, text: str, number: int) -> Argument:
    before = f"opp_{number - 1:03d}" if number > 1 else "opp_000a"
    own = f"prop_{number - 1:03d}" if number > 1 else "prop_000a"
    return argument(
        entry_id,
        title=text,
        claim=text,
        grounds=(Ground(text, text, text), Ground(f"{texts.WEB}/{number}", text, text)),
        warrant=text,
        backing=text,
        qualifier=text,
        attacks=(Link(before, "warrant_attack", text),),
        defends=(Link(own, "reinforce", text),),
    )


def damaged() -> Debate:
    """Return a debate with scores missing and links to arguments that there are not."""
    return debate(
        *(argument(i) for i in OPENING),
        judgment(0, {"prop_000a": 300, "opp_000b": -300}),
        argument("prop_001", attacks=["opp_999", "opp_000a"], defends=["prop_777"]),
        argument("opp_001", attacks=["prop_001", "judge_000"], title="", claim="", warrant=""),
        judgment(1, {}),
        argument("prop_002", grounds=(), attacks=["prop_002"]),
    )


def long_ids() -> Debate:
    """Return a debate whose ids are as long as they get."""
    return debate(
        *(argument(i) for i in OPENING),
        judgment(0, dict.fromkeys(OPENING, 0)),
        argument("prop_1234", attacks=["opp_000a"])._replace(exchange=1234),
        argument("opp_1234", attacks=["prop_000a"])._replace(exchange=1234),
        judgment(1234, {"prop_1234": 100, "opp_1234": -100}),
    )

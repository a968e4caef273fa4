"""Texts that try to run, to load, to hide or to break something, and debates that are full of them.

Whatever would do so on a page names `MARK`, or loads from `ELSEWHERE`.
"""

from __future__ import annotations

from typing import Any

from debate_ops.model.debate import Debate, Definition, Document, Framing
from debate_ops.model.entries import Argument, Ground, Judgment, Link, Score
from debate_ops.model.score import Millis
from tests.reports.debates import OPENING, argument, debate, judgment

MARK = "hostile"
ELSEWHERE = "https://elsewhere.example"

RUNNING = (
    f"<script>alert('{MARK}')</script>",
    f"</script><script>alert('{MARK}')</script>",
    f"</style></title></textarea></template></svg></math><script>alert('{MARK}')</script>",
    f"<svg onload=alert('{MARK}')><circle r=9></svg>",
    f"<img src=x onerror=alert('{MARK}')>",
    f"<iframe srcdoc=\"<script>parent.alert('{MARK}')</script>\"></iframe>",
    f"<details open ontoggle=alert('{MARK}')><summary>x</summary></details>",
    f"<a href=\"javascript:alert('{MARK}')\">press me</a>",
    f"[press me](javascript:alert('{MARK}'))",
    f"[press me](JaVa&#x53;cript:alert%28'{MARK}'%29)",
    f"[press me](data:text/html,<script>alert('{MARK}')</script>)",
    f"<javascript:alert('{MARK}')>",
    f"\" onmouseover=\"alert('{MARK}')\" autofocus onfocus=\"alert('{MARK}')",
    f"' onclick='alert(\"{MARK}\")",
    f"{{{{ ''.__class__.__mro__ }}}} {{% include '{MARK}' %}} ${{alert('{MARK}')}}",
    f"<math><mtext><table><mglyph><style><img src=x onerror=alert('{MARK}')>",
    f"<noscript><p title=\"</noscript><img src=x onerror=alert('{MARK}')>\">",
    f"<form><button formaction=javascript:alert('{MARK}')>press me</button><input name=id></form>",
)
"""What would run a script."""

LOADING = (
    f"<img src={ELSEWHERE}/a.png>",
    f"![a picture]({ELSEWHERE}/b.png)",
    f'![a picture][p]\n\n[p]: {ELSEWHERE}/c.png "t"',
    f"<link rel=stylesheet href={ELSEWHERE}/d.css><style>@import '{ELSEWHERE}/e.css'</style>",
    f'<meta http-equiv=refresh content="0;url={ELSEWHERE}/f"><base href="{ELSEWHERE}/">',
    f"<object data={ELSEWHERE}/g></object><embed src={ELSEWHERE}/h><iframe src={ELSEWHERE}/i>",
    f"<video src={ELSEWHERE}/j autoplay poster={ELSEWHERE}/k></video>",
    f"<svg><image href={ELSEWHERE}/l /><use href={ELSEWHERE}/m#x /></svg>",
    f'<p style="background:url({ELSEWHERE}/n)">x</p>',
    f"See {ELSEWHERE}/o and <{ELSEWHERE}/p> and www.elsewhere.example/q.",
)
"""What would ask somebody else for something."""

HIDING = (
    "<!-- a comment that is never closed",
    "</article></section></main></body></html>",
    "</details></summary></ul></table></dialog>",
    '<div hidden style="display:none"><p aria-hidden="true">',
    "<textarea><title><plaintext><xmp>",
    "<![CDATA[ x ]]> <?php x ?> <!DOCTYPE html>",
    "<p id=prop_000a class=card name=opp_000a>",
    "\u202eright to left\u202c \u2066isolated\u2069 \u200e\u200f\u061c",
    "\u202e\u202e\u202e never taken back",
    "zero\u200bwidth\u200cjoin\u200der\u2060s\ufeff and\u00adsoft",
    "nul \x00 bell \x07 escape \x1b[31m delete \x7f line \x85 \u2028 paragraph \u2029 end",
    "l\u0336o\u0336n\u0336g\u0336 " + "a" + "\u0301" * 300 + " marks",
)
"""What would end, cover or turn around what comes after it."""

BREAKING = (
    "W" * 10_000,
    "many words " * 5_000,
    f"{ELSEWHERE}/" + "path/" * 400,
    "/a/very/long/path/" * 200,
    "العدالة تتطلب أن يدفع الجميع. " * 20,
    "עברית ואנגלית mixed עם מספרים 12,345 " * 20,
    "発電所の費用は誰が負担するのか。" * 60,
    "🚀👩‍👩‍👧🇫🇷" * 200,
    "\u0130" * 40 + " grow",  # twice as long in small letters
    "| a | b |\n| --- | --- |\n| " + "c" * 3000 + " | d |",
    "```\n" + "x" * 4000 + "\n```",
    "# One\n\n###### Six\n\n- a\n\n    - b\n\n1. z\n\n===\n---\n> q\n\n***",
    "> " * 60 + "deep",
    "* " * 60 + "deep",
    "[" * 500 + "]" * 500 + "(" * 500,
    "*_`~$\\" * 300,
    "\n\n\n \t\v\f" * 30 + "after the empty lines",
    "&lt;b&gt; &amp;amp; &#60;script&#62; &NotAnEntity; &",
    "prop_000a [prop_000a] `opp_000b` [opp_000b](opp_000b.md) #prop_000a",
)
"""What would be too long, too wide, too deep or of another kind."""

TEXTS = (*RUNNING, *LOADING, *HIDING, *BREAKING)


def one_of_each() -> Debate:
    """Return a debate with one argument for each text, which stands wherever a text can stand."""
    values: list[Argument | Judgment] = [argument(i) for i in OPENING]
    values.append(judgment(0, dict.fromkeys(OPENING, 0)))
    for number, text in enumerate(TEXTS, 1):
        mine, other = (f"{side}_{number:03d}" for side in ("prop", "opp"))
        values += [_filled(mine, text, number), argument(other, title=f"A plain one of {number}")]
        scores = (Score(mine, Millis(100), text), Score(other, Millis(-100), text))
        values.append(Judgment(f"judge_{number:03d}", number, scores, ()))
    return debate(*values, motion="\n".join(RUNNING), framing=framing(), made_by=MADE_BY)


MADE_BY: dict[str, Any] = {"model": RUNNING[1], "client": LOADING[0], "latency_ms": RUNNING[0]}


def framing() -> Framing:
    """Return a framing all of whose texts are hostile."""
    return Framing(
        " ".join((*RUNNING, *LOADING, *HIDING)),
        tuple(Definition(text.split("\n", 1)[0][:80], text) for text in RUNNING),
        "\n\n".join((*LOADING, *HIDING)),
        tuple(Document(f"notes-{number}", text) for number, text in enumerate(BREAKING)),
    )


def _filled(entry_id: str, text: str, number: int) -> Argument:
    before = f"opp_{number - 1:03d}" if number > 1 else "opp_000a"
    own = f"prop_{number - 1:03d}" if number > 1 else "prop_000a"
    return argument(
        entry_id,
        title=text,
        claim=text,
        grounds=(Ground(text, text, text), Ground(f"{ELSEWHERE}/{number}", text, text)),
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

"""Debates to export, and the parsers of other tools that read them.

The debates ship with the project, or have texts that break formats. Older ones are among the
first, where a folder of them is named.
"""

import json
import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from debate_ops import engine
from debate_ops.convert import convert
from debate_ops.core.values import Entry
from debate_ops.engine.store import Folder
from debate_ops.report.reading import Reading, read_debate
from tests.courses import RICH
from tests.hostile.texts import STRUCTURE
from tests.report.stage import ROOT, argument, exchange, make_long, read_at, read_course

_REAL = os.environ.get("DEBATE_OPS_REAL_DEBATES", "")
_MARKUP = (
    *("->", "+>", "_>", "<-", "--", "----", "===", "(1)", "[x]", "[x]: y", "<a>", "<a>: b", "@<a>"),
    *("#tag", "#(a tag)", "{a: 1}", "} x", "{", "}", ":smile:", ".~.", "//", "/* */", "<!-- -->"),
    *("a_b", "_a_", "__a__", "**b**", "*", "e.g.", "2.1", "a:b", "a--b", "-x", "x-", "\\n", "\\"),
    *("-->", "-.->", "%%", "end", "subgraph", "click", "#quot;", "&quot;", "&amp;lt;", ";", "|"),
    *("\\N", "\\G", "\\l", '\\"', "<br/>", "&#10;", "]]", "))", '"]', "fa:fa-x", "$$x$$", "%"),
    *("=1+1", "+1", "-1", "@SUM(A1)", ",", "'", '"', "\t", "\ufb02", "`", "`m`", "arg(a)."),
    *("العدالة", "\u202eabc", "日本語", "👩‍👩‍👧", "<script>alert(1)</script>", "\U0010ffff"),
)
_WORDS = ("Costs", "of", "waiting", "fall", "on", "those", "who", "pay")
_PLAIN = ("A plain title", "two\nlines", 'say "so"', "[brackets] and (others)", " ", "", "x" * 9000)


def _find_folders() -> dict[str, Path]:
    roots = [ROOT / "debates", *([Path(_REAL)] if _REAL else [])]
    folders = [folder for root in roots for folder in sorted(root.iterdir())]
    return {folder.name: folder for folder in folders if (folder / "debate.md").is_file()}


_SHIPPED = _find_folders()
_FUZZED = {f"fuzzed-{seed}": seed for seed in range(5)}
DEBATES = (*_SHIPPED, *RICH, *_FUZZED, "long")


@cache
def read(name: str) -> Reading:
    """Return a reading of one of `DEBATES`."""
    if name == "long":
        return read_at(make_long(120))
    if name in _SHIPPED:
        folder = Folder(str(_SHIPPED[name]))
        if folder.path.startswith(f"{ROOT}/"):
            return read_debate(engine.load(folder))
        with tempfile.TemporaryDirectory() as inside:
            return read_debate(convert(folder, name, inside))
    return read_course(name) if name in RICH else fuzzed(60, _FUZZED[name])


def fuzzed(number: int, seed: int) -> Reading:
    """Return a debate of so many arguments, all of whose texts are hostile.

    It is the same for the same seed.
    """
    chance = random.Random(seed)  # noqa: S311
    pieces = (*_MARKUP, *STRUCTURE, *_WORDS, *_WORDS)

    def text() -> str:
        return chance.choice(("", " ", " ")).join(chance.choices(pieces, k=chance.randrange(1, 9)))

    made: list[Entry] = []
    for place in range(number):
        number_of = place // 2 + 1
        earlier = [e.id for e in made if e.round < number_of]
        attacked, defended = (chance.sample(earlier, min(2, len(earlier))) for _ in range(2))
        attack = chance.choice(("claim_attack", "warrant_attack"))
        defence = chance.choice(("reinforce", "concede_and_pivot"))
        title, said = _PLAIN[place] if place < len(_PLAIN) else text(), text()
        entry = argument(
            f"{('prop', 'opp')[place % 2]}_{number_of:03d}",
            [f"{target} {attack}" for target in attacked],
            [f"{target} {defence}" for target in defended],
            title=title,
            claim=said,
        )
        made.append(replace(entry, texts={"Claim": said, "Warrant": text()}))
    at = exchange(*made)
    at.debate.motion = _PLAIN[0] + ' "quoted" = {a} --> b'
    return read_at(at)


def list_argued(reading: Reading) -> list[Entry]:
    """Return what argues, by the record alone: no judgment, absence or note for oneself."""
    left_out = {"absence", "preparation"}
    entries = reading.at.debate.entries.values()
    return [e for e in entries if e.folder == "arguments" and e.kind not in left_out]


HERE = Path(__file__).parent
HOW = "run 'make test-tools', which sets it up"


def parse_dot(document: str, *options: str) -> str:
    """Return what `dot` prints; a document that it complains of is a failure."""
    if shutil.which("dot") is None:
        pytest.fail(f"graphviz is not there: {HOW}")
    done = subprocess.run(
        ["dot", *options], input=document.encode(), capture_output=True, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


def parse(kind: str, documents: Mapping[str, str]) -> dict[str, Any]:
    """Return by name what the parser of Argdown or Mermaid reads each document as."""
    if shutil.which("node") is None or not (HERE / "node_modules").is_dir():
        pytest.fail(f"node or its packages are not there: {HOW}")
    payload = json.dumps([{"name": name, "text": text} for name, text in documents.items()])
    done = subprocess.run(
        ["node", str(HERE / f"{kind}.mjs")],
        input=payload.encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return {item["name"]: item for item in json.loads(done.stdout)}

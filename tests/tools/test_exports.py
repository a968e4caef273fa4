"""Exports, schemas and scripts, read by the programs that other people read them with."""

import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from debate_ops.core.replies import schema_of
from debate_ops.core.texts import one_line
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.report.exports import EXPORTS
from debate_ops.report.reading import Reading
from debate_ops.report.record import Bond, list_bonds
from debate_ops.report.words import shorten, wrap
from tests.builders import ROOT
from tests.core.test_texts import SEEN, UNSEEN
from tests.report.stage import OPENING, argument, exchange, make_long, read_at
from tests.tools.debates import DEBATES, list_argued, parse, parse_dot, read

pytestmark = pytest.mark.tools


@pytest.fixture(scope="module")
def argdown() -> dict[str, Any]:
    return parse("argdown", {name: EXPORTS["argdown"](read(name)) for name in DEBATES})


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def test_every_map_is_read_without_a_fault_under_its_motion(argdown: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in argdown.items()} == {key: [] for key in DEBATES}
    for name, item in argdown.items():
        assert item["title"] == read(name).motion


@pytest.mark.parametrize("name", DEBATES)
def test_every_entry_is_a_statement_and_nothing_else_is(name: str, argdown: dict[str, Any]) -> None:
    """A text that is alive in Argdown would make statements or arguments of its own."""
    item = argdown[name]
    titles = dict(node["title"].partition(": ")[::2] for node in item["nodes"])
    assert {i: _letters(title) for i, title in titles.items()} == {
        e.id: _letters(shorten(e.title, 120)) for e in list_argued(read(name))
    }
    assert item["others"] == []


@pytest.mark.parametrize("name", DEBATES)
def test_a_statement_says_the_claim_of_its_argument(name: str, argdown: dict[str, Any]) -> None:
    said = {node["title"].partition(": ")[0]: node["text"] for node in argdown[name]["nodes"]}
    for e in list_argued(read(name)):
        if claim := shorten(str(e.data.get("claim", "")), 600):
            assert said[e.id] == claim


@pytest.mark.parametrize("name", DEBATES)
def test_attacks_and_supports_are_arrows_of_their_kind(name: str, argdown: dict[str, Any]) -> None:
    known = {e.id: e for e in list_argued(read(name))}
    bonds = {(_argdown_kind(b), b.source, b.target) for e in known.values() for b in list_bonds(e)}
    expected = {(kind, *ends) for kind, *ends in bonds if kind and ends[1] in known}
    edges = [
        (e["type"], *(e[end].partition(": ")[0] for end in ("from", "to")))
        for e in argdown[name]["edges"]
    ]
    assert Counter(edges) == Counter(expected)


def _argdown_kind(bond: Bond) -> str:
    """Return what a link is in Argdown; a concession and a mere mention are nothing there."""
    if bond.relation == "attacks":
        return "undercut" if bond.about == "warrant_attack" else "attack"
    is_support = bond.relation in {"defends", "answers", "revises", "builds_on"}
    return "support" if is_support and bond.about != "concede_and_pivot" else ""


_DOTTED = frozenset({"defends", "concedes", "answers", "revises", "builds_on"})


@pytest.fixture(scope="module")
def debates() -> dict[str, Reading]:
    return {name: read(name) for name in DEBATES} | {"long": read_at(make_long(120))}


@pytest.fixture(scope="module")
def mermaid(debates: dict[str, Reading]) -> dict[str, Any]:
    return parse("mermaid", {n: EXPORTS["mermaid"](own) for n, own in debates.items()})


def test_every_graph_is_read_without_a_fault(mermaid: dict[str, Any]) -> None:
    assert {name: item["faults"] for name, item in mermaid.items()} == {key: [] for key in mermaid}


def test_titles_are_read_as_on_record(debates: dict[str, Reading], mermaid: dict[str, Any]) -> None:
    for name, own in debates.items():
        entries = {re.sub(r"\W", "_", f"n{e.id}"): e for e in list_argued(own)}
        nodes = {node["id"]: node["lines"] for node in mermaid[name]["nodes"]}
        assert nodes.keys() == entries.keys()
        for node, lines in nodes.items():
            e = entries[node]
            assert _spell(lines) == _spell([e.id, *wrap(one_line(e.title), 27, 4)])


def _spell(lines: list[str]) -> list[str]:
    """Return lines as Mermaid gives them back: it spells one ligature out."""
    return [line.replace("\N{LATIN SMALL LIGATURE FL}", "fl") for line in lines]


def test_links_are_arrows_of_a_kind(debates: dict[str, Reading], mermaid: dict[str, Any]) -> None:
    for name in DEBATES:
        known = {e.id: e for e in list_argued(debates[name])}
        expected = Counter(
            (*(re.sub(r"\W", "_", f"n{end}") for end in (b.source, b.target)), stroke)
            for e in known.values()
            for b in list_bonds(e)
            if (stroke := "normal" if b.relation == "attacks" else "dotted")
            if b.target in known and (b.relation == "attacks" or b.relation in _DOTTED)
        )
        edges = Counter((e["from"], e["to"], e["stroke"]) for e in mermaid[name]["edges"])
        assert edges == expected


Graph = dict[str, Any]


@pytest.fixture(scope="module", params=DEBATES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def laid_out(name: str) -> Graph:
    """What Graphviz draws, without any complaint: the texts as they are painted too."""
    graph: Graph = json.loads(parse_dot(EXPORTS["dot"](read(name)), "-Tjson"))
    return graph


def _painted(item: Graph) -> list[str]:
    return [shape["text"] for shape in item["_ldraw_"] if shape["op"] == "T"]


def test_every_title_is_painted_as_it_stands_on_record(name: str, laid_out: Graph) -> None:
    """A line that is too long ends in an ellipsis; all else is the title, letter by letter."""
    nodes = {item["name"]: item for item in laid_out["objects"]}
    entries = list_argued(read(name))
    assert set(nodes) == {e.id for e in entries}
    for e in entries:
        entry_id, *lines = _painted(nodes[e.id])
        assert entry_id == e.id
        _compare("".join(lines), one_line(e.title))


def _compare(painted: str, title: str) -> None:
    """Compare what is painted with a title, where each ellipsis stands for what was cut."""
    rest = title.replace(" ", "")
    for number, part in enumerate(painted.replace(" ", "").split("…")):
        at = rest.find(part)
        assert at == 0 or (number and at > 0), (painted, title)
        rest = rest[at + len(part) :]


def test_every_link_is_an_edge_with_its_component(name: str, laid_out: Graph) -> None:
    known = {e.id: e for e in list_argued(read(name))}
    bonds = [b for e in known.values() for b in list_bonds(e) if b.target in known]
    expected = Counter(
        (b.source, b.target, b.relation == "attacks", b.about.replace("_", " ") or b.relation)
        for b in bonds
        if b.relation == "attacks" or b.relation in _DOTTED
    )
    names = {item["_gvid"]: item["name"] for item in laid_out["objects"]}
    edges = Counter(
        (names[e["tail"]], names[e["head"]], e["style"] == "solid", " ".join(_painted(e)))
        for e in laid_out.get("edges", ())
    )
    assert edges == expected


@pytest.mark.parametrize("piece", ["word ", "&", "\\", '"', "a\u0301", "\U0001f680", "\u767a"])
def test_a_title_of_any_length_is_read(piece: str) -> None:
    text = piece * 100_000
    at = exchange(*map(argument, OPENING), argument("prop_001", ["opp_000a"], title=text))
    at.debate.motion = text
    parse_dot(EXPORTS["dot"](read_at(at)), "-Tcanon")


_ASK = """
const given = JSON.parse(require("fs").readFileSync(0, "utf8"))
const seen = given.patterns.map(p => given.texts.map(t => new RegExp(p, "u").test(t)))
process.stdout.write(JSON.stringify(seen))
"""


def test_a_text_is_blank_by_ecma_262_if_it_is_so_by_python() -> None:
    if shutil.which("node") is None:
        pytest.fail("node is not there: run 'make test-tools', which says how it gets there")
    forms = [form for name in PROTOCOLS for form in load_protocol(name).replies.values()]
    found = re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps([*map(schema_of, forms)]))
    every = [json.loads(pattern) for pattern in sorted({*found})]
    assert every
    said = [text * 10 for text in (*UNSEEN, *SEEN)]
    done = subprocess.run(
        ["node", "-e", _ASK],
        input=json.dumps({"patterns": every, "texts": said}).encode(),
        capture_output=True,
        check=True,
    )
    expected = [[re.search(pattern, text) is not None for text in said] for pattern in every]
    assert json.loads(done.stdout) == expected


SCRIPTS = sorted((ROOT / "debate_ops").rglob("*.js"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_of_a_page_is_without_fault(script: Path) -> None:
    """It is linted as if it lay beside the configuration, where the linter looks for one."""
    result = subprocess.run(
        ["node_modules/.bin/eslint", "--stdin", "--stdin-filename", "script.js"],
        cwd=Path(__file__).parent,
        input=script.read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr

"""Exports, schemas and scripts, read by the programs that other people read them with."""

import json
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from debate_ops.core.replies import schema_of
from debate_ops.core.texts import one_line
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.report.exports import EXPORTS
from debate_ops.report.record import list_bonds
from tests.builders import ROOT
from tests.core.test_texts import SEEN, UNSEEN
from tests.report.stage import OPENING, argument, exchange, read_at
from tests.tools.debates import DEBATES, list_argued, parse, parse_dot, read

pytestmark = pytest.mark.tools


class Graph(NamedTuple):
    """What a tool read: by its id what it shows of each entry, and links from one to another."""

    titles: dict[str, str]
    links: set[tuple[str, str]]


def _read_argdown(name: str, item: Any) -> Graph:
    assert (item["title"], item["others"]) == (read(name).motion, [])
    titles = dict(node["title"].partition(": ")[::2] for node in item["nodes"])
    ids = {f"{an_id}: {title}": an_id for an_id, title in titles.items()}
    return Graph(titles, {(ids[e["from"]], ids[e["to"]]) for e in item["edges"]})


def _read_mermaid(name: str, item: Any) -> Graph:
    ids = {re.sub(r"\W", "_", f"n{e.id}"): e.id for e in list_argued(read(name))}
    shown = {ids[node["id"]]: node["lines"] for node in item["nodes"]}
    assert [an_id for an_id, lines in shown.items() if lines[0] != an_id] == []
    links = {(ids[e["from"]], ids[e["to"]]) for e in item["edges"]}
    return Graph({an_id: "".join(lines[1:]) for an_id, lines in shown.items()}, links)


def _read_dot(text: str) -> Graph:
    """Return what Graphviz draws, without any complaint: the texts as they are painted."""
    item = json.loads(parse_dot(text, "-Tjson"))
    nodes = {node["_gvid"]: (node["name"], *_list_painted(node)) for node in item["objects"]}
    assert [name for name, an_id, *_ in nodes.values() if name != an_id] == []
    links = {(nodes[e["tail"]][0], nodes[e["head"]][0]) for e in item.get("edges", ())}
    return Graph({name: "".join(lines) for name, _, *lines in nodes.values()}, links)


def _list_painted(item: Any) -> list[str]:
    return [shape["text"] for shape in item["_ldraw_"] if shape["op"] == "T"]


@cache
def parse_all(form: str) -> dict[str, Any]:
    items = parse(form, {name: EXPORTS[form](read(name)) for name in DEBATES})
    assert [(name, item["faults"]) for name, item in items.items() if item["faults"]] == []
    return items


@cache
def read_graph(form: str, name: str) -> Graph:
    if form == "dot":
        return _read_dot(EXPORTS[form](read(name)))
    return (_read_argdown if form == "argdown" else _read_mermaid)(name, parse_all(form)[name])


every_graph = pytest.mark.parametrize(
    ("form", "name"), [(form, name) for form in ("argdown", "mermaid", "dot") for name in DEBATES]
)


@every_graph
def test_every_entry_is_shown_by_its_title_and_nothing_else_is(form: str, name: str) -> None:
    """A text that is alive in a format would make entries of its own.

    Where a title is too long an ellipsis stands for what was cut.
    """
    titles, entries = read_graph(form, name).titles, {e.id: e for e in list_argued(read(name))}
    assert titles.keys() == entries.keys()
    for an_id, shown in titles.items():
        rest = _squeeze(form, one_line(entries[an_id].title))
        for number, part in enumerate(_squeeze(form, each) for each in shown.split("…")):
            at = rest.find(part)
            assert at == 0 or (number and at > 0), (shown, an_id)
            rest = rest[at + len(part) :]
        assert "…" in shown or not rest, an_id


def _squeeze(form: str, text: str) -> str:
    """Return a text without what a format leaves out: Argdown the signs of titles, all blanks."""
    spelled = text.replace("\N{LATIN SMALL LIGATURE FL}", "fl")  # as Mermaid does
    return re.sub(r"[\W_]" if form == "argdown" else " ", "", spelled)


@every_graph
def test_every_link_is_an_arrow_between_what_it_links(form: str, name: str) -> None:
    """A mere mention is none, nor a concession in Argdown."""
    known = {e.id: e for e in list_argued(read(name))}
    bonds = [b for e in known.values() for b in list_bonds(e) if b.target in known]
    left_out = {"concedes", "concede_and_pivot"} if form == "argdown" else set[str]()
    drawn = [b for b in bonds if b.relation in _DRAWN and left_out.isdisjoint(b)]
    assert read_graph(form, name).links == {(b.source, b.target) for b in drawn}


_DRAWN = frozenset({"attacks", "defends", "concedes", "answers", "revises", "builds_on"})


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

"""Imports point downwards only, heavy packages stay where they are used, and the core is pure."""

from __future__ import annotations

import ast
import sys
from functools import cache
from typing import TYPE_CHECKING

from tests.builders import (
    ROOT,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = ROOT / "debate_ops"

# What each part may import of ours, besides itself, the errors and how things are declared: never
# what stands below it here.
LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "clock": set(),
    "interpreters": set(),
    "bootstrap": {"interpreters"},
    "model": set(),
    "semantics": {"model"},
    "formats": {"model"},
    "protocols": {"model", "semantics", "formats"},
    "prompts": {"model", "semantics", "formats"},
    "storage": {"model", "formats"},
    "imports": {"model", "protocols"},
    "engine": {"clock", "model", "protocols", "formats", "prompts", "storage"},
    "audit": {"model", "protocols", "formats"},
    "validation": {"audit", "engine", "model", "protocols", "formats", "storage"},
    "repair": {"audit", "engine", "model", "protocols", "formats", "storage"},
    "participants": {"model", "protocols", "formats", "storage"},
    "progress": {"clock", "model", "protocols", "formats", "storage", "engine"},
    "spending": {"model", "storage", "engine", "participants"},
    "following": {"storage"},
    "running": {"clock", "formats", "storage"},
    "endings": {"clock", "model", "protocols", "storage", "engine", "participants", "progress"},
    "runner": {"clock", "model", "protocols", "formats", "storage", "engine", "participants"}
    | {"progress", "spending", "running", "endings"},
    # The numbers and texts of a report are pure; what renders it into the folder goes through the
    # engine, so that nothing is rendered from a record that was not verified.
    "reports": {"version", "audit", "model", "semantics", "protocols", "formats"}
    | {"prompts", "storage", "engine"},
    "reporter": {"model", "formats", "storage", "engine", "participants", "progress"}
    | {"runner", "endings", "reports"},
    "panels": {"model", "protocols", "formats", "storage", "engine", "participants", "progress"}
    | {"spending", "runner", "reports"},
    "demo": {"model", "protocols", "formats", "prompts", "storage", "engine"}
    | {"participants", "progress", "runner", "endings", "reports", "reporter"},
    "watch": {"model", "formats", "storage", "engine", "progress", "running", "reports"},
    "cli": {"version", "clock", "model", "semantics", "protocols", "formats", "prompts"}
    | {"storage", "engine", "validation", "repair", "participants", "progress", "spending"}
    | {"running", "runner", "endings", "reports", "reporter", "panels", "demo", "watch", "imports"},
    "__main__": {"bootstrap", "cli"},
}

HEAVY = {
    "click": "cli",
    "jsonschema": "formats.schema",
    "json_source_map": "formats.json_reply",
    "bs4": "cli.texts",
    "pypdf": "cli.texts",
    "clingo": "semantics.extensions",
    "anyio": "watch",
    "asyncio": "participants.model following",
    "genai_prices": "participants.usage",
    "keyring": "participants.providers",
    "pydantic_ai": "participants",
    "rich": "watch",
    "starlette": "watch",
    "uvicorn": "watch",
    "frontmatter": "formats.foreign_header",
    "yaml": "formats.foreign_header",
    "jinja2": "reports.html",
    "markupsafe": "reports",
    "markdown_it": "reports.html",
    "nh3": "reports.html",
}

# Packages without files, clocks or chance, and the modules of theirs that read what ships with us.
PURE = ("model", "semantics", "protocols", "formats", "prompts")
READS_OUR_FILES = {"formats.schema", "prompts.templates", "protocols.formal.personality"}
READS_OUR_FILES |= {f"protocols.{name}" for name in ("chairs.frameworks", "chairs.phrases")}
READS_OUR_FILES |= {"protocols.design.roles"}
IMPURE = {"os", "io", "pathlib", "shutil", "tempfile", "subprocess", "socket", "threading"}
IMPURE |= {"time", "datetime", "random", "secrets", "uuid"}

CLOCKS = {"time", "datetime"}
KNOW_THE_TIME = {
    "cli.waiting",  # how long `submit --wait` waits
    "clock",
    "imports.nyu",  # a time in milliseconds, as a date
    "participants.ask",  # how long a reply took
    "participants.command",
    "participants.model",
    "participants.person",  # how long somebody may take
    "participants.usage",
    "runner",
    "running",  # how long ago it was noted
    "spending",  # how long a run has taken
    "storage.files",  # how long to wait for another program
    "storage.lock",
    "storage.new",
}

WRITES = {"open", "write", "rename", "replace", "unlink", "remove", "link", "symlink", "mkdir"}
WRITES |= {"makedirs", "rmdir", "rmtree", "truncate", "ftruncate", "move", "copy", "copytree"}
WRITE_OUTSIDE_OF_STORAGE = {
    "__main__",  # standard output, where a caller has closed it
    "bootstrap",  # the environment with the packages
    "reports.render",  # what can be rendered again
}


@cache
def modules() -> dict[str, ast.Module]:
    """Return every module of the package by its name in it; a package is its `__init__`."""
    trees = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        trees[".".join(parts)] = ast.parse(path.read_text(encoding="utf-8"))
    return trees


def imported(tree: ast.Module) -> Iterator[str]:
    """Yield the full name of everything that a module imports, wherever it does so."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(tree: ast.Module) -> set[str]:
    """Return the parts of our package that a module imports."""
    names = (name.split(".") for name in imported(tree))
    parts = {name[1] for name in names if name[0] == "debate_ops"}
    return {"version" if part == "__version__" else part for part in parts}


def test_every_part_is_in_the_table_which_points_downwards_only() -> None:
    assert {name.split(".")[0] for name in modules()} - {"__init__"} == set(LAYERS)
    above: set[str] = {"version"}
    for part, allowed in LAYERS.items():
        assert allowed <= above, part
        above.add(part)


def test_a_module_imports_only_what_the_table_allows() -> None:
    for name, tree in modules().items():
        part = name.split(".", maxsplit=1)[0]
        assert ours(tree) <= LAYERS.get(part, set()) | {part, "errors"}, name


@cache
def packages() -> dict[str, set[str]]:
    """Return by the name of each module of ours the packages that it imports from."""
    trees = modules().items()
    return {name: {full.split(".")[0] for full in imported(tree)} for name, tree in trees}


def test_a_heavy_package_is_imported_in_few_places_and_no_other_at_all() -> None:
    for package, listed in HEAVY.items():
        places = tuple(f"{place}." for place in listed.split())
        users = {name for name, used in packages().items() if package in used}
        assert users
        assert {name for name in users if not f"{name}.".startswith(places)} == set()
    allowed = {*HEAVY, "debate_ops", *sys.stdlib_module_names}
    assert {name for name, used in packages().items() if used - allowed} == set()


def test_the_core_knows_no_files_no_clock_and_no_chance() -> None:
    for name, tree in modules().items():
        if name.split(".")[0] in PURE:
            reads = name in READS_OUR_FILES
            assert packages()[name] & IMPURE <= ({"os"} if reads else set()), name
            opens = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and n.id == "open"]
            assert reads or not opens, name


def test_only_a_few_modules_know_the_time() -> None:
    assert {name for name, used in packages().items() if CLOCKS & used} <= KNOW_THE_TIME


def test_only_the_storage_writes() -> None:
    writers = {name for name, tree in modules().items() if any(map(_writes, ast.walk(tree)))}
    elsewhere = {name for name in writers if not name.startswith("storage.")}
    assert elsewhere <= WRITE_OUTSIDE_OF_STORAGE


def _writes(node: ast.AST) -> bool:
    """Tell whether a node calls what changes a file: `os.rename`, `shutil.rmtree`, `write_text`."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    owner, name = node.func.value, node.func.attr
    on_files = isinstance(owner, ast.Name) and owner.id in {"os", "shutil"}
    return (on_files and name in WRITES) or name in {"write_text", "write_bytes"}

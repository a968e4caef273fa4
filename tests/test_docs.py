"""The documentation says what the program does: pages, links, commands and example files."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import frontmatter
import pytest

from debate_ops import engine, errors
from debate_ops.cli import reference
from debate_ops.cli.app import cli
from debate_ops.formats import debate_file, entries, front, json_reply, json_text, judgment, schema
from debate_ops.formats.prose import escape, unescape
from debate_ops.model.turn import Reply
from debate_ops.protocols import exchange
from debate_ops.protocols.base import Rules
from debate_ops.storage import load
from debate_ops.storage.folder import Folder
from debate_ops.storage.record import read_entry
from tests import builders
from tests.builders import ROOT, run

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if path.name != "SKILL.md"
)
EXAMPLES = (
    "debate.md",
    "arguments/prop_001.md",
    "judgments/judge_001.md",
    "judgments/opp_002-absence.md",
)


class Code(NamedTuple):
    """A piece of code on a page: its language, empty inside of a line, and its text."""

    language: str
    text: str


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


FENCE = re.compile(r"^ *(?P<fence>`{3,}|~{3,})(\w*)\n(.*?)^ *(?P=fence)$", re.DOTALL | re.MULTILINE)


def fences(text: str) -> Iterator[Code]:
    for match in FENCE.finditer(text):
        yield Code(match[2], match[3])


def prose(text: str) -> str:
    return FENCE.sub("", text)


def code(text: str) -> Iterator[Code]:
    yield from fences(text)
    for match in re.finditer(r"`([^`\n]+)`", prose(text)):
        yield Code("", match[1])


# ---------------------------------------------------------------- the reference


def test_page_of_commands_is_what_the_program_prints() -> None:
    assert page("docs/commands.md") == reference.page()


def test_page_of_commands_names_every_command_and_every_option() -> None:
    for name, command in cli.commands.items():
        _, _, rest = reference.page().partition(f"\n## {name}\n")
        section = rest.partition("\n## ")[0]
        for option in command.params:
            if isinstance(option, click.Option):
                assert all(word in section for word in option.opts), (name, option.opts)


def test_every_exit_code_is_explained_and_no_other() -> None:
    codes = {n for name, n in vars(errors).items() if name.isupper() and isinstance(n, int)}
    assert set(reference.EXIT_CODES) == codes
    rows = re.findall(r"^\| ([0-9]+) \|", page("docs/commands.md"), re.MULTILINE)
    assert [int(number) for number in rows] == sorted(codes)


def test_every_error_has_its_word_in_the_table_of_exit_codes() -> None:
    for item in vars(errors).values():
        if isinstance(item, type) and issubclass(item, errors.DebateError):
            row = rf"^\| {item.exit_code} \| .*`{item.code}`"
            assert re.search(row, page("docs/commands.md"), re.MULTILINE), item


def test_every_key_of_an_answer_is_explained(work: Path) -> None:
    explained = {key for keys in reference.ANSWERS.values() for key in keys}
    for told in _answers(work):
        tasks = [key for task in told.get("tasks", ()) for key in task]
        assert {*told, *tasks} <= explained


def _answers(work: Path) -> Iterator[dict[str, Any]]:
    slug = builders.SLUG
    yield run("new", slug, "--motion", builders.MOTION, "--json").told
    folder = Folder(f"debates/{slug}")
    yield run("next", slug, "--exchanges", 2).told
    builders.put(folder, "prop", "no JSON")
    yield run("submit", slug, "--step", 0).told
    builders.put(folder, "prop", builders.opening("prop") | {"more": 1})
    builders.put(folder, "opp", builders.opening("opp"))
    yield run("submit", slug, "--step", 0).told
    builders.put(folder, "judge", builders.good_reply("judge", 0))
    yield run("submit", slug, "--step", 1).told
    yield run("undo", slug, "--json").told
    yield builders.process_exchange(0, builders.opening("prop"), builders.opening("opp")).told
    yield builders.process_judge(builders.good_reply("judge", 0)).told
    yield run("skip", slug, "--participant", "prop", "--reason", "r", "--json").told
    yield run("skip", slug, "--participant", "prop", "--withdraw", "--json").told
    for words in (
        ["status", slug],
        ["show", slug],
        ["show", slug, "prop_000a"],
        ["validate", slug],
    ):
        yield run(*words, "--json").told
    for words in (["list"], ["doctor"], ["report", slug]):
        yield run(*words, "--json").told
    assert work.is_dir()


# ---------------------------------------------------------------- links and commands


def _links() -> Iterator[tuple[str, str]]:
    pattern = r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\""
    for name in PAGES:
        for link, source in re.findall(pattern, prose(page(name))):
            target = link or source
            if not re.match(r"[a-z]+:", target):
                yield name, target


@pytest.mark.parametrize(("name", "target"), list(_links()))
def test_every_link_leads_somewhere(name: str, target: str) -> None:
    path, _, anchor = target.partition("#")
    file = (ROOT / name).parent / path if path else ROOT / name
    assert file.exists()
    assert not anchor or anchor in _anchors(file)


def _anchors(file: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(file.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _commands() -> Iterator[tuple[str, str]]:
    """Yield every call of the program in any code of any page."""
    for name in PAGES:
        for piece in code(page(name)):
            if piece.language == "json":  # permission rules, replies
                continue
            for line in piece.text.replace("\\\n", " ").splitlines():
                called = re.search(r"\bdebate[-_]ops ((?:-C \S+ )?[a-z].*)", line)
                if called and "[OPTIONS]" not in line:
                    yield name, re.split(r" {3,}| #", called[1])[0]


@pytest.mark.parametrize(("name", "called"), list(_commands()))
def test_every_command_on_a_page_exists_with_its_options(name: str, called: str) -> None:
    words = shlex.split(called.replace(" … ", " "))
    if words[0] == "-C":
        words = words[2:]
    command = cli.commands[words[0]]
    context = click.Context(command, info_name=words[0])
    _, left_over, _ = command.make_parser(context).parse_args(words[1:])
    assert not left_over, name


def test_commands_on_pages_are_found() -> None:
    found = {called.split()[0] for _, called in _commands()}
    assert {"new", "next", "submit", "run", "report", "skip", "undo", "validate"} <= found


def test_paths_in_the_table_of_the_repository_exist() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \|", page("CONTRIBUTING.md"), re.MULTILINE)
    paths = [path for row in rows for path in re.findall(r"`([^`]+)`", row)]
    layout = [path for path in paths if not path.startswith("make ")]
    assert len(layout) > 20
    assert [path for path in layout if not (ROOT / path).exists()] == []


# ---------------------------------------------------------------- the debate folder


def marked(mark: str) -> str:
    """Return the text of the fence that follows a mark on the page of the folder's format."""
    _, found, rest = page("docs/folder-format.md").partition(f"<!-- {mark} -->\n")
    assert found, mark
    return next(fences(rest)).text


@pytest.fixture
def example(work: Path) -> Folder:
    """The example files, in a folder."""
    folder = Folder("debates/sunday-library")
    for name in EXAMPLES:
        path = work / folder.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(marked(f"example: {name}"), encoding="utf-8", newline="")
    return folder


def test_example_of_the_main_file_reads_back_as_it_is_written(example: Folder) -> None:
    debate, text = load.load(example)
    assert debate_file.render(debate) == text
    framing = debate_file.framing(debate.body)
    assert debate_file.compose_body(framing) == debate.body
    assert (framing.motion, framing.scope) == (
        "This house would open the town library on Sundays",
        "The main branch only.",
    )


@pytest.mark.parametrize("name", EXAMPLES[1:])
def test_example_of_an_entry_reads_back_as_it_is_written(name: str, example: Folder) -> None:
    kind, file = name.split("/")
    entry = read_entry(example, kind, file.removesuffix(".md"))
    header = entry.header
    stamp = entries.Stamp(
        step=entry.step,
        source=header["from"],
        at=header["at"],
        made_by=header.get("made_by", {}),
        totals=judgment.totals_from_data(header.get("cumulative_scores", {})) or {},
        digests={item["id"]: item["digest"] for item in header.get("judged", ())},
    )
    assert entries.render(entries.parse(entry), stamp) == marked(f"example: {name}")


@pytest.mark.parametrize("name", EXAMPLES)
def test_header_of_an_example_is_yaml_too_and_its_keys_are_explained(name: str) -> None:
    text = marked(f"example: {name}")
    header = front.parse(text, name).header
    assert json.loads(json_text.dumps(header)) == frontmatter.loads(text).metadata
    for key in header:
        assert re.search(rf"^\| .*`{key}`.* \|", page("docs/folder-format.md"), re.MULTILINE), key


def test_digest_in_the_example_judgment_is_that_of_the_example_argument() -> None:
    argument = marked("example: arguments/prop_001.md")
    header = front.parse(marked("example: judgments/judge_001.md"), "").header
    digests = {item["id"]: item["digest"] for item in header["judged"]}
    assert digests["prop_001"] == hashlib.sha256(argument.encode()).hexdigest()


def test_worked_example_of_a_digest_recomputes(example: Folder) -> None:
    debate = load.load(example).debate
    header = front.parse(marked("example: judgments/judge_001.md"), "").header
    step = header["step"]
    task = exchange.next_turn(
        debate._replace(state=debate.state._replace(phase=exchange.AWAITING_JUDGMENT)), ""
    ).tasks[0]  # type: ignore[union-attr]
    found = json_reply.find_json(marked("from: reply").encode())
    value, _ = exchange.normalise(task, found.value)
    digest = engine.source_of(debate, step, {"judge": Reply("judge", value)})
    canonical = marked("from: canonical").rstrip("\n")
    assert marked("from: digest").strip() == digest == header["from"]
    assert hashlib.sha256(canonical.encode()).hexdigest() == digest


def _escapes() -> Iterator[tuple[str, str]]:
    for line in marked("escapes").splitlines():
        text, written = (
            part.strip().replace("␠", " ").replace("⏎", "\n") for part in line.split("→")
        )
        yield text, written


@pytest.mark.parametrize(("text", "written"), list(_escapes()))
def test_example_of_an_escape_is_what_the_writer_does(text: str, written: str) -> None:
    assert escape(text) == written
    assert unescape(written) == text


def test_every_file_of_a_debate_is_explained(work: Path) -> None:
    folder = builders.debate_at(1)
    engine.next_turn(folder, 1)
    for participant in ("prop", "opp"):
        builders.put(folder, participant, "no JSON")
    run("submit", folder.slug, "--step", 2)
    text = page("docs/folder-format.md")
    for path in (work / folder.path).rglob("*"):
        if path.is_file() and path.parent.name not in {"arguments", "judgments"}:
            kind = re.sub(r"^[0-9]+-[a-z]+(-[0-9]+)?", "", path.name)
            assert kind in text, path


# ---------------------------------------------------------------- the protocol


def test_every_setting_is_on_the_page_of_the_protocol_with_its_default() -> None:
    text = page("docs/protocols/exchange.md")
    for setting in exchange.SETTINGS:
        shown = f"`{setting.default}`" if setting.default else "the motion's own"
        assert f"| `{setting.name}` | {shown} |" in text


def test_every_word_limit_is_on_the_page_of_the_protocol() -> None:
    text = page("docs/protocols/exchange.md")
    limits = {
        **exchange.ARGUMENT_WORDS,
        **{f"grounds.{field}": words for field, words in exchange.GROUND_WORDS.items()},
        "attacks.content`, `defends.content": exchange.LINK_WORDS["content"],
    }
    for field, (least, most) in limits.items():
        wanted = f"{least} to {most}" if least else f"at most {most}"
        assert re.search(rf"^\| `{re.escape(field)}` \| [^|]+ \| {wanted} \|", text, re.MULTILINE)
    assert f"at most {exchange.REASONING_WORDS['reasoning'][1]} words" in text


def test_example_replies_on_the_page_of_the_protocol_fit_their_schemas() -> None:
    turns = {"prop": "exchange-rebuttal", "judge": "exchange-judgment"}
    replies = [c.text for c in fences(page("docs/protocols/exchange.md")) if c.language == "json"]
    assert len(replies) == len(turns)
    for text, (participant, schema_name) in zip(replies, turns.items(), strict=True):
        value = json_reply.find_json(text.encode()).value
        assert value["participant"] == participant
        assert schema.accepts(schema.load(schema_name), value)


def test_every_part_of_the_rules_is_explained() -> None:
    text = page("docs/adding-a-protocol.md")
    parts = {*Rules.__annotations__, *(name for name in vars(Rules) if not name.startswith("_"))}
    for name in parts:
        assert re.search(rf"^\| `{name}(\(.*\))?` \|", text, re.MULTILINE), name

"""The documentation says what the program does: pages, links, commands and example files."""

import json
import pkgutil
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import frontmatter
import pytest
from jsonschema import Draft202012Validator

from debate_ops.cli.app import MODULES, cli
from debate_ops.core import errors
from debate_ops.core.markdown import escape, passage, unescape
from debate_ops.engine.debate_file import read_framing, read_header, write_body
from debate_ops.engine.entry_files import read_entry, write_entry
from debate_ops.engine.events import describe_creation, describe_step
from debate_ops.engine.headers import canonical, compose_file, digest_text, split_file
from debate_ops.engine.store import Folder
from debate_ops.protocols import PROTOCOLS
from tests import builders, reference
from tests.builders import ROOT, run
from tests.courses import VARIED, begin_course, list_steps, run_course, take_step

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


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


FENCE = re.compile(r"^ *(?P<fence>`{3,}|~{3,})(\w*)\n(.*?)^ *(?P=fence)$", re.DOTALL | re.MULTILINE)


def fences(text: str) -> Iterator[tuple[str, str]]:
    """Yield language and text of each piece of code between fences."""
    for match in FENCE.finditer(text):
        yield match[2], match[3]


def prose(text: str) -> str:
    return FENCE.sub("", text)


def code(text: str) -> Iterator[tuple[str, str]]:
    """Yield the same of all code, that inside of a line without a language."""
    yield from fences(text)
    for match in re.finditer(r"`([^`\n]+)`", prose(text)):
        yield "", match[1]


def test_parts_of_pages_that_are_made_are_what_the_program_gives() -> None:
    assert page("docs/commands.md") == reference.page()


def test_every_exit_code_and_every_error_is_explained_and_no_other() -> None:
    text = page("docs/answers.md")
    codes = {n for name, n in vars(errors).items() if name.isupper() and isinstance(n, int)}
    rows = re.findall(r"^\| ([0-9]+) \|", text, re.MULTILINE)
    assert [int(number) for number in rows] == sorted(codes)
    for item in vars(errors).values():
        if isinstance(item, type) and issubclass(item, errors.DebateError):
            row = rf"^\| {item.exit_code} \| .*`{item.code}`"
            assert re.search(row, text, re.MULTILINE), item


DRAFTS: dict[str, Any] = {
    "cup.toml": 'participants = {a = "cmd:cat", b = "cmd:sh"}\njudge = "cmd:tee"\nmotions = ["M"]',
    "talk.md": "ann: Hello there.\n\nben: No.\n\nann: Yes.\n",
    "bad": builders.opening("prop") | {"more": 1},
    **{name: builders.good_reply(name, 0) for name in ("prop", "opp", "judge")},
    "asks": {
        "participant": "security",
        "exchange": 0,
        "phase": "awaiting_questions",
        "questions": [{"text": "Q?"}],
    },
}
SCRIPT = """
new held --motion M --set first_answer=off
next held --exchanges 2
file held prop talk.md
submit held --step 0
file held prop bad
file held opp opp
submit held --step 0
file held judge judge
submit held --step 1
undo held
process-exchange held 0 --prop-file prop --opp-file opp
process-judge held --json-file judge
skip held --participant prop --reason r
say held hello
status held
show held
show held prop_000a
validate held
report held
run held 1 --all cmd:cat --dry-run
check-reply held talk.md --as prop
reply held talk.md --as prop
compare held held
panel held
rejudge held --times 1
outcome held
transcript held
flow held
export held --to csv-flow
convert held
pause held
stop held
undo held --step 1
resume held
new spoken --protocol formal --motion M --set preparation_time=60
next spoken
advance spoken --step 0 --reason r
undo spoken --step 0
file spoken aff bad
submit spoken --step 0
skip spoken --participant neg --reason r
pause spoken
new agreed --protocol consensus --motion M --participants ann,ben
escalate agreed --reason r
next agreed
decide agreed --text t --reason r --by kim
check agreed --require consensus
show agreed
undo agreed --step 0
cancel agreed --reason r
resolve agreed --reason r
new drawn --protocol design --motion M --participants architect,security \\
  --set clarifying_questions=1
next drawn
file drawn security asks
advance drawn --step 0 --reason r
next drawn
status drawn
answer drawn security_000-question-1=
cancel drawn --reason r
list
doctor
config
settings exchange
schema
ask Why? --all cmd:cat --dry-run
import imported talk.md --motion M
calibrate --limit 1 --dry-run
tournament cup.toml --dry-run
"""


@pytest.mark.usefixtures("work")
def test_every_key_of_an_answer_and_every_event_and_file_of_a_command_is_explained() -> None:
    lines = re.findall(r"^- ([^:\n]*): ", page("docs/answers.md"), re.MULTILINE)
    explained, seen = {key for line in lines for key in re.findall(r"`(\w+)`", line)}, set()
    for name, draft in DRAFTS.items():
        builders.written(name, draft)
    for line in SCRIPT.strip().replace("\\\n", "").splitlines():
        command, *words = line.split()
        if command == "file":
            slug, who, name = words
            builders.put(Folder(f"debates/{slug}"), who, DRAFTS[name])
            continue
        answer = run(command, *words, *[] if command in {"show", "status"} else ["--json"]).result
        assert answer.get("code") in {None, "refused"}, answer
        assert {*answer, *(key for task in answer.get("tasks", ()) for key in task)} <= explained
        seen.add(command)
    assert {*MODULES} == seen | {"demo", "watch"}
    happened = set()
    for path in Path("debates").glob("*/events.jsonl"):
        events = [*map(json.loads, path.read_text(encoding="utf-8").splitlines())]
        _check_events(events, builders.header_of(Folder(str(path.parent)), "debate.md")["protocol"])
        happened |= {event["event"] for event in events}
    assert {"said", "exchange_undone", "debate_resumed", "absence_recorded"} <= happened
    files = [path for path in Path("debates").glob("*/**/*") if path.is_file()]
    assert {"hold.json", "memo.prompt.md", "0-aff.repair.md", "0-neg.skip.json"} <= {
        path.name for path in files
    }
    for path in files:
        if path.parent.name not in {"arguments", "judgments", "charts", "set-aside"}:
            assert re.sub(r"^[0-9][\w-]*", "", path.name) in page("docs/folder-format.md"), path


@pytest.mark.usefixtures("work")
def test_every_key_of_an_export_is_explained() -> None:
    """But for those of settings, participants, texts and makers, who have their own pages."""
    settings = ("--set", "word_limit=1", "--set", "word_limits=cut")
    run("new", "spoken", "--protocol", "formal", "--motion", "M", *settings, "--json")
    run("next", "spoken")
    named = {"participant": "aff", "exchange": 0, "phase": "awaiting_preparation"}
    cited = {"text": "two words", "citations": [{"source": "S", "detail": "D"}]}
    builders.put(Folder("debates/spoken"), "aff", named | cited)
    run("advance", "spoken", "--step", 0, "--reason", "r", "--json")
    exported = json.loads(run("export", "spoken", "--to", "json", "--json").result["text"])
    entries = [e | {"texts": {}, "made_by": {}} for e in exported["entries"]]
    own = exported | {"participants": {}, "settings": {}, "entries": entries}
    keys = {*re.findall(r'"(\w+)": ', json.dumps(own))}
    assert keys >= {"cut", "citations", "kind"}
    for key in keys:
        assert re.search(rf"^\|.*`{key}`", page("docs/exports.md"), re.MULTILINE), key


def test_every_link_leads_somewhere() -> None:
    pattern = r"\]\(([^)\s]+)\)|(?:src|srcset|href)=\"([^\"]+)\""
    for name in PAGES:
        for link, source in re.findall(pattern, prose(page(name))):
            path, _, anchor = (link or source).partition("#")
            if not re.match(r"[a-z]+:", path):
                file = (ROOT / name).parent / path if path else ROOT / name
                assert file.exists(), (name, path)
                assert not anchor or anchor in _anchors(file), (name, path, anchor)


def test_every_test_that_holds_a_promise_of_security_is_there() -> None:
    text = page("docs/security.md")
    named = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", text)
    tables = re.findall(r"^\| promise \| tested by \|\n.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    promises = [row for table in tables for row in table.splitlines()]
    assert len(promises) > 30
    assert [row for row in promises if ".py" not in row] == []
    for file, name in named:
        assert not name or f"def {name}(" in (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert (ROOT / "tests" / file).exists()


def _anchors(file: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(file.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _commands() -> Iterator[tuple[str, str]]:
    for name in PAGES:
        for language, text in code(page(name)):
            if language == "json":  # permission rules, replies
                continue
            for line in text.replace("\\\n", " ").splitlines():
                called = re.search(r"\bdebate[-_]ops ((?:-C \S+ )?[a-z].*)", line)
                if called and "[OPTIONS]" not in line:
                    yield name, re.split(r" {3,}| #", called[1])[0]
    for path in (ROOT / "SKILL.md", *ROOT.glob("references/*.md")):
        text = path.read_text(encoding="utf-8").replace("\n", " ")
        yield from ((path.name, called) for called in re.findall(r"`CMD ([a-z][^`]*)`", text))


def test_every_command_on_a_page_exists_with_its_options() -> None:
    calls = list(_commands())
    assert {called.split()[0] for _, called in calls} >= {"new", "next", "submit", "run", "report"}
    for name, called in calls:
        own = re.split(r" [|>] ", called)[0]  # what a shell does with it is not ours
        words = shlex.split(own.replace(" … ", " "))
        if words[0] in {"-C", "help"}:
            words = words[words.index("-C") + 2 if "-C" in words else 1 :]
        command = cli.get_command(reference.program(), words[0])
        assert command, (name, called)
        command.make_parser(click.Context(command)).parse_args(words[1:])


TODAY = [name for name in PAGES if name != "CHANGELOG.md"]  # which names what was there before


def test_every_option_that_a_page_names_alone_exists() -> None:
    commands = [cli, *(cli.get_command(reference.program(), name) for name in MODULES)]
    params = [param for command in commands if command for param in command.params]
    known = {word for each in params for word in (*each.opts, *each.secondary_opts)}
    texts = {path: page(path) for path in TODAY}
    texts |= {str(path): path.read_text(encoding="utf-8") for path in ROOT.glob("references/*.md")}
    for path, text in texts.items():
        assert set(re.findall(r"`(--[a-z][a-z-]*)", text)) <= known | {"--help"}, path


def test_every_schema_that_a_page_names_is_printed() -> None:
    texts = [page(name) for name in TODAY]
    found = {n for text in texts for n in re.findall(r"-ops schema ([a-z-]++)(?![A-Z])", text)}
    lists = [n for text in texts for n in re.findall(r"(?m)^Schemas, as .*: (.*)\.$", text)]
    found |= {name for names in lists for name in re.findall(r"`(.*?)`", names)}
    assert len(found) > 12
    for name in found:
        assert run("schema", name, "--json").code == 0, name


def test_every_name_of_a_module_on_a_page_can_be_imported() -> None:
    found = {n for name in TODAY for n in re.findall(r"`(debate_ops(?:\.\w+)+)`", page(name))}
    assert found
    for name in found:
        pkgutil.resolve_name(name)


def test_paths_in_the_table_of_the_repository_exist() -> None:
    rows = re.findall(r"^\| (`[^|]+`) \|", page("CONTRIBUTING.md"), re.MULTILINE)
    paths = [path for row in rows for path in re.findall(r"`([^`]+)`", row)]
    layout = [path for path in paths if not path.startswith("make ")]
    assert len(layout) > 10
    assert [path for path in layout if not (ROOT / path).exists()] == []


def marked(mark: str) -> str:
    """Return the text of the fence that follows a mark on the page of the folder."""
    _, comment, rest = page("docs/folder-format.md").partition(f"<!-- {mark} -->\n")
    assert comment, mark
    return next(fences(rest))[1]


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_reads_back_as_written_is_yaml_too_and_has_explained_keys(name: str) -> None:
    text, (folder, _, file) = marked(f"example: {name}"), name.removesuffix(".md").partition("/")
    front = split_file(text, name)
    if file:
        assert write_entry(read_entry(text, folder, file)) == text
    else:
        assert compose_file(read_header(front.header).as_data(), front.body) == text
        assert write_body(read_framing(front.body)) == front.body
    assert json.loads(json.dumps(front.header, default=float)) == frontmatter.loads(text).metadata
    for key in front.header:
        assert re.search(rf"^\| .*`{key}`.* \|", page("docs/folder-format.md"), re.MULTILINE), key


def test_digests_in_the_examples_are_those_of_the_examples() -> None:
    texts = {name: marked(f"example: {name}") for name in EXAMPLES}
    digests = {Path(name).stem: digest_text(text) for name, text in texts.items()}
    digests["framing"] = digest_text(split_file(texts["debate.md"], "debate.md").body)
    for file, key, names in (
        ("debate.md", "digests", {"framing", "opp_002-absence"}),
        ("judgments/judge_001.md", "rests_on", {"framing", "prop_001"}),
        ("judgments/opp_002-absence.md", "rests_on", {"framing", "judge_001"}),
    ):
        stated = split_file(texts[file], file).header[key]
        assert {name: stated[name] for name in names} == {name: digests[name] for name in names}


@pytest.mark.parametrize(("mark", "write"), [("escapes", escape), ("passages", passage)])
def test_examples_of_escapes_are_as_it_writes_them(mark: str, write: Callable[[str], str]) -> None:
    for line in marked(mark).splitlines():
        text, written = (
            part.strip().replace("␠", " ").replace("⏎", "\n") for part in line.split("→")
        )
        assert write(text) == written
        assert unescape(written) == text


def _list_rows(heading: str) -> dict[tuple[str, str], str]:
    """Return what the tables below a heading say of a name, by its protocol (empty for all)."""
    _, _, section = prose(page("docs/folder-format.md")).partition(f"\n## {heading}\n")
    found: dict[tuple[str, str], str] = {}
    for table in re.findall(r"(?m)(?:^\|.+\|\n)+", section.partition("\n## ")[0]):
        lines = table.splitlines()
        head, _, *rows = ([part.strip() for part in line.split("|")[1:]] for line in lines)
        protocol = ""
        for row in rows:
            if head[0] == "protocol" and (first := row.pop(0).strip("`")):
                protocol = first if first in PROTOCOLS else ""
            for name in re.findall(r"`(\w+)`", row[0]):
                found[protocol, name] = found.get((protocol, name), "") + " ".join(row[1:])
    return found


def _check_events(events: Iterable[dict[str, Any]], protocol: str) -> None:
    """Check that each event has the form of the schema, and all it carries is on the page."""
    explained = _list_rows("events.jsonl")
    (of_entries,) = re.findall(r"(?m)^To each, as far as.*$", page("docs/folder-format.md"))
    schema = Draft202012Validator(json.loads(page("docs/events.schema.json")))
    for event in events:
        assert not list(schema.iter_errors(event)), event
        rows = [explained.get((of, event["event"]), "") for of in ("", protocol)]
        assert any(rows), event
        said = "".join(rows) + (of_entries if "id" in event else "")
        assert not [k for k in {*event} - {"event", "at", "step"} if f"`{k}`" not in said], event


@pytest.mark.parametrize("name", VARIED)
def test_every_event_of_a_course_is_on_the_page_with_what_it_carries(name: str) -> None:
    moment, at = "2026-01-01T00:00:00Z", begin_course(name)
    happened = describe_creation(at, "x", moment)
    for step in list_steps(name):
        before, made = at.place, take_step(at, step)
        happened += describe_step(before, at, made, moment, moment, begun=moment)
    _check_events((json.loads(canonical(event)) for event in happened), at.protocol.name)


def test_every_event_in_the_schema_is_on_the_page_and_no_other() -> None:
    schema = json.loads(page("docs/events.schema.json"))
    on_page = {name for _, name in _list_rows("events.jsonl")}
    assert on_page == set(schema["properties"]["event"]["enum"])


IN_OTHER_FORMS = {"argument", "judgment", "absence"}


@pytest.mark.parametrize("name", VARIED)
def test_every_key_and_heading_of_a_contribution_is_in_its_row_of_the_table(name: str) -> None:
    rows, at = _list_rows("Contributions"), run_course(name)
    shared = {"title", "attacks", "defends", "judges"}
    for e in at.debate.entries.values():
        if e.kind in IN_OTHER_FORMS:
            continue
        row = rows.get((at.protocol.name, e.kind)) or rows["", e.kind]
        data = {key for key, value in e.data.items() if value is not None} - shared
        assert not [key for key in data if f"`{key}`" not in row], e.id
        headings = {re.sub(r"Point \d+", "Point 1", heading) for heading in e.texts}
        assert not [heading for heading in headings if heading not in row], e.id


@pytest.mark.parametrize("name", ["README.md", "docs/concepts.md", "docs/folder-format.md"])
def test_every_protocol_is_named(name: str) -> None:
    assert not [protocol for protocol in PROTOCOLS if f"`{protocol}`" not in page(name)]

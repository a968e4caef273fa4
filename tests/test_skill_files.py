"""The files that agents and their clients read: skills, roles, prompt templates, manifests."""

import json
import re
from pathlib import Path
from typing import Any

import click
import frontmatter
import pytest

from debate_ops.cli.app import MODULES, cli
from debate_ops.core.settings import describe_settings
from debate_ops.protocols import PROTOCOLS, load_protocol
from tests import reference
from tests.builders import ROOT, run
from tests.courses import COURSES, begin_course

STUBS = ("debate-new", "debate-report", "debate-run")
SKILLS = {"debate": ROOT / "SKILL.md"} | {
    name: ROOT / "skills" / name / "SKILL.md" for name in STUBS
}
VERBS = {name: ROOT / "references" / f"{name.removeprefix('debate-')}.md" for name in STUBS}
ASK = ROOT / "references" / "ask.md"
REFERENCES = {name: ROOT / "references" / f"{name}.md" for name in PROTOCOLS}
AGENTS = {name: ROOT / "agents" / f"{name}.md" for name in ("debater", "judge")}

ACTS_OF_A_PERSON = {
    *["undo", "validate", "advance", "decide", "escalate", "cancel", "resolve", "stop", "answer"]
}
"""What puts a person's decision on record, or changes it: a client is to ask first."""

COMMANDS = {"close": "stop"}
"""The commands of acts that have another name."""

WRITE_ANYWHERE = {"outcome", "transcript", "export"}
"""With `--output` they write a file wherever the command line says."""

FILES_READ = {
    "check-reply": {"file"},
    "new": {"--motion-file", "--context", "--context-for", "--settings"},
    "process-exchange": {"--prop-file", "--opp-file"},
    "process-judge": {"--json-file"},
    "reply": {"file"},
    "report": {"--memo"},
}
"""The files that granted commands are told to read; the docs say so."""

PARTS_OF_A_REFERENCE = {
    "When making it": ("**Ask for**", "**Cost**"),
    "While it runs": (),
    "If somebody is absent": ("skip", "`advance`", "`undo`"),
    "Ending": ("**done**",),
}

SPEC_FIELDS = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}

EVERY_TEMPLATE = sorted(
    name
    for p in ROOT.glob("templates/**/*.md")
    if "parts" not in p.parts
    and (name := p.relative_to(ROOT / "templates").as_posix()) != "said.md"
)


def template(name: str) -> str:
    """Return a template with what it includes."""
    text = (ROOT / "templates" / name).read_text(encoding="utf-8")
    return re.sub(r'{% include "([^"]+)" %}', lambda part: template(part[1]), text)


def manifest(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((ROOT / name).read_text(encoding="utf-8"))
    return data


def params_of(command: str) -> list[click.Parameter]:
    found = cli.get_command(reference.program(), command)
    assert found
    return found.params


def header_of(path: Path) -> dict[str, Any]:
    return frontmatter.load(str(path)).metadata


@pytest.mark.parametrize("name", SKILLS)
def test_skill_keeps_to_the_specification_and_numbers_no_argument(name: str) -> None:
    header = header_of(SKILLS[name])
    assert set(header) <= SPEC_FIELDS
    assert header["name"] == name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name)
    for field, limit in {"description": 1024, "compatibility": 500}.items():
        value = header[field]
        assert isinstance(value, str)
        assert 1 <= len(value) <= limit
    text = SKILLS[name].read_text(encoding="utf-8")
    assert text.count("$ARGUMENTS") == 1
    assert not re.search(r"\$(\d|ARGUMENTS\[)", text)  # clients count from 0, 1, or not at all


@pytest.mark.parametrize("path", [SKILLS["debate"], ASK, *VERBS.values()], ids=lambda p: p.name)
def test_skill_is_short_enough_to_survive_compaction(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert len(text) < 15_000  # clients cut a skill at about 5,000 tokens


@pytest.mark.parametrize("name", STUBS)
def test_command_sends_to_the_skill_and_both_send_to_the_file_of_the_command(name: str) -> None:
    paths = re.findall(r"`(\.\./[\w./]+\.md)`", SKILLS[name].read_text(encoding="utf-8"))
    files = [(SKILLS[name].parent / path).resolve() for path in paths]
    assert files == [SKILLS["debate"], VERBS[name]]
    description = str(header_of(SKILLS["debate"])["description"])
    assert f"/{name}" in description, "all that some clients see"
    row = rf"^\| `/{name}\b.*`BASE/references/{VERBS[name].name}`"
    assert re.search(row, SKILLS["debate"].read_text(encoding="utf-8"), re.MULTILINE)


def test_what_is_granted_is_written_from_one_list_and_are_commands_of_the_program() -> None:
    for path, text in reference.pages():
        assert path.read_text(encoding="utf-8") == text, f"{path}: run 'make docs'"
    listed = {name: set(commands.split()) for name, commands in reference.GRANTS.items()}
    assert set(SKILLS) == set(listed)
    assert set(MODULES) >= listed["debate"] == set().union(*listed.values()), (
        "an entry asks no more"
    )


@pytest.mark.parametrize("name", SKILLS)
def test_grants_leave_out_what_starts_programs_or_changes_the_record(name: str) -> None:
    granted = str(header_of(SKILLS[name])["allowed-tools"])
    rules = re.findall(r"Bash\(python3 [^\s'\"]+/debate_ops ([a-z-]+) \*\)", granted)
    assert len(rules) == granted.count("Bash")  # a quoted path matches no command
    assert rules
    assert not {*rules} & {"run", *ACTS_OF_A_PERSON, *WRITE_ANYWHERE}


@pytest.mark.parametrize("name", reference.GRANTS["debate"].split())
def test_a_granted_command_names_no_file_but_those_it_reads(name: str) -> None:
    named = {
        each.opts[0] if isinstance(each, click.Option) else str(each.name)
        for each in params_of(name)
        if re.search(r"FILE|PATH|DIR", each.make_metavar(reference.program()))
    }
    assert named == FILES_READ.get(name, set())


def test_skill_names_every_act_of_a_person_and_the_exit_code_that_asks_for_one() -> None:
    body = frontmatter.load(str(SKILLS["debate"])).content
    own = {COMMANDS.get(act, act) for name in PROTOCOLS for act in load_protocol(name).acts}
    assert own <= ACTS_OF_A_PERSON
    acts = {"skip", "advance", "undo"} | own
    assert acts <= set(re.findall(r"`(\w+)`", body.partition("\n## Your part\n")[2]))
    assert re.search(r"^\| 8 \|.*`references/run.md`", body, re.MULTILINE)


def test_agents_get_the_same_messages_whoever_starts_them() -> None:
    run, report = (
        [" ".join(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in (VERBS["debate-run"], VERBS["debate-report"])
    )
    messages = [line for line in run if line.startswith("> ")]
    assert messages == [line for line in report if line.startswith("> ")]
    files = [set(re.findall(r"\w+_FILE", line)) for line in messages]
    assert files == [{"PROMPT_FILE", "REPLY_FILE"}, {"PROMPT_FILE", "REPAIR_FILE", "REPLY_FILE"}]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_protocol_is_named_where_it_is_chosen_and_run(protocol: str) -> None:
    for name in ("debate-new", "debate-run"):
        text = VERBS[name].read_text(encoding="utf-8")
        assert "`BASE/references/PROTOCOL.md`" in text
        assert re.search(rf"^ *- `{protocol}`: ", text, re.MULTILINE), name
    assert 10 < len(REFERENCES[protocol].read_text(encoding="utf-8").splitlines()) <= 66


def test_references_are_those_of_the_commands_and_the_protocols_and_no_others() -> None:
    assert set((ROOT / "references").iterdir()) == {ASK, *VERBS.values(), *REFERENCES.values()}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_reference_has_its_parts_and_names_each_act_and_what_can_be_required(protocol: str) -> None:
    text = REFERENCES[protocol].read_text(encoding="utf-8")
    for heading, words in PARTS_OF_A_REFERENCE.items():
        part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
        assert part, heading
        assert [word for word in words if word not in part] == [], heading
    for act in load_protocol(protocol).acts:
        assert f"`CMD {COMMANDS.get(act, act)} SLUG" in text
    at = begin_course(next(name for name in COURSES if name.startswith(protocol)))
    for name in at.protocol.requirements(at):
        assert f"--require {name}" in text


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("words", "asked", "said"),
    [
        ("exchange", "--exchanges 3", "`/debate-run SLUG 3` is {}."),
        ("exchange", "--exchanges 3", "exchanges: {} agent calls\n"),
        ("exchange", "--exchanges 1", "The cost, {} agent calls,"),
        ("formal", "", "itself; {} agent calls by default"),
        ("formal", "", "; {rest} by default."),
        ("formal --set judge=none --set cross_exam_questions=1", "", "cost, at most {} agent"),
        ("chairs --participants utilitarian,virtue_ethics", "", "30 to {} agent calls"),
        ("chairs --participants utilitarian,virtue_ethics", "", ": 28 to {rest}."),
        ("design --participants architect,security,testing", "", "most {} agent"),
        ("design --participants architect,security,testing", "", ": {rest} by"),
        ("consensus --participants ann,ben,cara", "", "At most {each} agent calls each in a cycle"),
        ("speeches --participants ann,ben --set judge=one", "", "itself; {} agent calls for two\n"),
    ],
)
def test_pages_say_as_many_agent_calls_as_next_counts(words: str, asked: str, said: str) -> None:
    protocol, *options = words.split()
    run("new", "x", "--motion", "M", "--protocol", protocol, *options, "--json")
    calls = run("next", "x", *asked.split()).result["calls_left"]
    others = [ROOT / "docs/clients.md", ROOT / "evals/evals.json"]
    pages = [VERBS["debate-new"], REFERENCES[protocol], *others]
    # without the first answer it is 2 less; `each` is over three members and cycles
    expected = said.format(calls, rest=calls - 2, each=(calls - 2) // 9)
    assert any(expected in path.read_text(encoding="utf-8") for path in pages)


@pytest.mark.parametrize("folder", ["references", "docs/protocols"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_page_of_a_protocol_names_every_setting_with_its_default(
    protocol: str, folder: str
) -> None:
    text = (ROOT / folder / f"{protocol}.md").read_text(encoding="utf-8")
    for each in describe_settings(load_protocol(protocol).Settings):
        rows = re.findall(rf"^\| [^|]*`{each['name']}`[^|]* \| ([^|]*)\|", text, re.MULTILINE)
        assert rows, each["name"]
        if isinstance(usual := each["default"], str | int) and usual:
            assert {str(usual), ""} & {row.strip("` ") for row in rows}, each["name"]
    cells = re.findall(r"^\| (`[^|]+`) \|", text, re.MULTILINE) if folder == "references" else ()
    named = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert named <= load_protocol(protocol).Settings.model_fields.keys()


@pytest.mark.parametrize("name", AGENTS)
def test_role_is_named_as_its_file_and_may_read_and_write(name: str) -> None:
    header = header_of(AGENTS[name])
    assert header["name"] == name
    assert isinstance(header["description"], str)
    tools = set(str(header["tools"]).split(", "))
    assert tools >= {"Read", "Write"}
    assert name != "judge" or tools == {"Read", "Write"}


@pytest.mark.parametrize("name", EVERY_TEMPLATE)
def test_prompt_asks_for_one_json_value_and_says_what_quoted_lines_are(
    name: str,
) -> None:
    """A plain command answers it too, from standard input to standard output."""
    text = template(name)
    foreign = " ".join(template("parts/foreign.md").split())
    assert "never instructions" in foreign
    assert foreign in " ".join(text.split())
    assert not re.search(r"^\s*>", text, re.MULTILINE)  # none of the program's own
    hint = r"inbox|prompt[ _]file|reply[ _]file|\.json\b|\.prompt\.|standard (in|out)put"
    assert not re.search(hint, text)
    assert name == "memo.md" or re.search(r"one JSON value and nothing else", text, re.IGNORECASE)
    opened = re.findall(r"^<(\w+)>$", text, re.MULTILINE)
    assert sorted(opened) == sorted(re.findall(r"^</(\w+)>$", text, re.MULTILINE))


def test_plugin_offers_this_version_of_the_skill_and_the_commands_and_is_offered_itself() -> None:
    plugin = manifest(".claude-plugin/plugin.json")
    assert plugin["name"] == header_of(SKILLS["debate"])["name"]
    skills = {
        skill
        for folder in plugin["skills"]
        for pattern in ("SKILL.md", "*/SKILL.md")
        for skill in (ROOT / folder).glob(pattern)
    }
    assert skills >= set(SKILLS.values())
    package = (ROOT / "debate_ops" / "__init__.py").read_text(encoding="utf-8")
    assert f'__version__ = "{plugin["version"]}"' in package
    (entry,) = manifest(".claude-plugin/marketplace.json")["plugins"]
    offered = ROOT / entry["source"] / ".claude-plugin" / "plugin.json"
    assert json.loads(offered.read_text(encoding="utf-8"))["name"] == entry["name"]


def test_results_of_evals_are_of_these_assertions() -> None:
    evals, results = manifest("evals/evals.json"), manifest("evals/results.json")
    for item, result in zip(evals["evals"], results["evals"], strict=True):
        assert all((ROOT / file).is_file() for file in item["files"])
        unmet = {each["assertion"] for each in result["failed"] + result["unclear"]}
        assert (result["id"], result["of"]) == (item["id"], len(item["assertions"]))
        assert unmet < {*item["assertions"]}

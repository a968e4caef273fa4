"""The commands `check`, `validate` and `schema`: what holds, and what has to."""

from __future__ import annotations

from collections.abc import Sequence

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.core.errors import BAD_RECORD, CHECK_NOT_MET, UsageError
from debate_ops.core.protocol import FirstAnswer
from debate_ops.core.replies import Reply, schema_of
from debate_ops.core.texts import one_line
from debate_ops.core.values import Done
from debate_ops.engine import store
from debate_ops.protocols import PROTOCOLS, load_protocol
from debate_ops.report.words import count

COMMON = ("complete", "decided")
"""What can be required of a debate of any protocol; each has more of its own."""


def _is_decided(position: engine.Position) -> tuple[bool, str]:
    from debate_ops.report.reading import read_debate
    from debate_ops.report.verdict import Level

    verdict = read_debate(position).verdict
    if not verdict.is_sought or verdict.favoured not in verdict.choices:
        return False, "the record favours no choice"
    choice = one_line(verdict.choices[verdict.favoured])
    if verdict.level == Level.NOT_JUDGED:
        return True, f"a person decided for {choice}"
    return verdict.level > Level.TOO_CLOSE, f"the record favours {choice}: {verdict.sureness}"


@command("check")
@debate_argument
@click.option(
    "--require",
    metavar="NAME",
    multiple=True,
    help="What is required: complete or decided (not too close to call), and by protocol "
    "others such as consensus or no-blocking (repeatable).",
)
def check(debate: str, require: Sequence[str]) -> Answer:
    """Check whether a debate meets requirements; exit code 10 if not: a gate for CI."""
    position = engine.load(store.find_folder(debate))
    own = position.protocol.requirements(position.at)
    unknown = [name for name in require if name not in {*COMMON, *own}]
    if unknown or not require:
        what = f"{' and '.join(unknown)} cannot be required" if unknown else "say what is required"
        raise UsageError(
            f"{what} of a debate of the protocol {position.protocol.name!r}",
            hint=f"What can be: {', '.join([*COMMON, *own])}. As in 'check {debate} --require …'.",
        )
    met = dict(own)
    met["complete"] = isinstance(position.due, Done), answers.describe_progress(position)
    if "decided" in require:
        met["decided"] = _is_decided(position)
    asked = {name: met[name] for name in require}
    result = {
        "success": all(is_met for is_met, _ in asked.values()),
        "debate": position.folder.name,
        "requirements": {n: {"is_met": is_met, "why": why} for n, (is_met, why) in asked.items()},
    }
    lines = [
        f"{name}: {'met' if is_met else 'not met'}: {why}" for name, (is_met, why) in asked.items()
    ]
    return Answer(result, lines, 0 if result["success"] else CHECK_NOT_MET)


@command("validate")
@debate_argument
@click.option(
    "--fix",
    is_flag=True,
    help="Make debate.md from the record, and move what an interruption left to set-aside.",
)
def validate(debate: str, *, fix: bool) -> Answer:
    """Check a whole debate: every file, link, score and total, and the word limits."""
    from debate_ops.engine import validate as checking  # reads every file: worth it here alone

    place = store.find_folder(debate)
    repaired = answers.list_sentences(checking.fix(place) if fix else ())
    faults, warnings = checking.validate(place)
    result = {
        "success": not faults,
        "debate": place.name,
        "errors": answers.list_sentences(faults),
        "faults": answers.list_faults(faults),
        "warnings": answers.list_faults(warnings),
        "fixed": repaired,
    }
    lines = [
        *answers.label("fixed", repaired),
        *answers.label("fault", answers.list_sentences(faults)),
        *answers.label("warning", answers.list_sentences(warnings)),
        f"{place.name}: {count(len(faults), 'fault')}, {count(len(warnings), 'warning')}",
    ]
    return Answer(result, lines, BAD_RECORD if faults else 0)


@command("schema")
@click.argument("name", metavar="[NAME]", required=False)
def schema(name: str | None) -> Answer:
    """Print the JSON Schema of a kind of reply; without NAME, list them."""
    forms: dict[str, type[Reply]] = {"first-answer": FirstAnswer}
    for each in PROTOCOLS:
        forms |= {f"{each}-{kind}": form for kind, form in load_protocol(each).replies.items()}
    if name is None:
        return Answer({"success": True, "schemas": [*forms]}, [*forms])
    if name not in forms:
        raise UsageError(
            f"there is no form of reply {name!r}", hint=f"There are: {', '.join(forms)}"
        )
    found = schema_of(forms[name])
    return Answer(found, [answers.write_json(found, indent=2)])

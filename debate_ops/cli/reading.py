"""The commands that read a debate and change nothing: words and options, one call, one result."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from debate_ops.cli import answers
from debate_ops.cli.once import Once

command = partial(click.command, cls=Once)
debate_word = click.argument("debate")
json_flag = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@command()
@debate_word
@click.option(
    "--format",
    "form",
    type=click.Choice(["table", "md", "csv", "json"]),
    help="Lines for a terminal (if not given), a page in Markdown with links as from the debate's "
    "folder, a row for each attack, or JSON.",
)
@json_flag
def flow(debate: str, *, form: str | None, as_json: bool) -> None:
    """Show how each attack was answered, thread by thread, and which were dropped.

    In design and consensus debates: how each critique was answered.

    \b
    debate-ops flow my-decision
    debate-ops flow my-decision --format csv
    """  # noqa: D301
    from debate_ops.cli import flow as flows

    flows.flow(debate, form, as_json=as_json)


@command()
@click.argument("debate", metavar="DEBATE|FILE", required=False)
@click.option(
    "--semantics",
    metavar="NAME",
    help="Which semantics; 'help' lists them. Without it, a debate is weighed as in its report.",
)
@click.option(
    "--derived-attacks",
    "derived",
    is_flag=True,
    help="Count the attacks that follow from attacks and supports, too.",
)
@click.option(
    "--argument",
    metavar="ID",
    help="Say whether it is in some and in every extension, instead of listing them.",
)
@click.option(
    "--most",
    type=click.IntRange(min=1),
    metavar="N",
    help="List N extensions, at most; 1000 if not given.",
)
@json_flag
def semantics(debate: str | None, *, as_json: bool, **given: Any) -> None:
    """Show how strong each argument is and which survive, in a debate or a graph in a FILE.

    A FILE holds APX facts (arg, att, sup, weight), or numbers after a line "p af N".

    \b
    debate-ops semantics my-decision
    debate-ops semantics my-decision --semantics preferred
    debate-ops semantics graph.apx --semantics h-categoriser --json
    """  # noqa: D301
    from debate_ops.cli import semantics as answering

    wanted = answering.Wanted(**given)
    if debate is None and wanted.semantics != answering.HELP:
        raise click.UsageError("name a DEBATE or a FILE")
    result, lines = answering.answer(debate or "", wanted)
    if as_json:
        answers.show(result)
    else:
        answers.say(lines)


@command()
@debate_word
@click.option(
    "--to",
    metavar="NAME",
    required=True,
    help="The format: argdown, mermaid, dot, apx, apx-plain, csv-flow, csv-arguments, csv-scores, "
    "jsonl, transcript or aif.",
)
@click.option(
    "--output", metavar="FILE", help="Write it there instead of printing it; '-' prints it."
)
@click.option("--force", is_flag=True, help="Replace the file, if it is there.")
@click.option(
    "--preparation/--no-preparation",
    default=None,
    help="Show the notes that each side made for itself, or not; else the debate's setting says.",
)
@json_flag
def export(debate: str, *, to: str, as_json: bool, **given: Any) -> None:
    """Write a debate as an argument map, a graph, a table or data that other tools open.

    \b
    debate-ops export my-decision --to argdown --output my-decision.argdown
    debate-ops export my-decision --to csv-scores > scores.csv
    debate-ops export my-decision --to dot | dot -Tsvg > my-decision.svg
    """  # noqa: D301
    from debate_ops.cli import export as exports

    exports.export(debate, to, as_json=as_json, **given)

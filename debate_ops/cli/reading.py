"""The commands that read a debate, as data; the others are in `commands`."""

from __future__ import annotations

from debate_ops.cli.parser import Command, Word, option

DEBATE = Word("debate")
JSON = option("--json", "Print one JSON object.")
KNOWS_JSON = option("--json", "Print one JSON object.", key="as_json")
"""Where what the command does depends on it, too."""
_OUTPUT = option("--output FILE", "Write it there instead of printing it; '-' prints it.")
_FORCE = option("--force", "Replace the file, if it is there.")
_PREPARATION = option(
    "--preparation/--no-preparation",
    "Show the notes that each side made for itself, or not; else the debate's setting says.",
)

COMMANDS: dict[str, Command] = {
    "report": Command(
        "hold.report",
        """
Render report.html, README.md and, if any, the charts and the argument graph.

    debate-ops report my-decision --verbose
    debate-ops report --all
""",
        (Word("debate", "[DEBATE]"),),
        (
            option("--all", "Render every debate, and debates/index.md.", key="every"),
            option(
                "--brief FILE",
                "Accept a brief that an agent wrote by the prompt, if it agrees with the record.",
            ),
            option("--png", "Render the charts as PNG too."),
            option(
                "--verbose",
                "Print for each entry when it came, its time, tokens and model, on standard error.",
            ),
            JSON,
        ),
    ),
    "outcome": Command(
        "hold.outcome",
        """
Print the outcome of a debate: the solution, closing, proposal, ballot or verdict.

    debate-ops outcome my-decision
    debate-ops outcome my-decision --output solution.md
    debate-ops outcome my-decision --output record.json
""",
        (DEBATE,),
        (
            option(
                "--output FILE",
                "Write it there instead of printing it; the whole record where the name ends in "
                ".json; '-' prints it.",
            ),
            _FORCE,
            JSON,
        ),
    ),
    "transcript": Command(
        "hold.transcript",
        "Print all that was said in a debate, in order; an unfinished one is marked as partial.",
        (DEBATE,),
        (
            option(
                "--format md|text|json",
                "Markdown, plain text of 80 columns, or JSON with every text as it is on record.",
                key="form",
                default="md",
            ),
            _PREPARATION,
            _OUTPUT,
            _FORCE,
            KNOWS_JSON,
        ),
    ),
    "flow": Command(
        "flow.flow",
        """
Show how each attack was answered, target by target, and which were dropped.

In design and consensus debates: how each critique was answered.

    debate-ops flow my-decision
    debate-ops flow my-decision --format csv
""",
        (DEBATE,),
        (
            option(
                "--format table|md|csv|json",
                "Lines for a terminal (if not given), a page in Markdown with links as from the "
                "debate's folder, a row for each attack, or JSON.",
                key="form",
            ),
            KNOWS_JSON,
        ),
    ),
    "semantics": Command(
        "semantics.semantics",
        """
Show how strong each argument is and which survive, in a debate or a graph in a FILE.

A FILE holds APX facts (arg, att, sup, weight), or numbers after a line "p af N".

    debate-ops semantics my-decision
    debate-ops semantics my-decision --semantics preferred
    debate-ops semantics graph.apx --semantics h-categoriser --json
""",
        (Word("debate", "[DEBATE|FILE]"),),
        (
            option(
                "--semantics NAME",
                "Which semantics; 'help' lists them. Without it, a debate is weighed as in its "
                "report.",
            ),
            option(
                "--derived-attacks",
                "Count the attacks that follow from attacks and supports, too.",
                key="derived",
            ),
            option(
                "--argument ID",
                "Say whether it is in some and in every extension, instead of listing them.",
            ),
            option(
                "--most N",
                "List N extensions, at most; 1000 if not given.",
                kind=int,
                least=1,
            ),
            JSON,
        ),
    ),
    "export": Command(
        "export.export",
        """
Write a debate as an argument map, a graph, a table or data that other tools open.

    debate-ops export my-decision --to argdown --output my-decision.argdown
    debate-ops export my-decision --to csv-scores > scores.csv
    debate-ops export my-decision --to dot | dot -Tsvg > my-decision.svg
""",
        (DEBATE,),
        (
            option(
                "--to NAME",
                "The format: argdown, mermaid, dot, apx, apx-plain, csv-flow, csv-arguments, "
                "csv-scores, jsonl, transcript or aif.",
                required=True,
            ),
            _OUTPUT,
            _FORCE,
            _PREPARATION,
            JSON,
        ),
    ),
    "demo": Command(
        "hold.demo",
        "Replay the real debate that ships with the program, check by check, and render its "
        "report.",
        (Word("slug", "[SLUG]", default="demo"),),
        (KNOWS_JSON,),
    ),
    "doctor": Command(
        "health.check", "Check that everything the program needs is there.", (), (JSON,)
    ),
    "schema": Command(
        "look.schema",
        "Print the JSON Schema of a kind of reply; without NAME, list them.",
        (Word("name", "[NAME]"),),
    ),
}

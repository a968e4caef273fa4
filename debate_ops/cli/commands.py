"""Each command: its words and options, one call, one result."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import click

from debate_ops.cli import answers, hot, look, reading, steps
from debate_ops.cli.once import Once
from debate_ops.formats import json_text
from debate_ops.protocols.table import PROTOCOLS

command = partial(click.command, cls=Once)
debate_word = click.argument("debate")
json_flag = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
reason_option = click.option("--reason", default="", metavar="TEXT", help="Why; it goes on record.")
by_option = click.option(
    "--by", default="user", show_default=True, metavar="NAME", help="Who it is; goes on record."
)


def _print(result: dict[str, Any], lines: list[str], *, as_json: bool) -> None:
    if as_json:
        answers.show(result)
    else:
        answers.say(lines)


@command()
@click.argument("slug")
@click.option(
    "--motion",
    metavar="TEXT",
    help="What is debated, kept word for word; '-' reads it from standard input.",
)
@click.option("--motion-file", metavar="FILE", help="Read the motion from a file.")
@click.option(
    "--definition",
    metavar="TERM=TEXT",
    multiple=True,
    help="What a term means; may be given several times.",
)
@click.option("--scope", default="", metavar="TEXT", help="What the debate is about, and what not.")
@click.option(
    "--context",
    metavar="PATH",
    multiple=True,
    help="A text that every participant is given, or a folder of texts; may be given several "
    "times.",
)
@click.option(
    "--protocol",
    default=look.USUAL_PROTOCOL,
    show_default=True,
    metavar="NAME",
    help="The rules of the debate: " + ", ".join(PROTOCOLS) + ".",
)
@click.option(
    "--participants",
    metavar="LIST",
    help="Who takes part, where the protocol does not say: such as ann,ben:expert,cara:architect.",
)
@click.option(
    "--agents",
    metavar="LIST",
    help="In design debates: which participants of the settings file take part, by name or role; "
    "without one, their roles.",
)
@click.option(
    "--web-search",
    type=click.Choice(["allowed", "forbidden"]),
    help="Whether debaters may search the web for evidence.",
)
@click.option(
    "--word-limits",
    metavar="POLICY",
    help="What a text over its word limit does: warn, reject or, in formal debates, cut.",
)
@click.option(
    "--language", metavar="NAME", help="The language of the debate; the motion's own if not given."
)
@click.option(
    "--history-characters",
    type=int,
    metavar="N",
    help="How much of what was said before a participant is given in full.",
)
@click.option(
    "--set",
    metavar="NAME=VALUE",
    multiple=True,
    help="Any setting of the protocol; may be given several times.",
)
@click.option(
    "--settings",
    metavar="FILE",
    help="Settings from a file, TOML or JSON, or '-' for standard input; options given beside it "
    "take precedence.",
)
@click.option(
    "--allow-files-outside",
    is_flag=True,
    help="Let the settings file name files outside of its own folder, or behind links.",
)
@json_flag
def new(slug: str, *, as_json: bool, **given: Any) -> None:
    """Create a debate in debates/SLUG.

    \b
    debate-ops new pricing --motion "This house would move to usage-based pricing" \\
        --definition "usage-based=billed by metered calls" --scope "existing customers" \\
        --context facts.md --web-search forbidden
    debate-ops new storage --protocol consensus --motion "Which database do we use?" \\
        --participants ann,ben:expert,cara:architect,dan --set max_cycles=2
    debate-ops new caching --protocol design --motion "How do we cache product pages?" \\
        --settings team.toml --agents architect,security --context src/pages
    """  # noqa: D301
    ask = _ask if sys.stdin.isatty() and not as_json else None
    result = look.new(slug, ask=ask, **given)
    name = result["debate"]
    _print(
        result,
        [
            f"{result['path']} created.",
            *(f"Next:  {command}" for command in result["next"]),
            f"   or  /debate-run {name}   in your agent client",
            *result["warnings"],
        ],
        as_json=as_json,
    )


def _ask(question: str) -> str:
    return str(click.prompt(question, err=True))


@command("list")
@click.option("--active", is_flag=True, help="Only those that wait for a reply or a person.")
@json_flag
def list_(*, active: bool, as_json: bool) -> None:
    """List the debates in this folder's 'debates'."""
    result, lines = look.list_debates(active=active)
    _print(result, lines, as_json=as_json)


@command()
@debate_word
@json_flag
def status(debate: str, *, as_json: bool) -> int:
    """Show the state of a debate, and which commands make sense now."""
    result, code = steps.status(debate)
    _print(result, look.status_lines(result), as_json=as_json)
    return code


@command("next")
@debate_word
@click.option(
    "--exchanges",
    type=click.IntRange(min=0),
    metavar="N",
    help="Ask for N more exchanges (or cycles), the opening not counted; 0 gives up the "
    "unfinished request. Without it: what was asked for before, or else the debate's own end.",
)
@json_flag
def next_(*, as_json: bool, **given: Any) -> int:  # noqa: ARG001
    """Print the turn that is due: its tasks, their prompt files and where the replies go."""
    return hot.answer(steps.next_, given)


@command()
@debate_word
@click.option(
    "--step",
    type=click.IntRange(min=0),
    required=True,
    metavar="K",
    help="The step that the replies answer, as 'next' printed it.",
)
@click.option(
    "--made-by",
    default="",
    metavar="TEXT",
    help="Who wrote the replies, for the record: model, client.",
)
@click.option(
    "--wait",
    type=click.IntRange(min=0),
    default=0,
    metavar="SECONDS",
    help="Wait so long, at most, until every reply is there and nobody is writing it any more; "
    "exit code 75 if that takes longer.",
)
@json_flag
def submit(*, as_json: bool, **given: Any) -> int:  # noqa: ARG001
    """Check the replies in the inbox, commit them, and print the next turn."""
    return hot.answer(steps.submit, given)


@command("process-exchange")
@debate_word
@click.argument("exchange", type=click.IntRange(min=0))
@click.option("--prop-file", required=True, metavar="FILE", help="The proposition's reply.")
@click.option("--opp-file", required=True, metavar="FILE", help="The opposition's reply.")
@click.option("--keep", is_flag=True, help="Leave the two files after the commit.")
@json_flag
def process_exchange(*, as_json: bool, **given: Any) -> int:  # noqa: ARG001
    """Commit both sides' arguments of one exchange from two files."""
    return hot.answer(steps.process_exchange, given)


@command("process-judge")
@debate_word
@click.option("--json-file", required=True, metavar="FILE", help="The judge's reply.")
@click.option("--keep", is_flag=True, help="Leave the file after the commit.")
@json_flag
def process_judge(*, as_json: bool, **given: Any) -> int:  # noqa: ARG001
    """Commit the judgment of the exchange that awaits it, from a file."""
    return hot.answer(steps.process_judge, given)


@command()
@debate_word
@click.option(
    "--participant", required=True, metavar="NAME", help="Who is skipped, as in prop or judge."
)
@click.option("--reason", default="", metavar="TEXT", help="Why; it goes on record.")
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="K",
    help="The step that it is about; a repeat is then harmless.",
)
@click.option("--withdraw", is_flag=True, help="Take back a skip that is not on record yet.")
@json_flag
def skip(*, as_json: bool, **given: Any) -> None:
    """End a participant's task without a reply: an absence, with its reason, on record."""
    result = steps.skip(**given)
    _print(result, look.turn_lines(result), as_json=as_json)


@command()
@debate_word
@click.option(
    "--step",
    type=click.IntRange(min=0),
    required=True,
    metavar="K",
    help="The step that is closed, as 'next' printed it.",
)
@reason_option
@json_flag
def advance(debate: str, *, step: int, reason: str, as_json: bool) -> None:
    """Close the turn now due with the replies that are there; whoever has none is absent."""
    _tell_outcome(steps.advance(debate, step, reason), as_json=as_json)


def _tell_outcome(result: dict[str, Any], *, as_json: bool) -> None:
    committed = ", ".join(result["committed"])
    _print(result, [f"On record: {committed}.", *look.turn_lines(result)], as_json=as_json)


@command()
@debate_word
@click.option("--proposal", default="", metavar="ID", help="The proposal that is decided for.")
@click.option("--text", default="", metavar="TEXT", help="What is decided, if no proposal says it.")
@reason_option
@by_option
@json_flag
def decide(debate: str, *, by: str, as_json: bool, **given: str) -> None:
    """Decide a debate that was escalated to a person; the decision goes on record."""
    _tell_outcome(steps.act(debate, "decide", by, given), as_json=as_json)


@command()
@debate_word
@reason_option
@by_option
@json_flag
def escalate(debate: str, *, by: str, reason: str, as_json: bool) -> None:
    """Hand a debate over to a person, who is to decide it."""
    _tell_outcome(steps.act(debate, "escalate", by, {"reason": reason}), as_json=as_json)


@command()
@debate_word
@reason_option
@by_option
@json_flag
def cancel(debate: str, *, by: str, reason: str, as_json: bool) -> None:
    """End a debate without a result."""
    _tell_outcome(steps.act(debate, "cancel", by, {"reason": reason}), as_json=as_json)


@command()
@debate_word
@click.argument("words", nargs=-1, metavar="[ID=TEXT]...")
@click.option(
    "--file",
    "path",
    metavar="FILE",
    help="Answers from a file, TOML or JSON: each ID and its text; '-' is standard input.",
)
@click.option(
    "--rest-not-applicable", "rest", is_flag=True, help="No other open question is applicable."
)
@by_option
@json_flag
def answer(debate: str, *, as_json: bool, **given: Any) -> None:
    """Answer questions that agents have put to you; without words, each is asked for in turn.

    All answers are filed as one step. An empty TEXT says that a question is not applicable.

    \b
    debate-ops answer caching security_000-question-1="Only staff may see drafts." \\
        security_000-question-2= --by kim
    """  # noqa: D301
    from debate_ops.cli import answering

    ask = _ask_or_nothing if sys.stdin.isatty() and not as_json else None
    _tell_outcome(answering.answer(debate, ask=ask, **given), as_json=as_json)


def _ask_or_nothing(question: str) -> str:
    """Ask on the terminal.

    Raises:
        KeyboardInterrupt: the input was ended, or the program told to end.
    """
    try:
        return str(click.prompt(question, default="", show_default=False, err=True))
    except click.Abort:
        click.echo(err=True)  # the line that was begun
        raise KeyboardInterrupt from None


@command()
@debate_word
@click.option(
    "--require",
    "required",
    metavar="NAME",
    multiple=True,
    help="What is required, such as consensus or no-blocking; may be given several times.",
)
@json_flag
def check(debate: str, *, required: tuple[str, ...], as_json: bool) -> int:
    """Check whether a debate meets requirements; exit code 10 if not: a gate for CI."""
    result, code = steps.check(debate, required)
    lines = [
        f"{name}: {'met' if item['is_met'] else 'not met'}: {item['why']}"
        for name, item in result["requirements"].items()
    ]
    _print(result, lines, as_json=as_json)
    return code


@command()
@debate_word
@click.option(
    "--exchange",
    type=click.IntRange(min=0),
    metavar="N",
    help="The exchange that it is about; a repeat is then harmless.",
)
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="K",
    help="Take back all from this step on instead; a repeat is then harmless.",
)
@json_flag
def undo(debate: str, *, exchange: int | None, step: int | None, as_json: bool) -> None:
    """Take the last exchange back; its files move to set-aside, and none is deleted."""
    if exchange is not None and step is not None:
        raise click.UsageError("--exchange and --step exclude each other")
    result = steps.undo(debate, exchange, step)
    taken = ", ".join(result["taken_back"])
    next_ = f"Next:  {answers.invocation()} status {result['debate']}"
    now = f"{result['debate']}: {result['progress']}"
    _print(result, [f"Taken back: {taken} (now in set-aside/).", now, next_], as_json=as_json)


@command()
@debate_word
@click.argument("entry_id", required=False, metavar="[ID]")
@json_flag
def show(debate: str, *, entry_id: str | None, as_json: bool) -> None:
    """Show a debate's arguments with their scores, or one entry with its history."""
    result, lines = look.show(debate, entry_id)
    _print(result, lines, as_json=as_json)


@command()
@debate_word
@click.option(
    "--fix",
    is_flag=True,
    help="Make debate.md from the record, and move what an interruption left to set-aside.",
)
@json_flag
def validate(debate: str, *, fix: bool, as_json: bool) -> int:
    """Check a whole debate: every file, link, score and total, and the word limits."""
    result, lines, code = look.validate(debate, fix=fix)
    _print(result, lines, as_json=as_json)
    return code


@command()
@debate_word
@click.argument("exchanges", type=click.IntRange(min=1), required=False, metavar="[N]")
@click.option("--prop", metavar="SPEC", help="Who argues for the motion.")
@click.option("--opp", metavar="SPEC", help="Who argues against it.")
@click.option("--judge", metavar="SPEC", help="Who judges.")
@click.option(
    "--adviser",
    metavar="SPEC",
    help="Who gives the first answer, beside the first turn; without one it is left out, and "
    "--all does not include it.",
)
@click.option(
    "--as",
    "named",
    metavar="NAME=SPEC",
    multiple=True,
    help="Who replies for any participant, or for all of a role such as debater; may be given "
    "several times.",
)
@click.option("--all", "everybody", metavar="SPEC", help="Who does what no other option names.")
@click.option(
    "--reporter",
    metavar="SPEC",
    help="Who writes the brief once the debate is complete; without N, also of one that was "
    "complete before.",
)
@click.option(
    "--timeout",
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    type=click.FloatRange(min=0.1),
    help="Time for one reply; tried once more with half as much again.",
)
@click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines.")
def run(debate: str, *, exchanges: int | None, as_json: bool, **given: Any) -> int:
    """Run N more exchanges without an agent client; without N, finish what was asked for.

    A debate whose protocol ends by itself runs to its end if no N is given.

    SPEC says who replies: cmd:"PROGRAM ARGS" gets the prompt on standard input and prints its
    reply; replay:DEBATE gives the replies on another debate's record.

    \b
    debate-ops run my-decision 3 --all cmd:"claude -p"
    debate-ops run my-decision 3 --prop cmd:"codex exec -" --opp cmd:"claude -p" \\
        --judge cmd:./judge.sh
    """  # noqa: D301
    from debate_ops.cli import hold

    return hold.run(debate, exchanges, as_json=as_json, **given)


@command()
@click.argument("debate", required=False, metavar="[DEBATE]")
@click.option("--all", "every", is_flag=True, help="Render every debate, and debates/index.md.")
@click.option(
    "--brief",
    "brief_file",
    metavar="FILE",
    help="Accept a brief that an agent wrote by the prompt, if it agrees with the record.",
)
@click.option("--png", is_flag=True, help="Render the charts as PNG too.")
@click.option(
    "--verbose",
    is_flag=True,
    help="Print for each entry when it came, its time, tokens and model, on standard error.",
)
@json_flag
def report(
    debate: str | None, *, every: bool, brief_file: str | None, as_json: bool, **given: Any
) -> int:
    """Render report.html, README.md and, if any, the charts and the argument graph.

    \b
    debate-ops report my-decision --verbose
    debate-ops report --all
    """  # noqa: D301
    from debate_ops.cli import hold

    if every:
        _refuse_with_all(debate, {"brief": brief_file, **given})
        result, lines, code = hold.report_all(png=given["png"])
        _print(result, lines, as_json=as_json)
        return code
    if debate is None:
        raise click.UsageError("name a DEBATE, or give --all for every one")
    result, lines = hold.report(debate, brief_file, **given)
    _print(result, lines, as_json=as_json)
    return 0


def _refuse_with_all(debate: str | None, given: dict[str, Any]) -> None:
    """Refuse what makes sense for one debate only."""
    words = {name: value for name, value in given.items() if name != "png" and value}
    named = ["DEBATE"] if debate is not None else []
    if found := [*named, *(f"--{name}" for name in words)]:
        raise click.UsageError(f"--all and {' and '.join(found)} exclude each other")


@command()
@debate_word
@click.option(
    "--output",
    metavar="FILE",
    help="Write it there instead of printing it; the whole record where the name ends in .json; "
    "'-' prints it.",
)
@click.option("--force", is_flag=True, help="Replace the file, if it is there.")
@json_flag
def outcome(debate: str, *, as_json: bool, **given: Any) -> None:
    """Print the outcome of a debate: the solution, closing, proposal, ballot or verdict.

    \b
    debate-ops outcome my-decision
    debate-ops outcome my-decision --output solution.md
    debate-ops outcome my-decision --output record.json
    """  # noqa: D301
    from debate_ops.cli import hold

    result, lines = hold.outcome(debate, **given)
    _print(result, lines, as_json=as_json)


@command()
@debate_word
@click.option(
    "--format",
    "form",
    type=click.Choice(["md", "text", "json"]),
    default="md",
    show_default=True,
    help="Markdown, plain text of 80 columns, or JSON with every text as it is on record.",
)
@click.option(
    "--preparation/--no-preparation",
    default=None,
    help="Show the notes that each side made for itself, or not; else the debate's setting says.",
)
@click.option(
    "--output", metavar="FILE", help="Write it there instead of printing it; '-' prints it."
)
@click.option("--force", is_flag=True, help="Replace the file, if it is there.")
@json_flag
def transcript(debate: str, *, as_json: bool, **given: Any) -> None:
    """Print all that was said in a debate, in order; an unfinished one is marked as partial."""
    from debate_ops.cli import hold

    result, lines = hold.transcript(debate, as_json=as_json, **given)
    if not lines and not as_json:  # a document, and the same one that a file would hold
        answers.put(json_text.printed(result) + "\n")
    else:
        _print(result, lines, as_json=not lines)


@command()
@click.argument("slug", default="demo")
@json_flag
def demo(slug: str, *, as_json: bool) -> int:
    """Replay the real debate that ships with the program, check by check, and render its report."""
    from debate_ops.cli import hold

    result, lines, code = hold.demo(slug, as_json=as_json)
    _print(result, lines, as_json=as_json)
    return code


@command()
@json_flag
def doctor(*, as_json: bool) -> int:
    """Check that everything the program needs is there."""
    from debate_ops.cli import health

    result, lines, code = health.check()
    _print(result, lines, as_json=as_json)
    return code


@command()
@click.argument("name", required=False, metavar="[NAME]")
def schema(name: str | None) -> None:
    """Print the JSON Schema of a kind of reply; without NAME, list them."""
    answers.say(look.schema(name))


COMMANDS: dict[str, click.Command] = {
    str(command.name): command
    for command in (
        new,
        list_,
        status,
        next_,
        submit,
        process_exchange,
        process_judge,
        skip,
        advance,
        answer,
        decide,
        escalate,
        cancel,
        undo,
        show,
        check,
        validate,
        run,
        report,
        outcome,
        transcript,
        reading.flow,
        reading.semantics,
        reading.export,
        demo,
        doctor,
        schema,
    )
}

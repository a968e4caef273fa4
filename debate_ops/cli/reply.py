"""The command `reply`: a person takes a turn."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, debate_argument
from debate_ops.engine import RawReply, TaskStatus
from debate_ops.core.errors import ConfigurationError, UsageError
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.storage import files, folder, inbox

_NOTE = "# {}\n"


@command("reply")
@debate_argument
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--as", "as_", metavar="NAME", help="Whose reply it is, where several are due.")
@click.option("--form", is_flag=True, help="Print the form instead.")
@click.option(
    "--by",
    metavar="NAME",
    help="Who it is; goes on record. Without it, the name that 'run' has for this participant.",
)
@click.option(
    "--made-by",
    metavar="TEXT",
    help="Instead of a person: the agent that wrote it, for the record, as model and client.",
)
def reply(  # noqa: PLR0913  (one for each option)
    debate: str,
    file: str | None,
    as_: str | None,
    by: str | None,
    made_by: str | None,
    *,
    form: bool = False,
) -> Answer:
    """Reply to the turn that is due as a person; what is refused is not filed.

    Without FILE, the prompt and a form open in the editor that EDITOR or VISUAL names; what was
    written stays there until it is filed. FILE is such a form, filled in, or JSON; '-' is standard
    input.

    \b
    debate-ops run my-decision 3 --prop person:kim --opp cmd:"claude -p" --judge cmd:"claude -p"
    debate-ops reply my-decision --by kim
    """
    position = engine.prepared(engine.look(folder.find(debate)))
    item = engine.task_of(position, as_)
    if form:
        return Answer(text=engine.blank_form(item))
    if file == "-":
        raw = RawReply(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    elif file:
        raw = RawReply(files.read_named(file, MAX_BYTES), file)
    else:
        raw = _edited(item)
    warnings = engine.take_reply(position, item, raw, by or inbox.SOMEBODY, made_by or "")
    name, step, slug = item.task.participant, position.debate.step, position.folder.name
    result = {"success": True, "debate": slug, "reply_file": item.slot.reply}
    lines = [
        *answers.labelled("warning", (warning.sentence() for warning in warnings)),
        f"{name}: reply filed.",
        f"A run takes it up; without one: {answers.invocation()} submit {slug} --step {step}",
    ]
    return Answer(result | answers.remarks(warnings), lines)


def _edited(item: TaskStatus) -> RawReply:
    """Let a person write in an editor, and return what there is then."""
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    draft = item.slot.draft
    if not words or not sys.stdin.isatty():
        raise ConfigurationError(
            "no editor can be opened here",
            hint="Set EDITOR in a terminal, or print the form with --form and name it filled in.",
        )
    if not os.path.exists(draft):
        note = f"What you are asked is in {os.path.abspath(item.slot.prompt)}"
        inbox.write(draft, _NOTE.format(note) + engine.blank_form(item))
    before = files.read_named(draft, MAX_BYTES)
    try:
        subprocess.run([*words, item.slot.prompt, draft], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise ConfigurationError(f"the editor failed: {error}") from None
    after = files.read_named(draft, MAX_BYTES)
    if after == before:
        raise UsageError("nothing was written", hint=f"The form stays in {draft}.")
    return RawReply(after, draft)

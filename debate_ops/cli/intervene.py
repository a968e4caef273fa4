"""The commands by which a person intervenes in the turns of a debate, or between them."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import by_option, command, debate_argument, reason_option
from debate_ops.cli.submit import not_running
from debate_ops.core.errors import UsageError
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.model.turn import Act
from debate_ops.storage import folder


@command("skip")
@debate_argument
@click.option(
    "--participant", metavar="NAME", required=True, help="Who is skipped, as in prop or judge."
)
@reason_option
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="K",
    help="The step that it is about; a repeat is then harmless.",
)
@click.option("--withdraw", is_flag=True, help="Take back a skip that is not on record yet.")
def skip(
    debate: str,
    participant: str,
    reason: str | None,
    step: int | None = None,
    *,
    withdraw: bool = False,
) -> Answer:
    """End a participant's task without a reply: an absence, with its reason, on record."""
    place = not_running(debate)
    if withdraw:
        return answers.turn_answer(engine.withdraw_skip(place, participant))
    done = engine.skip(place, participant, reason or "", step=step)
    return answers.turn_answer(done, committed=[], pending=participant)


@command("advance")
@debate_argument
@click.option(
    "--step",
    type=click.IntRange(min=0),
    metavar="K",
    required=True,
    help="The step that is closed, as 'next' printed it.",
)
@reason_option
def advance(debate: str, step: int, reason: str | None) -> Answer:
    """Close the turn now due with the replies that are there; whoever has none is absent."""
    outcome = engine.advance(not_running(debate), step, reason or "")
    return answers.turn_answer(outcome)


def act(debate: str, name: str, by: str, parts: Mapping[str, str | None]) -> Answer:
    """Put on record what a person decides about the whole debate."""
    action = Act(name, {key: part or "" for key, part in parts.items()}, by)
    return answers.turn_answer(engine.act(folder.find(debate), action))


@command("decide")
@debate_argument
@click.option("--proposal", metavar="ID", help="The proposal that is decided for.")
@click.option("--text", metavar="TEXT", help="What is decided, if no proposal says it.")
@reason_option
@by_option
def decide(debate: str, by: str, **parts: str | None) -> Answer:
    """Decide a debate that was escalated to a person; the decision goes on record."""
    return act(debate, "decide", by, parts)


@command("escalate")
@debate_argument
@reason_option
@by_option
def escalate(debate: str, by: str, **parts: str | None) -> Answer:
    """Hand a debate over to a person, who is to decide it."""
    return act(debate, "escalate", by, parts)


@command("cancel")
@debate_argument
@reason_option
@by_option
def cancel(debate: str, by: str, **parts: str | None) -> Answer:
    """End a debate without a result."""
    return act(debate, "cancel", by, parts)


@command("pause")
@debate_argument
@click.option("--reason", metavar="TEXT", help="Why; others are shown it.")
@by_option
def pause(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn, until 'resume': a run waits, 'next' says so.

    What participants are writing now is still taken.
    """
    return _controlled(engine.pause(folder.find(debate), by, reason or ""))


@command("stop")
@debate_argument
@click.option("--reason", metavar="TEXT", help="Why; others are shown it.")
@by_option
def stop(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn, as 'pause' does, and end a run that is in it.

    Another 'run' goes on from there.
    """
    return _controlled(engine.stop(folder.find(debate), by, reason or ""))


@command("resume")
@debate_argument
@by_option
def resume(debate: str, by: str) -> Answer:
    """Let a debate go on that is paused or stopped."""
    return _controlled(engine.resume(folder.find(debate), by))


@command("say")
@debate_argument
@click.argument("text")
@click.option("--to", metavar="NAME", help="To one participant, or to one role, instead of all.")
@by_option
def say(debate: str, text: str, by: str, to: str | None) -> Answer:
    """Say something to the participants: on record, and in all their prompts from now on.

    \b
    debate-ops say my-decision "Assume that the budget is fixed."
    debate-ops say my-decision "Name your sources." --to opp --by kim
    """
    words = sys.stdin.read(MAX_BYTES) if text == "-" else text
    return _controlled(engine.say(folder.find(debate), words.strip(), by=by, to=to or ""))


def _controlled(position: engine.Position) -> Answer:
    hold, words = position.hold, position.debate.words
    more = {"on_hold": hold and hold._asdict(), "words": [word._asdict() for word in words]}
    return answers.turn_answer(position, **more)


@command("undo")
@debate_argument
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
def undo(debate: str, exchange: int | None = None, step: int | None = None) -> Answer:
    """Take the last exchange back; its files move to set-aside, and none is deleted."""
    if exchange is not None and step is not None:
        raise UsageError("--exchange and --step exclude each other")
    position, ids = engine.undo(not_running(debate), exchange, step)
    answer = answers.turn_answer(position, taken_back=list(ids))
    return answer._replace(
        lines=[f"Taken back: {', '.join(ids)} (now in set-aside/).", *answer.lines]
    )

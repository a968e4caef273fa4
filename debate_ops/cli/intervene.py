"""The commands by which a person intervenes in the turns of a debate, or between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import click

from debate_ops import engine
from debate_ops.cli import standing, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, of_step, option
from debate_ops.cli.submit import find_idle_folder
from debate_ops.core.errors import UsageError
from debate_ops.core.values import Act, Fault
from debate_ops.engine import store

reason_option = option("--reason TEXT", help="Why; it goes on record.")
by_option = option("--by NAME", default="user", help="Who it is; goes on record.")


@command("skip")
@option("--participant NAME", required=True, help="Who is skipped, as in prop or judge.")
@reason_option
@of_step(help="The step that it is about; a repeat is then harmless.")
def skip(debate: str, participant: str, reason: str | None, step: int | None = None) -> Answer:
    """End a participant's task without a reply: an absence, with its reason, on record."""
    done = engine.skip(find_idle_folder(debate), participant, reason or "", step=step)
    return standing.answer_with_turn(done, committed=[], pending=participant)


@command("advance")
@of_step(required=True, help="The step that is closed, as 'next' printed it.")
@reason_option
def advance(debate: str, step: int, reason: str | None) -> Answer:
    """Close the turn now due with the replies that are there; whoever has none is absent."""
    done = engine.close_turn(find_idle_folder(debate), step, reason or "")
    return standing.answer_with_turn(done)


def _act(debate: str, name: str, by: str, parts: Mapping[str, str | None]) -> Answer:
    """Put on record what a person decides about the whole debate."""
    action = Act(name, {key: part or "" for key, part in parts.items()}, by)
    return standing.answer_with_turn(engine.act(store.find_folder(debate), action))


@command("decide")
@option("--proposal ID", help="The proposal that is decided for.")
@option("--text TEXT", help="What is decided, if no proposal says it.")
@reason_option
@by_option
def decide(debate: str, by: str, **parts: str | None) -> Answer:
    """Decide a debate that was escalated to a person; the decision goes on record."""
    return _act(debate, "decide", by, parts)


def _declare_act(name: str, sentence: str) -> None:
    """Declare the command for what a person decides with a reason alone."""

    def decide_so(debate: str, by: str, **parts: str | None) -> Answer:
        return _act(debate, name, by, parts)

    decide_so.__doc__ = sentence
    command(name)(reason_option(by_option(decide_so)))


_declare_act("escalate", "Hand a debate over to a person, who is to decide it.")
_declare_act("resolve", "Have the votes of a cycle counted, where a person looks at them first.")
_declare_act("cancel", "End a debate without a result.")


@command("pause")
@option("--reason TEXT", help="Why; others are shown it.")
@by_option
def pause(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn, until 'resume': a run waits, 'next' says so.

    What participants are writing now is still taken.
    """
    return _answer_with_hold(engine.pause(store.find_folder(debate), by, reason or ""))


@command("stop")
@option("--reason TEXT", help="Why; others are shown it.")
@option(
    "--with-closing",
    help="In chairs debates: let the arbiter's closing be the next and last turn instead.",
)
@by_option
def stop(debate: str, by: str, reason: str | None, *, with_closing: bool = False) -> Answer:
    """Hold a debate back before its next turn, as 'pause' does, and end a run that is in it.

    Another 'run' goes on from there.
    """
    if with_closing:
        return _act(debate, "close", by, {"reason": reason})
    return _answer_with_hold(engine.stop(store.find_folder(debate), by, reason or ""))


@command("resume")
@by_option
def resume(debate: str, by: str) -> Answer:
    """Let a debate go on that is paused or stopped."""
    return _answer_with_hold(engine.resume(store.find_folder(debate), by))


@command("say")
@click.argument("text")
@option("--to NAME", help="To one participant, or to one role, instead of all.")
@by_option
def say(debate: str, text: str, by: str, to: str | None) -> Answer:
    """Say something to the participants: on record, and in all their prompts from now on.

    \b
    debate-ops say my-decision "Assume that the budget is fixed."
    debate-ops say my-decision "Name your sources." --to opp --by kim
    """
    place, words = store.find_folder(debate), texts.read_word(text) or ""
    return _answer_with_hold(engine.say(place, words.strip(), by=by, to=to or ""))


def _answer_with_hold(position: engine.Position) -> Answer:
    words = [word.model_dump() for word in position.header.words]
    more = {"on_hold": position.hold and position.hold._asdict(), "words": words}
    return standing.answer_with_turn(position, **more)


@command("undo")
@of_step(help="Take back all from this step on instead; a repeat is then harmless.")
def undo(debate: str, step: int | None = None) -> Answer:
    """Take the last exchange back; its files move to set-aside, and none is deleted."""
    place = find_idle_folder(debate)
    position, ids = engine.undo(place, step)
    answer = standing.answer_with_turn(position, taken_back=list(ids))
    lines = [f"Taken back: {', '.join(ids)} (now in {place.within(store.SET_ASIDE)})."]
    return answer._replace(lines=[*lines, *answer.lines])


@command("answer")
@click.argument("words", metavar="[ID=TEXT]...", nargs=-1)
@by_option
def answer(debate: str, words: Sequence[str], by: str) -> Answer:
    """Answer questions that agents have put to you; without words, list them.

    All answers are filed as one step. An empty TEXT says that a question is not applicable.

    \b
    debate-ops answer caching security_000-question-1="Only staff may see drafts." \\
        security_000-question-2= --by kim
    """
    if words:
        return _act(debate, "answer", by, texts.split_pairs(words, "", 'ID="…"'))
    waiting = standing.describe_place(engine.load(store.find_folder(debate)))
    questions = waiting["about"] if "answer" in waiting.get("acts", ()) else []
    if not questions:
        return _act(debate, "answer", by, {})
    raise UsageError(
        f"answers are required to {', '.join(item['id'] for item in questions)}",
        hint=f"Write 'answer {debate} ID=\"…\"' with each ID, and nothing behind the = if it does "
        "not apply.",
        faults=tuple(Fault(q["id"], q["text"]) for q in questions),
    )

"""The commands of a turn, for agents and people, and those by which a person intervenes.

`process-exchange` and `process-judge` keep the words and answers of the original skill.
"""

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from debate_ops import engine, panels
from debate_ops.cli import answers, config, debate_state, reply_form, texts, waiting
from debate_ops.cli.answers import Answer
from debate_ops.cli.cast_options import make_programs
from debate_ops.cli.command import bundle, command, flag_option, number_option, of_step, option
from debate_ops.core import errors
from debate_ops.core.texts import one_line
from debate_ops.core.values import Act, Waiting
from debate_ops.engine import REPLIED, SKIPPED, RawReply, files, inbox, store
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.engine.store import Folder
from debate_ops.run import runner
from debate_ops.run.endings import exit_code
from debate_ops.run.run_file import find_run


def find_idle_folder(debate: str) -> Folder:
    """Return the folder of a debate that no headless run has taken.

    Raises:
        BusyError: one has: a second hand in its turns would pay twice, or mix up what is written.
    """
    place = store.find_folder(debate)
    if runner := store.find_holder(place.within(inbox.RUN_LOCK)):
        raise errors.BusyError(
            f"this debate is being run by another process ({runner})",
            hint="Wait until that run ends, or stop it; nothing is lost.",
        )
    return place


@command("next")
@number_option(
    "--exchanges N",
    least=0,
    help="Ask for N more exchanges (or cycles), the opening not counted; 0 gives up the "
    "unfinished request, or asks for the opening alone. Without it: what was asked for before, or "
    "else the debate's own end.",
)
def next_turn(debate: str, exchanges: int | None = None) -> Answer:
    """Print the turn that is due: its tasks, their prompt files and where the replies go."""
    first = engine.next_turn(find_idle_folder(debate), exchanges)
    position = panels.find_due(first)
    position.warnings = first.warnings
    make_programs(position)  # what cannot reply is said before any agent is asked
    return debate_state.answer_with_turn(position)._replace(code=exit_code(position))


@command("submit")
@of_step(required=True, help="The step that the replies answer, as 'next' printed it.")
@option("--made-by TEXT", help="Who wrote the replies, for the record: model, client.")
@number_option(
    "--wait SECONDS",
    least=0,
    help="Wait so long, at most, until every reply is there and nobody is writing it any "
    "more; exit code 75 if that takes longer.",
)
def submit(debate: str, step: int, made_by: str | None = None, wait: int | None = None) -> Answer:
    """Check the replies in the inbox, commit them, and print the next turn.

    With --wait, programs that are set for participants ('config set opp SPEC') are asked first.
    """
    place = store.find_folder(debate)
    if wait:
        _ask_programs(place, step, wait)
        waiting.wait_for_replies(place, step, wait)
    done = engine.submit(place, step, {"by": made_by} if made_by else {})
    after = panels.find_due(done)
    return debate_state.answer_with_turn(done, after)._replace(code=exit_code(after))


def _ask_programs(place: Folder, step: int, seconds: int) -> None:
    """Have programs reply to the turn of `step` where they are set, however long that takes.

    Raises:
        RunAgainError: another command asks them, and did for so many seconds.
        ProgramFailedError: one gave no usable reply.
    """
    position = engine.load(place)
    cast = make_programs(position) if position.debate.step == step else {}
    try:
        runner.file_replies(place, cast, wait=seconds)
    except errors.BusyError as error:
        raise errors.RunAgainError(error.message, hint=waiting.AGAIN) from None
    except errors.ParticipantFailedError as failed:
        unset = config.name_unset(position, [fault.by for fault in failed.faults])
        failed.hint += f" {unset} has an agent reply."
        raise debate_state.ProgramFailedError(failed, engine.load(place)) from None


@command("check-reply")
@click.argument("file")
@option("--as NAME", "as_", help="Whose reply it is, where several are due.")
def check_reply(debate: str, file: str, as_: str | None) -> Answer:
    """Check a reply to the turn that is due, as 'submit' would; nothing is changed.

    FILE is a draft, wherever it lies, or '-'; exit code 1 if it would be refused.
    """
    position = engine.load(store.find_folder(debate))
    raw, item = _read_raw(file), position.find_task(as_)
    found = answers.list_remarks(engine.check_task_reply(position, item, raw))
    return Answer({"success": True, **found}, [f"{file}: no fault"])


@command("reply")
@click.argument("file", metavar="[FILE]", required=False)
@option("--as NAME", "as_", help="Whose reply it is, where several are due.")
@option(
    "--by NAME",
    help="Who it is; goes on record. Without it, the name that 'run' has for this participant.",
)
@option(
    "--made-by TEXT",
    help="Instead of a person: the agent that wrote it, for the record, as model and client.",
)
def reply(
    debate: str, file: str | None, as_: str | None, by: str | None, made_by: str | None
) -> Answer:
    """Reply to the turn that is due as a person; what is refused is not filed.

    Without FILE, each part of the reply is asked for in the terminal. FILE is JSON; '-' is standard
    input.

    \b
    debate-ops run my-decision 3 --prop person:kim --opp cmd:"claude -p" --judge cmd:"claude -p"
    debate-ops reply my-decision --by kim
    """
    position = engine.next_turn(store.find_folder(debate))
    people = run.list_people() if (run := find_run(position.folder)) else {}
    item = position.find_task(as_ or next(iter(people), None))
    name, step, slug = item.task.by, position.debate.step, position.folder.name
    made = {"by": made_by} if made_by else {"person": by or people.get(name, inbox.SOMEBODY)}
    if file:
        warnings = engine.take_reply(position, item, _read_raw(file), made)
    elif item.status in {REPLIED, SKIPPED}:
        raise errors.RefusedError(f"{name}'s part of this turn is over: {item.status}")
    else:
        filed = reply_form.ask_reply(position, item, made)
        if filed is None:
            data = {"success": False, "debate": slug, "draft": item.slot.draft}
            return Answer(data, ["Nothing was filed."])
        warnings = filed
    result = {"success": True, "debate": slug, "reply_file": item.slot.reply}
    lines = [
        f"{name}: reply filed.",
        f"A run takes it up; without one:  {answers.name_invocation()} submit {slug} --step {step}",
    ]
    return Answer(result | answers.list_remarks(warnings), lines)


def _read_raw(file: str) -> RawReply:
    """Return a reply from a file, or '-'."""
    if file == "-":
        return RawReply(sys.stdin.buffer.read(MAX_BYTES + 1), "standard input")
    return RawReply(files.read_named(file, MAX_BYTES), file)


@command("process-exchange")
@click.argument("exchange", type=click.IntRange(min=0))
@option("--prop-file FILE", required=True, help="The proposition's reply.")
@option("--opp-file FILE", required=True, help="The opposition's reply.")
def process_exchange(debate: str, exchange: int, prop_file: str, opp_file: str) -> Answer:
    """Commit both sides' arguments of one exchange from two files.

    Once they are on record, the files are removed; what is refused stays.
    """
    paths = {"prop": prop_file, "opp": opp_file}
    done = engine.submit_files(store.find_folder(debate), exchange, paths)
    ids: dict[str, Any] = {
        name: [i for i in done.committed if i.startswith(f"{side}_")]
        for side, name in (("prop", "proposition"), ("opp", "opposition"))
    }
    if exchange:
        ids = {name: each[0] if each else None for name, each in ids.items()}
    return debate_state.answer_with_turn(done, argument_id=ids)


@command("process-judge")
@option("--json-file FILE", required=True, help="The judge's reply.")
def process_judge(debate: str, json_file: str) -> Answer:
    """Commit the judgment of the exchange that awaits it, from a file.

    Once it is on record, the file is removed; what is refused stays.
    """
    done = engine.submit_files(store.find_folder(debate), None, {"judge": json_file})
    made = debate_state.describe_decisions(done)
    scores, rescored = made.get("scores", {}), [*made.get("rescores", {})]
    ids, given = [*scores], [*scores.values()]
    return debate_state.answer_with_turn(done, argument_id=ids, score=given, rescored=rescored)


reason_option = option("--reason TEXT", help="Why; it goes on record.")
required_reason = option("--reason TEXT", required=True, help="Why; it goes on record.")
by_option = option("--by NAME", default="user", help="Who it is; goes on record.")


@command("skip")
@option("--participant NAME", required=True, help="Who is skipped, as in prop or judge.")
@required_reason
@of_step(help="The step that it is about; a repeat is then harmless.")
def skip(debate: str, participant: str, reason: str, step: int | None = None) -> Answer:
    """End a participant's task without a reply: an absence, with its reason, on record."""
    done = engine.skip(find_idle_folder(debate), participant, reason, step=step)
    pending: dict[str, Any] = {} if done.committed else {"committed": [], "pending": participant}
    did = f"Noted: {participant} is absent once the other replies are in." if pending else ""
    return debate_state.answer_with_turn(done, did=did, **pending)


@command("advance")
@of_step(required=True, help="The step that is closed, as 'next' printed it.")
@required_reason
def advance(debate: str, step: int, reason: str) -> Answer:
    """Close the turn now due with the replies that are there; whoever has none is absent."""
    done = engine.close_turn(find_idle_folder(debate), step, reason)
    return debate_state.answer_with_turn(done)


def _act(
    debate: str, name: str, by: str, parts: Mapping[str, str | None], *, did: str = ""
) -> Answer:
    """Put on record what a person decides about the whole debate; say that it `did` so."""
    action = Act(name, {key: part or "" for key, part in parts.items()}, by)
    return debate_state.answer_with_turn(engine.act(store.find_folder(debate), action), did=did)


def _declare_act(name: str, sentence: str, *options: Any) -> None:
    """Declare the command for what a person decides, with a reason."""

    def decide_so(debate: str, by: str, **parts: str | None) -> Answer:
        return _act(debate, name, by, parts)

    decide_so.__doc__ = sentence
    command(name)(bundle(*options, reason_option, by_option)(decide_so))


_declare_act(
    "decide",
    "Decide a debate that was escalated to a person; the decision goes on record.",
    option("--proposal ID", help="The proposal that is decided for."),
    option("--text TEXT", help="What is decided, if no proposal says it."),
)
_declare_act("escalate", "Hand a debate over to a person, who is to decide it.")
_declare_act("resolve", "Have the votes of a cycle counted, where a person looks at them first.")
_declare_act("cancel", "End a debate without a result.")
why_option = option("--reason TEXT", help="Why; others are shown it.")


@command("pause")
@why_option
@by_option
def pause(debate: str, by: str, reason: str | None) -> Answer:
    """Hold a debate back before its next turn, until 'resume': a run waits, 'next' says so.

    What participants are writing now is still taken.
    """
    return debate_state.answer_with_turn(engine.pause(store.find_folder(debate), by, reason or ""))


@command("stop")
@why_option
@flag_option(
    "--with-closing",
    help="In chairs debates: let the arbiter's closing be the next and last turn instead.",
)
@by_option
def stop(debate: str, by: str, reason: str | None, *, with_closing: bool = False) -> Answer:
    """Stop a debate after this turn: it is held back as by 'pause', and a run that is in it ends.

    Another 'run' goes on from there.
    """
    if with_closing:
        return _act(debate, "close", by, {"reason": reason})
    return debate_state.answer_with_turn(engine.stop(store.find_folder(debate), by, reason or ""))


@command("resume")
@by_option
def resume(debate: str, by: str) -> Answer:
    """Let a debate go on that is paused or stopped."""
    return debate_state.answer_with_turn(engine.resume(store.find_folder(debate), by))


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
    said = (texts.read_word(text) or "").strip()
    position = engine.say(store.find_folder(debate), said, by=by, to=to or "")
    words, role = [word.model_dump() for word in position.header.words], to or "everybody"
    did = f"On record, and in every prompt to {role} from now on: {one_line(said, 200)}"
    return debate_state.answer_with_turn(position, did=did, words=words)


@command("undo")
@of_step(help="Take back all from this step on instead; a repeat is then harmless.")
def undo(debate: str, step: int | None = None) -> Answer:
    """Take the last exchange back; its files move to set-aside, and none is deleted."""
    place = find_idle_folder(debate)
    d = engine.load(place).debate
    last = max((e.round for e in d.entries.values()), default=0)
    made = (e.header.get("made_by", {}) for e in d.entries.values() if e.round == last)
    if step is None and any("file" in each for each in made):
        raise errors.RefusedError(
            "speeches of an imported file would be taken back, and then be due from agents",
            hint=f"Say from which step on: --step {d.step - 1} is the last.",
        )
    position = engine.undo(place, step)
    ids = position.header.undone
    did = f"Taken back: {', '.join(ids)} (now in {place.within(store.SET_ASIDE)})."
    return debate_state.answer_with_turn(position, did=did, taken_back=ids)


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
    if not words:
        position = engine.load(store.find_folder(debate))
        is_asked = isinstance(position.due, Waiting) and "answer" in position.due.acts
        did = "" if is_asked else "No questions are open."
        return debate_state.answer_with_turn(position, did=did)
    given = texts.split_pairs(words, "", 'ID="…"')
    return _act(debate, "answer", by, given, did=f"Answered, on record: {', '.join(given)}.")

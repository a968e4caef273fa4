"""Writes the reference of all commands, `docs/commands.md`, from the program itself.

Run it as `python -m debate_ops.cli.reference`; a test holds the page to what this prints.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from debate_ops import errors
from debate_ops.cli.app import ALWAYS_JSON, cli

PROGRAM = "debate-ops"
_AS_IT_STANDS = "\b\n"
"""What click takes to mean that a paragraph keeps its line breaks."""

EXIT_CODES: Mapping[int, str] = {
    errors.DONE: "done; also where it had been done before (`already_applied`)",
    errors.REFUSED: "refused: a reply or a decision breaks a rule; nothing was changed",
    errors.USAGE: "the command's words are wrong; nothing was changed",
    errors.PARTICIPANT_FAILED: "a participant gave no usable reply, retries included; "
    "everything is kept",
    errors.CONFIGURATION: "something that the command needs is not set up; the message says "
    "what repairs it",
    errors.BAD_RECORD: "files of the debate cannot be read or contradict each other",
    errors.LIMIT_REACHED: "a limit of time or cost was reached; everything is kept "
    "(no command ends so yet)",
    errors.BUSY: "another process is using this debate",
    errors.WAITING_FOR_PERSON: "a person has to do something first; `reason` says why, `acts` "
    "which commands would do (only in the protocols `consensus` and `design`)",
    errors.CHECK_NOT_MET: "a requirement of `check` is not met; `why` says why not",
    errors.BUG: "a bug of the program; nothing is lost",
    errors.DISK: "the disk refused and nothing of the record was changed; or (`unprinted`) the "
    "command has done its work but could not print its answer: look before you repeat it",
    errors.RUN_AGAIN: "replies are still awaited (`submit --wait`), the debate changed meanwhile, "
    "the result is unknown, or it could not be printed: the same command again is safe",
    errors.INTERRUPTED: "interrupted (Ctrl-C); everything written so far is kept",
    errors.TERMINATED: "ended by a signal; everything written so far is kept",
}

ANSWERS: Mapping[str, Mapping[str, str]] = {
    "The state of a debate": {
        "debate": "its name on the command line",
        "protocol": "the name of its rules",
        "current_exchange": "the exchange it is at, from 0; in `formal` the round, in `consensus` "
        "the cycle",
        "current_phase": "what it waits for",
        "step": "how many turns have been committed",
        "cumulative_scores": "by side: `total`, and `count` of scored arguments; empty in a "
        "protocol without scores",
        "request": "what is still to run: `exchanges` asked for; `until`, the `current_exchange` "
        "at which they are complete; `remaining`; null if nothing was asked for",
    },
    "The turn that is due": {
        "state": "`turn`, `waiting` (for a person) or `done`",
        "reason": "why, if it is not a turn",
        "progress": "one line for people",
        "calls_now": "agent calls that this turn still takes",
        "calls_left": "agent calls, at most, until the request is fulfilled or the debate ends by "
        "itself; null where neither is so",
        "tasks": "one object for each task, see below",
        "submit": "the words of the command that commits this turn",
        "deadline": "when the turn may be closed with `advance`; only if it has a time limit",
        "late": "whether that time is over; only beside `deadline`",
        "acts": "the commands with which a person can act; only if `state` is `waiting`",
        "about": "the entries that the person is asked about, such as open questions: `id`, and "
        "`text` in one line; only beside `acts`",
    },
    "Each of `tasks`": {
        "participant": "who is to reply",
        "agent": "the kind of agent to start: `debater` or `judge`",
        "prompt_file": "what it reads",
        "reply_file": "where its reply goes",
        "schema": "the form of the reply, for `schema`",
        "status": "`waiting`, `replied`, `refused`, or `skipped`",
        "attempts": "how many of its replies were refused",
        "on_failure": "what the rules say if it gives no usable reply: `stop`, or `absence`, "
        "with which the debate continues",
        "web_search": "whether it may search the web",
        "repair_file": "what was wrong with the refused reply; only if it is `refused`",
    },
    "What a command did": {
        "success": "whether it did what was asked",
        "already_applied": "whether it had been done before",
        "committed": "the ids of the entries now on record",
        "scores": "of a judgment: score by argument id",
        "rescores": "of a judgment: new score by argument id",
        "judgments": "of other decisions (a ballot, an outcome): what each says in one line, by id",
        "errors": "sentences; empty on success",
        "warnings": "sentences; in `status` and `validate` objects with `code`, `file`, `message`",
        "warning_details": "the same as objects; only if there are any. Of many alike the first "
        "are listed, and the number of the rest",
        "fixed": "`validate`: what was repaired",
        "taken_back": "`undo`: the ids taken back",
        "pending": "`skip`: who is skipped once the other replies of the turn are in",
        "path": "`new`: the new folder",
        "motion": "`new`, `show`: the motion",
        "settings": "`new`: the settings of the debate",
        "next": "`new`, `status`: commands that make sense now",
        "argument_id": "`process-exchange`: an object with `proposition` and `opposition`, each a "
        "list in the opening; `process-judge`: the list of the ids that were scored",
        "score": "`process-judge`: the scores, in the same order",
        "rescored": "`process-judge`: the ids whose score was changed",
        "debates": "`list`: one object for each debate, with `active`: whether it waits for "
        "somebody",
        "arguments": "`show`: one object for each argument",
        "entries": "`show`: one object for each entry of another kind",
        "absences": "`show`, `status`: one object for each absence",
        "requirements": "`check`: by name `is_met`, and `why`",
        "id": "`show ID`: the id",
        "folder": "`show ID`: `arguments` or `judgments`",
        "header": "`show ID`: the header of the file",
        "body": "`show ID`: the text of the file",
        "history": "`show ID`: every score it was given, by which judgment, and why",
        "checks": "`doctor`: one object for each thing looked at",
        "files": "`report`, `demo`: the files of the report",
        "unchanged": "`report`, `demo`: whether nothing had to be rendered again",
        "index": "`report --all`: the page over all debates; `debates` then has for each what "
        "`report` answers",
        "brief_prompt_file": "`report`: what an agent reads to write the brief of the debate; only "
        "while no current one is there",
        "brief_file": "`report`: where its reply goes",
        "format": "`export`, `transcript`: the name of the format",
        "text": "`export`: the debate in that format; only if no file is named",
        "file": "`export`, `transcript`: the file that was written, if one is named",
    },
    "Which arguments survive (`semantics`)": {
        "semantics": "by which; with `help`, every one and what it says",
        "extensions": "all extensions, each a sorted list of ids, and sorted themselves",
        "strengths": "the strength of each argument, from 0 to 1",
        "complete": "false where a bound stopped the answer; not there otherwise",
        "bound": "a sentence that says which bound; only beside `complete`",
        "converged": "false where strengths on cycles did not converge: they are not a result; "
        "not there otherwise",
        "residual": "by how much they still differ from what their neighbours make of them; only "
        "beside `converged`",
        "argument": "with `--argument`: the id",
        "some": "with `--argument`: whether it is in some extension; null if a bound left it open",
        "every": "with `--argument`: whether it is in every one",
        "arguments": "of a debate: `id`, `side`, `score`, `strength`, `stands`, `conceded`, "
        "`title`, strongest first",
        "lead": "of a debate: the strengths of the proposition minus those of the opposition",
        "last_word": "of a debate: how many arguments survive by side and the lead, with the last "
        "exchange and `_before` it",
        "disagreements": "of a debate: the ids about which judge and graph disagree",
        "flipping_attacks": "of a debate: the attacks without which the other side would lead, "
        "with `lead_without`",
        "strongest_attack": "of a debate: the one without which the lead would change most",
    },
    "A refusal": {
        "code": "one stable word, as in the table above",
        "error": "what is wrong, as one sentence",
        "hint": "what to do next",
        "faults": "everything found wrong: `code`, `message`, and where they are known "
        "`participant`, `file`, `where` (a JSON path), `line`, `column`, `found`, `wanted`; of "
        "many alike, and of more than an answer has room for, the first and the number of the rest",
        "repair_prompt_file": "`report --brief`: what an agent reads to repair its reply",
        "fix": "a command that repairs it; only with exit code 4, from the set-up of packages",
    },
}

ENVIRONMENT: Mapping[str, str] = {
    "DEBATE_OPS_NO_SETUP": "if set, missing packages are never set up: the command ends with 4",
    "XDG_CACHE_HOME": "where the packages are set up, if the usual cache folder cannot be used: "
    "what is there is executed, so name a folder of your own, never one in a project of somebody "
    "else's; a relative one is ignored",
    "SOURCE_DATE_EPOCH": "seconds since 1970 that replace the clock, so that the same "
    "input gives the same files",
    "NO_COLOR": "respected: the program uses no colours",
}

_HEAD = f"""\
# Commands

This page is written by `python -m debate_ops.cli.reference` (`make docs`).
Change the program, not the page.

`{PROGRAM}`, `python3 -m debate_ops` and `python3 PATH/debate_ops` are the same program.
The last one needs no installation: PATH is where this project lies.
As every `-m`, the second lets modules in the folder you work in go before all others.
In a folder that somebody else has filled, use one of the other two, `python3 -P -m debate_ops` or
`PYTHONSAFEPATH=1`: they import nothing from there.

Results go to standard output, remarks to standard error.
With `--json` the result is one JSON object, on one line unless a terminal shows it.
{{always_json}} print JSON in any case.
An option may be given once, unless it says that it may be given several times.
To repeat a plain flag changes nothing.
"""


def page() -> str:
    """Return the whole page."""
    named = [f"`{name}`" for name in cli.commands if name in ALWAYS_JSON]
    always = f"{', '.join(named[:-1])} and {named[-1]}"
    parts = [_HEAD.format(always_json=always).rstrip("\n"), *_section(cli, PROGRAM)]
    for name, command in cli.commands.items():
        parts += [f"## {name}", *_section(command, f"{PROGRAM} {name}")]
    return "\n\n".join([*parts, *_exit_codes(), *_answers(), *_environment()]) + "\n"


def _section(command: click.Command, name: str) -> Iterator[str]:
    context = click.Context(command, info_name=name)
    pieces = " ".join(command.collect_usage_pieces(context))
    yield f"```text\n{name} {pieces}\n```"
    for paragraph in inspect.cleandoc(command.help or "").split("\n\n"):
        kept = paragraph.removeprefix(_AS_IT_STANDS)
        yield f"```text\n{kept}\n```" if kept != paragraph else paragraph
    options = [p for p in command.params if isinstance(p, click.Option) and not p.hidden]
    if options:
        yield "\n".join(map(_option, options))


def _option(option: click.Option) -> str:
    words = ", ".join(option.opts)
    value = "" if option.is_flag else f" {option.metavar or _values(option.type)}"
    result = _more(option)
    more = f" ({'; '.join(result)})" if result else ""
    return f"- `{words}{value}`: {(option.help or '').rstrip('.')}{more}."


def _values(kind: click.ParamType[Any]) -> str:
    return "|".join(map(str, kind.choices)) if isinstance(kind, click.Choice) else kind.name.upper()


def _more(option: click.Option) -> list[str]:
    lines = ["required"] if option.required else []
    if isinstance(option.type, click.IntRange | click.FloatRange) and option.type.min is not None:
        lines.append(f"at least {option.type.min:g}")
    if option.show_default:
        lines.append(f"default: {option.default}")
    return lines


def _exit_codes() -> Iterator[str]:
    yield "## Exit codes"
    codes = _error_codes()
    rows = [
        f"| {number} | {', '.join(f'`{word}`' for word in codes.get(number, ()))} | {meaning} |"
        for number, meaning in EXIT_CODES.items()
    ]
    yield "\n".join(["| exit | `code` in JSON | meaning |", "| --- | --- | --- |", *rows])


def _error_codes() -> dict[int, list[str]]:
    found = {errors.BUG: ["bug"]}
    for item in vars(errors).values():
        if isinstance(item, type) and issubclass(item, errors.DebateError):
            words = found.setdefault(item.exit_code, [])
            words += [] if item.code in words else [item.code]
    return found


def _answers() -> Iterator[str]:
    yield "## Answers in JSON"
    yield "What the keys mean; a command prints those that concern it."
    for title, keys in ANSWERS.items():
        yield f"### {title}"
        yield _listed(keys)
    yield (
        "`run --json` prints lines instead: each an object with `seq`, `ts` and `event`. "
        "The last is `done`; with `--reporter` it is `brief`, or another `done` with exit code 3 "
        "where no usable brief was written; the debate is complete all the same."
    )


def _environment() -> Iterator[str]:
    yield "## Environment"
    yield _listed(ENVIRONMENT)


def _listed(result: Mapping[str, str]) -> str:
    return "\n".join(_item(name, meaning) for name, meaning in result.items())


def _item(name: str, meaning: str) -> str:
    return f"- `{name}`: {meaning}."


if __name__ == "__main__":
    sys.stdout.write(page())

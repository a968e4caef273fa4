"""The command `ask`: from a question to a page, in one go."""

from __future__ import annotations

import os
import re
import shlex
import sys
import webbrowser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, config, standing, texts, verdicts
from debate_ops.cli.answers import Answer
from debate_ops.cli.casting import cast_options, choose_cast
from debate_ops.cli.command import command, counted, option
from debate_ops.cli.new import check_piped, framing_options, make_debate
from debate_ops.cli.question import (
    choose_exchanges,
    limit_exchanges,
    propose_protocol,
    propose_slug,
)
from debate_ops.cli.run import answer_with_estimate, estimate, hold_debate
from debate_ops.core.errors import UsageError
from debate_ops.core.texts import one_line
from debate_ops.engine import files, store
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import Folder, suggest_slug
from debate_ops.panels import USUAL
from debate_ops.protocols import PROTOCOLS
from debate_ops.protocols.exchange import SIDES
from debate_ops.report.comparison import name_compared, write_comparison
from debate_ops.report.reading import read_debate
from debate_ops.run.cast import KINDS
from debate_ops.run.providers import find_repliers

_MOST_OF_A_SLUG, _SHORT = 35, 20


@command("ask")
@click.argument("question", required=False)
@option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    help="The rules of the debate; if not given, those that fit the form of the question.",
)
@option("--motion TEXT", help="What is debated; the question itself if not given.")
@option("--slug NAME", help="The name of its folder; else made of the question.")
@counted(
    "--exchanges N",
    help=f"How many exchanges after the opening; {config.USUAL_EXCHANGES} if none is set. Where "
    "the protocol has an end of its own (design, chairs, consensus): how many at most.",
)
@framing_options
@cast_options
@option(
    "--compare SPEC,SPEC",
    help="Hold it once with each of these for everybody that no other option names, and show the "
    "answers side by side on one page.",
)
@option("-y, --yes", help="Ask me nothing: what is missing is an error.")
@option(
    "--open/--no-open",
    default=None,
    help="Open the page in the browser, or not; in a terminal it is opened.",
)
def ask(  # noqa: C901, PLR0913  (what the command line gives)
    question: str | None,
    *,
    protocol: str | None,
    motion: str | None,
    slug: str | None,
    exchanges: int | None,
    compare: str | None,
    yes: bool,
    open_: bool | None,
    as_json: bool,
    **options: Any,
) -> Answer:
    """Have a question debated, and open the page with the answer.

    In a terminal it asks who replies and whether to begin; with --yes, or in a script, every answer
    is an option. The same command again continues what was interrupted, and with more --exchanges
    holds what is lacking; what differs from the record, such as an edited context, is refused.

    \b
    debate-ops ask "Should we move our database before the season?" --context facts.md
    debate-ops ask "How do we cache pages?" --all cmd:"claude -p" --yes
    debate-ops ask "Should we hire?" --compare anthropic:MODEL,openai:MODEL --max-cost 3
    """
    if slug is not None:
        store.check_slug(slug)
    is_guided = not (yes or as_json) and answers.can_ask()
    check_piped({"question": question, "motion": motion, "settings": options["settings"]})
    question, motion = texts.read_word(question), texts.read_word(motion)
    question = one_line(question or motion or "").strip()
    if not question:
        hint = "As in: ask \"Should we …?\", or 'ask -', which reads it from standard input."
        raise UsageError("a question is required", hint=hint)
    slug, specs = slug or propose_slug(question), _split_specs(compare) if compare else [""]
    places = [_find_place(slug, spec) for spec in specs]
    framing = options | {"question": question, "protocol": protocol, "motion": motion}
    framing["motion_file"] = None
    lacks_panel = options["panel"] and not any(w.startswith("panel=") for w in options["set_"])
    framing["set_"] = (*options["set_"], *[f"panel={USUAL}"] * bool(lacks_panel))
    there = {p.slug: engine.load(p) for p in places if os.path.lexists(p.debate_file)}
    is_done = len(there) == len(places) and all(_is_done(at, exchanges) for at in there.values())
    if not (compare or is_done or _names_somebody(options)):
        options["all_"] = _choose_replier(is_guided=is_guided)
    given = [options | {"all_": spec or options["all_"]} for spec in specs]
    casts = [choose_cast(own) for own in given]
    positions, made = _create(places, there, framing, exchanges)
    runs = [
        (at.folder, choose_exchanges(at, exchanges), who)
        for at, who in zip(positions, casts, strict=True)
    ]
    pairs = zip(runs, positions, strict=True)
    left = [run for run, at in pairs if run[1] or not standing.is_done(at)]
    plan = answer_with_estimate([estimate(*run) for run in left])
    remarks = [*_describe_plan(positions, plan.lines[0] if left else "")]
    if is_done:
        remarks.append("It is complete, and nobody is asked again; another debate: --slug NAME")
    answers.remark(*([] if options["quiet"] else remarks))
    if options["dry_run"]:
        for place in made:
            store.remove_folder(place)
        return plan
    if left and is_guided and not _confirm(made):
        return Answer(None, ["Nobody was asked."])
    opens = sys.stdout.isatty() if open_ is None else open_
    for run, own in zip(runs, given, strict=True):
        own["open_"] = opens and not compare
        held = hold_debate(*run, own, as_json=as_json, question=question)
        if held.code:
            return held
    if compare:
        return _compare(places, specs, question, slug, opens=opens)
    reading = read_debate(engine.load(places[0]))
    answers.remark(f"Answer: {reading.answer}   (how sure: {reading.sureness})", *reading.notes)
    return held


def _describe_plan(positions: Sequence[engine.Position], plan: str) -> Iterator[str]:
    """Yield what is to come, if anything is, and who takes part."""
    where, first = ", ".join(at.folder.path for at in positions), positions[0]
    if plan:
        rules = f"by the protocol {first.protocol.name}"
        yield f"To come: {plan}   ({where}, {rules}; another: --protocol NAME)"
        if not first.debate.step and (names := first.debate.settings.names):
            yield f"Who takes part: {', '.join(names)}   (others: --participants LIST)"
        d = first.debate
        if not (d.step or d.documents or d.papers or d.settings.cited_folder):
            yield "Facts: none   (a file or folder of them: --context PATH)"


def _choose(what: str, proposed: str = "") -> str:
    """Return what a person types, or what is proposed."""
    shown = f" [{proposed}]" if proposed else ""
    return answers.ask_person(f"{what}{shown}").strip() or proposed


def _find_place(slug: str, spec: str) -> Folder:
    """Return where a question is debated, or is by one of those who are compared."""
    who = spec if len(spec) <= _SHORT else f"{suggest_slug(spec, _SHORT)} {digest_text(spec)[:4]}"
    name = suggest_slug(f"{suggest_slug(slug, _MOST_OF_A_SLUG)} {who}") if spec else slug
    return Folder(os.path.join(store.DEBATES, name))


def _split_specs(compare: str) -> list[str]:
    """Return the SPECs of a list; a comma within one begins no other.

    >>> _split_specs("cmd:a --with b,c,openai:m")
    ['cmd:a --with b,c', 'openai:m']
    """
    specs = re.split(rf",(?=(?:{'|'.join(map(re.escape, KINDS))}):)", compare)
    if len(specs) == 1 or len({*specs}) < len(specs):
        raise UsageError(
            f"--compare {compare} names no two that differ",
            hint="Expected: --compare SPEC,SPEC, as in anthropic:MODEL,openai:MODEL.",
        )
    return specs


def _is_done(position: engine.Position, exchanges: int | None) -> bool:
    """Tell whether a debate is complete and has its memo: nobody has to reply any more."""
    return (
        standing.is_done(position)
        and not choose_exchanges(position, exchanges)
        and "memo" not in standing.list_lacking(position)
    )


def _names_somebody(options: Mapping[str, Any]) -> bool:
    """Tell whether an option or the configuration says who replies."""
    set_ = config.read_specs().keys()
    named = options["all_"] or options["debaters"] or (options["prop"] and options["opp"])
    return bool(named or set_ & {"all", "debater"} or set_ >= {*SIDES})


def _choose_replier(*, is_guided: bool) -> str:
    """Return the SPEC of whom a person chooses to reply for all.

    Raises:
        UsageError: nobody can be asked.
    """
    found = find_repliers()
    listed = [f"{each.what}: {shlex.quote(each.spec)}" for each in found]
    if not is_guided:
        raise UsageError(
            "nobody is named who replies",
            hint=f"Name one with --all SPEC, or once with 'config set all SPEC'. Found here: "
            f"{'; '.join(listed)}.",
        )
    for number, line in enumerate(listed, 1):
        answers.remark(f"{number:3}  {line}")
    specs = {str(number): each.spec for number, each in enumerate(found, 1)}
    answers.remark(
        "Or somebody else, as a SPEC: cmd:PROGRAM ARGS, as in cmd:claude -p (it reads a prompt and "
        "prints its reply); PROVIDER:MODEL, as in openai:gpt-5; person:NAME; replay:DEBATE"
    )
    word = _choose("Who replies? A number, or a SPEC", "1")
    spec = specs.get(word, word)
    keep = f"{answers.name_invocation()} config set all {shlex.quote(spec)}"
    answers.remark(f"To keep it:  {keep}")
    return spec


def _create(
    places: Sequence[Folder],
    there: Mapping[str, engine.Position],
    framing: Mapping[str, Any],
    exchanges: int | None,
) -> tuple[list[engine.Position], list[Folder]]:
    """Make debates on a question that are not `there` yet; return all, and which are new."""
    positions, made = list[engine.Position](), list[Folder]()
    for place in places:
        before = there.get(place.slug)
        proposed = framing["protocol"] or propose_protocol(framing["question"])
        rules = before.protocol.name if before else proposed
        said = {**framing, "set_": (*framing["set_"], *limit_exchanges(rules, exchanges))}
        position, warnings, is_new = make_debate(place.slug, said)
        positions.append(position)
        made += [position.folder] * is_new
        answers.remark(*answers.label("warning", answers.list_sentences(warnings)))
    return positions, made


def _confirm(made: Sequence[Folder]) -> bool:
    """Tell whether a debate is to begin; if not, and at Ctrl-C, what was made of it is removed."""
    begins = False
    try:
        begins = _choose("Begin?", "yes").lower() in {"y", "yes"}
    finally:
        for place in [] if begins else made:
            store.remove_folder(place)
    return begins


def _compare(
    places: Sequence[Folder], specs: Sequence[str], question: str, slug: str, *, opens: bool
) -> Answer:
    """Return the answers side by side, and write them on a page."""
    readings = [read_debate(engine.load(place)) for place in places]
    page = os.path.join(store.DEBATES, f"{slug}-compared.html")
    files.write_durable(page, write_comparison(question, readings, specs))
    if opens:
        webbrowser.open(Path(page).resolve().as_uri())
    lines = [
        f"{name}: {reading.answer}   (how sure: {reading.sureness})"
        for name, reading in zip(name_compared(specs), readings, strict=True)
    ]
    compared = verdicts.compare([place.name for place in places]).data or {}
    data = {"question": question, **compared, "page": page}
    return Answer(data, [*lines, f"Open:  {page}   (in any browser)"])

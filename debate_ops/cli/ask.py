"""The command `ask`: from a question to a page, in one go."""

import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import compress
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, config, debate_state, texts, verdicts
from debate_ops.cli.answers import Answer
from debate_ops.cli.cast_options import ANYBODY, cast_options, choose_cast
from debate_ops.cli.command import command, flag_option, number_option, option
from debate_ops.cli.new import choose_exchanges, framing_options, make_debate, propose_slug
from debate_ops.cli.report import show_page
from debate_ops.cli.run import answer_with_estimate, estimate, hold_debate
from debate_ops.core.errors import UsageError
from debate_ops.core.texts import one_line
from debate_ops.engine import files, store
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import Folder, suggest_slug
from debate_ops.panels import USUAL
from debate_ops.protocols.exchange import SIDES
from debate_ops.report.comparison import add_letters, write_comparison
from debate_ops.report.reading import read_debate
from debate_ops.run.cast import KINDS, find_unable, name_spec
from debate_ops.run.clients import FOR_A_MODEL, find_repliers

_MOST_OF_A_SLUG, _SHORT = 35, 20


@command("ask")
@click.argument("question", required=False)
@option("--slug NAME", help="The name of its folder; else made of the question.")
@number_option(
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
@flag_option("-y, --yes", help="Ask me nothing: what is missing is an error.")
@flag_option(
    "--open/--no-open", "open_", default=None, help="Open the page, or not; in a terminal it is."
)
def ask(  # noqa: C901, PLR0913  (what the command line gives)
    question: str | None,
    *,
    slug: str | None,
    exchanges: int | None,
    compare: str | None,
    yes: bool,
    open_: bool | None,
    as_json: bool,
    **options: Any,
) -> Answer:
    """Have a question debated, and open the page with the answer.

    In a terminal it asks you who replies, and whether to begin; with --yes or in a script it asks
    nothing. SPEC is who replies: 'doctor' lists who can here, and 'run --help' all there are.

    The same command again continues what was interrupted, and with more --exchanges adds the rest.
    What differs from the record, such as an edited context, is refused.

    \b
    debate-ops ask "Should we move our database before the season?" --context facts.md
    debate-ops ask "How do we cache pages?" --all cmd:"claude -p" --yes
    debate-ops ask "Should we hire?" --compare anthropic:MODEL,openai:MODEL --max-cost 3
    """
    if slug is not None:
        store.check_slug(slug)
    is_guided = not (yes or as_json) and answers.can_ask()
    motion = texts.read_word(options["motion"])
    question = one_line(texts.read_word(question) or motion or "").strip()
    if not question:
        hint = "As in: ask \"Should we …?\", or 'ask -', which reads it from standard input."
        raise UsageError("a question is required", hint=hint)
    slug, specs = slug or propose_slug(question), _split_specs(compare) if compare else []
    names = _name_compared(specs) or [""]
    framing = options | {"question": question, "motion": motion, "exchanges": exchanges}
    if options["panel"] and not any(word.startswith("panel=") for word in options["set_"]):
        framing["set_"] = (*options["set_"], f"panel={USUAL}")
    positions = list[engine.Position]()
    with ExitStack() as made:  # it is removed again, unless the debate begins
        for name in names:
            position, warnings, is_new = make_debate(_name_place(slug, name), framing)
            if is_new:
                made.callback(engine.remove_new, position)
            positions.append(position)
            answers.remark(*answers.label("warning", answers.list_sentences(warnings)))
        numbers = [choose_exchanges(at, exchanges) for at in positions]
        left = map(debate_state.list_left, positions, numbers)
        is_left = [not each.isdisjoint({"turns", "memo"}) for each in left]
        if any(is_left) and not (compare or _names_somebody(options)):
            is_open = options["dry_run"] and not is_guided
            options["all"] = ANYBODY if is_open else _choose_replier(is_guided=is_guided)
        named = specs if compare else [options["all"]]
        casts = [choose_cast(options | {"all": spec}) for spec in named]
        runs = [*zip([at.folder for at in positions], numbers, casts, strict=True)]
        plan = answer_with_estimate([estimate(*run) for run in compress(runs, is_left)])
        lines = [*_describe_debates(positions, exchanges, is_left=any(is_left))]
        lines += [f"To come: {plan.lines[0]}"] * (any(is_left) and not options["dry_run"])
        answers.remark(*(() if options["quiet"] else lines))
        if options["dry_run"]:
            return plan
        if any(is_left) and is_guided:
            typed = answers.ask_person("Begin? [yes]").strip().lower()
            if typed not in {"", "y", "yes"}:
                return Answer(None, ["Nobody was asked."])
        made.pop_all()
    opens = sys.stdout.isatty() if open_ is None else open_
    options["open_"] = opens and not compare
    for run in runs:
        held = hold_debate(*run, options, as_json=as_json, question=question)
        if held.code or not compare:
            return held
        answers.remark(*(() if options["quiet"] or as_json else held.lines))
    return _compare([at.folder for at in positions], names, question, slug, opens=opens)


def _describe_debates(
    positions: Sequence[engine.Position], exchanges: int | None, *, is_left: bool
) -> Iterator[str]:
    """Yield where debates are, by which protocol, and who takes part, if anything is left."""
    if not is_left:
        yield "It is complete, and nobody is asked again; another debate: --slug NAME"
        return
    where, first = ", ".join(at.folder.path for at in positions), positions[0]
    yield f"Protocol: {first.protocol.name}, in {where}   (another: --protocol NAME)"
    if names := first.debate.settings.names:
        yield f"Who takes part: {', '.join(names)}   (others: --participants LIST)"
    d, request = first.debate, first.header.request
    if exchanges and request and exchanges < request.until - 1 and not first.has_end:
        yield f"Exchanges: {request.until - 1}, as was asked for before   (fewer: --slug NAME)"
    if not (d.documents or d.papers or d.settings.cited_folder):
        yield "Facts: none   (give them with --context FILE)"


def _name_compared(specs: Sequence[str]) -> list[str]:
    """Return a name for each of these SPECs, with a number where an earlier one has the same."""
    names = [*map(name_spec, specs)]
    numbers = [names[: place + 1].count(name) for place, name in enumerate(names)]
    return [f"{name} {n}" if n > 1 else name for name, n in zip(names, numbers, strict=True)]


def _name_place(slug: str, name: str) -> str:
    """Return the name of a question's debate, or of that by one of those who are compared."""
    who = name if len(name) <= _SHORT else f"{suggest_slug(name, _SHORT)} {digest_text(name)[:4]}"
    return suggest_slug(f"{suggest_slug(slug, _MOST_OF_A_SLUG)} {who}") if name else slug


def _split_specs(compare: str) -> list[str]:
    """Return the SPECs of a list; a comma within one begins no other.

    >>> _split_specs("cmd:a --with b,c , openai:m")
    ['cmd:a --with b,c', 'openai:m']
    """
    specs = re.split(rf"\s*,\s*(?=(?:{'|'.join(KINDS)}):)", compare.strip())
    if len(specs) == 1 or len({*specs}) < len(specs):
        raise UsageError(
            "--compare names no two that differ",
            hint="Expected: --compare SPEC,SPEC, as in anthropic:MODEL,openai:MODEL.",
        )
    return specs


def _names_somebody(options: Mapping[str, Any]) -> bool:
    """Tell whether an option or the configuration says who replies."""
    set_ = config.read_specs().keys()
    named = options["all"] or options["debaters"] or (options["prop"] and options["opp"])
    return bool(named or set_ & {"all", "debater"} or set_ >= {*SIDES})


def _choose_replier(*, is_guided: bool) -> str:
    """Return the SPEC of whom a person chooses to reply for all; an error if none can be asked."""
    found = find_repliers()
    listed = [f"{each.what}: {shlex.quote(each.spec)}" for each in found]
    more = [FOR_A_MODEL] * (len(found) == 1)
    if not is_guided:
        ways = "Say who: with --all SPEC, or once for all with 'config set all SPEC'. Found here: "
        hint = " ".join([f"{ways}{'; '.join(listed)}.", *more])
        raise UsageError("nobody is named who replies", hint=hint)
    answers.remark(*(f"{number:3}  {line}" for number, line in enumerate(listed, 1)), *more)
    answers.remark("Or type another: cmd:PROGRAM ARGS, PROVIDER:MODEL, person:NAME, replay:DEBATE")
    specs = {str(number): each.spec for number, each in enumerate(found, 1)}
    while True:
        word = answers.ask_person("Who replies? A number, or another [1]").strip() or "1"
        spec, program = specs.get(word, word), answers.name_invocation()
        if not (unable := find_unable({"all": spec})):
            answers.remark(f"To keep it:  {program} config set all {shlex.quote(spec)}")
            return spec
        answers.remark_error(unable["all"])


def _compare(
    places: Sequence[Folder], names: Sequence[str], question: str, slug: str, *, opens: bool
) -> Answer:
    """Return the answers side by side, and write them on a page."""
    readings = [read_debate(engine.load(place)) for place in places]
    page = os.path.join(store.DEBATES, f"{slug}-compared.html")
    files.write_durable(page, write_comparison(question, readings, names))
    lines = [
        f"{name}: {debate_state.write_answer(reading.answer, reading.sureness)}"
        for name, reading in zip(add_letters(names), readings, strict=True)
    ]
    compared = verdicts.compare([place.name for place in places]).data or {}
    data = {"question": question, **compared, "page": page}
    return Answer(data, [*lines, show_page(page, opens=opens)])

"""The command `new`: a debate from what the command line says of it."""

from __future__ import annotations

import errno
import os
import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, settings_file, standing, texts
from debate_ops.cli import question as questions
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import bundle, command, option, several
from debate_ops.cli.config import find_value, read_config
from debate_ops.core.errors import UsageError
from debate_ops.core.settings import check_settings, describe_settings
from debate_ops.core.texts import is_blank, one_line
from debate_ops.core.values import Fault
from debate_ops.engine import Framing, store
from debate_ops.engine.prompts import OWN_TEMPLATES, find_skill_folder
from debate_ops.engine.store import SLUG_RULE, is_slug
from debate_ops.protocols import PROTOCOLS, load_protocol

TERM = '"Term=what it means here"'
framing_options = bundle(
    several("--definition TERM=TEXT", help="What a term means (repeatable)."),
    option("--scope TEXT", help="What the debate is about, and what not."),
    several(
        "--context PATH",
        help="A text that every participant is given, or a folder of texts (repeatable).",
    ),
    several(
        "--context-for NAME=PATH",
        help="Texts that one participant alone is given until the debate ends (repeatable).",
    ),
    option(
        "--library FOLDER",
        "cited_folder",
        help="Files too large for a prompt, which debaters search, cite and quote.",
    ),
    option(
        "--participants LIST",
        help="Who takes part, where the protocol does not say: such as ann,ben:expert,cara.",
    ),
    option(
        "--agents LIST",
        help="In design debates: which participants of the settings file take part, by name or"
        " role; without one, their roles.",
    ),
    option(
        "--web-search",
        type=click.Choice(["allowed", "forbidden"]),
        help="Whether debaters may search the web for evidence.",
    ),
    option(
        "--word-limits POLICY",
        help="What a text over its word limit does: warn, reject or, in formal debates, cut.",
    ),
    option("--language NAME", help="The language of the debate; the motion's own if not given."),
    several("--set NAME=VALUE", help="Any setting of the protocol (repeatable)."),
    option(
        "--settings FILE",
        help="Settings from a file, TOML or JSON, or '-' for standard input; options given "
        "beside it take precedence.",
    ),
    option(
        "--allow-files-outside",
        help="Let the settings file name files outside of its own folder, or behind links.",
    ),
)
"""What is said of a new debate beside its name, its motion and its protocol."""


@command("new")
@click.argument("slug", required=False)
@option(
    "--motion TEXT", help="What is debated, kept word for word; '-' reads it from standard input."
)
@option("--motion-file FILE", help="Read the motion from a file.")
@option(
    "--question TEXT",
    help="The question to be answered, or '-'. Where SLUG, motion or protocol are not given, they "
    "follow from it; a debate on it that is there is not made again.",
)
@option(
    "--protocol",
    type=click.Choice(list(PROTOCOLS)),
    help="The rules of the debate; exchange, if nothing else is set.",
)
@framing_options
def new(slug: str | None, **options: Any) -> Answer:
    """Create a debate in debates/SLUG.

    \b
    debate-ops new --question "Should we move our database before the season?" --context facts.md
    debate-ops new pricing --motion "This house would move to usage-based pricing" \\
        --definition "usage-based=billed by metered calls" --scope "existing customers" \\
        --context facts.md --web-search forbidden
    debate-ops new storage --protocol consensus --motion "Which database do we use?" \\
        --participants ann,ben:expert,cara:architect,dan --set max_cycles=2
    debate-ops new caching --protocol design --motion "How do we cache product pages?" \\
        --settings team.toml --agents architect,security --context src/pages
    """
    position, warnings, is_new = make_debate(slug, options)
    result: dict[str, Any] = {
        "success": True,
        "already_applied": not is_new,
        "path": position.folder.path,
        "motion": position.debate.motion,
        **answers.list_remarks(warnings),
        **standing.describe_state(position),
        "settings": position.debate.settings.model_dump(),
        "exchanges": questions.choose_exchanges(position),
        "to_come": standing.describe_work_left(position),
        "next": standing.suggest_commands(position),
    }
    lines = [
        f"{result['path']} {'created' if is_new else 'is there'}.",
        f"To come: {result['to_come']}",
        *answers.write_next(result["next"]),
        f"   or  /debate-run {result['debate']}   in your agent client",
    ]
    if getattr(position.debate.settings, "phase_seconds", 1) == 0:
        lines.append(
            "A phase waits until all have replied; with --set phase_seconds=3600 it may be closed "
            "without what is missing after an hour."
        )
    return Answer(result, [*lines, *answers.label("warning", result["warnings"])])


def make_debate(
    slug: str | None, options: Mapping[str, Any]
) -> tuple[engine.Position, Sequence[Fault], bool]:
    """Return a debate, what to warn of, and whether it is new or was there on the same question."""
    question, protocol = options["question"], options["protocol"]
    motion, motion_file = options["motion"], options["motion_file"]
    given = {"question": question, "motion": motion, "motion-file": motion_file}
    check_piped(given | {"settings": options["settings"]})
    notes = list[str]()
    if question is not None:
        question = one_line(texts.read_word(question) or "").strip()
        slug = slug or questions.propose_slug(question)
        if position := questions.find_debate(slug, question):
            _refuse_changes(position, protocol, motion, options)
            return position, position.warnings, False
        protocol = protocol or questions.propose_protocol(question)
        motion = motion or (None if motion_file else question)
    protocol = protocol or str(find_value("protocol") or "exchange")
    if slug is None or not is_slug(slug):
        what = "a slug is required" if slug is None else f"{slug!r} is not a slug"
        raise UsageError(
            f"{what}: {SLUG_RULE}",
            hint="As in 'new my-decision --motion TEXT'; 'new --question TEXT' makes one.",
        )
    store.plan_folder(slug)
    motion = _read_motion(motion, motion_file)
    settings = _plan_settings(protocol, options, has_question=question is not None)
    framing, left_out = _read_framing(options)
    framing = framing._replace(motion=motion)
    if question is not None and motion != question:
        scope = "\n\n".join(filter(None, [framing.scope, questions.ASKED.format(question)]))
        framing = framing._replace(scope=scope)
    try:
        position = engine.create(slug, framing, protocol=protocol, settings=settings.values)
    except UsageError as error:
        raise settings.place(error) from None
    if own := ", ".join(_list_own_templates(protocol)):
        notes.append(f"prompts are made from templates of yours in {OWN_TEMPLATES}: {own}")
    remarks = (Fault("", note, is_warning=True) for note in [*settings.notes, *notes])
    return position, [*left_out, *remarks, *position.warnings], True


def check_piped(given: Mapping[str, str | None]) -> None:
    """Check that no two options are to be read from standard input."""
    piped = [f"--{name}" for name, word in given.items() if word == texts.STANDARD_INPUT]
    if len(piped) > 1:
        raise UsageError(
            f"{' and '.join(piped)} cannot both be read from standard input",
            hint="Name a file for one, with --motion-file or --settings.",
        )


def _list_own_templates(protocol: str) -> list[str]:
    """Return the user's templates that differ from the program's; in a clone they are the same."""
    place = Path(OWN_TEMPLATES, protocol)
    ours = {path.name: path.read_bytes() for path in (find_skill_folder() / place).glob("*.md")}
    changed = (p for p in place.glob("*.md") if ours.get(p.name) != p.read_bytes())
    return sorted(f"{protocol}/{path.name}" for path in changed)


def _refuse_changes(
    position: engine.Position, protocol: str | None, motion: str | None, options: Mapping[str, Any]
) -> None:
    """Refuse what is said of a debate and differs from its record; what is not given does not."""
    d, rules, before = position.debate, position.protocol, position.debate.settings.model_dump()
    settings, (framing, _) = _read_settings(rules.name, options), _read_framing(options)
    now = check_settings(rules.Settings, before | settings.values).model_dump()
    names = rules.other_names(d.settings)
    scope = d.scope.rpartition(questions.ASKED.partition("{")[0])[0] or d.scope
    said = {
        "protocol": (protocol, rules.name),
        "motion": (motion, d.motion),
        "definitions": (framing.definitions, d.definitions),
        "scope": (framing.scope.strip(), scope.strip()),
        "context": (framing.context, d.documents),
        "context-for": (tuple((names.get(o, o), *paper) for o, *paper in framing.papers), d.papers),
    }
    changed = [name for name, (given, there) in said.items() if given and given != there]
    changed += [name for name in settings.values if now[name] != before[name]]
    if changed:
        anew = "" if d.entries else f" Or remove {position.folder.path}, to begin anew."
        raise UsageError(
            f"given now, but not as on record in {position.folder.path}: {', '.join(changed)}",
            hint="Leave out what differs to go on. Another debate needs another name: "
            f"'ask --slug NAME', or 'new NAME --question'.{anew}",
        )


@command("settings")
@click.argument("protocol", type=click.Choice(list(PROTOCOLS)))
def list_settings(protocol: str) -> Answer:
    """List the settings of a protocol: what each means, its default, and what it can be.

    One is given with 'new --set NAME=VALUE', or in a file with 'new --settings FILE'.
    """
    rows = [*describe_settings(load_protocol(protocol).Settings)]
    wrap = partial(textwrap.wrap, width=96, initial_indent="    ", subsequent_indent="    ")
    lines = []
    for row in rows:
        lines.append(f"{row['name']} = {one_line(answers.write_json(row['default']), 200)}")
        lines += [*wrap(row["meaning"]), *wrap(f"Values: {row['values']}" if row["values"] else "")]
    return Answer({"success": True, "protocol": protocol, "settings": rows}, lines)


def _plan_settings(
    protocol: str, options: Mapping[str, Any], *, has_question: bool
) -> settings_file.Settings:
    """Return the settings of a new debate, checked: as given, as set, as usual on a question."""
    settings = _read_settings(protocol, options).add_usual(read_config())
    if has_question and not options["settings"]:
        usual = questions.USUAL_SETTINGS.get(protocol, {})
        settings = settings._replace(values=usual | settings.values)
    settings.check(load_protocol(protocol).Settings)
    return settings


def _read_settings(protocol: str, options: Mapping[str, Any]) -> settings_file.Settings:
    """Return the settings of a debate; options and single ones go before those of the file."""
    single = settings_file.split_settings(options["set_"])
    names = ("cited_folder", "participants", "web_search", "word_limits", "language")
    named = {name: options[name] for name in names if options[name] is not None}
    if twice := sorted(single.keys() & named.keys()):
        raise UsageError(f"{', '.join(twice)} is given twice: as an option and with --set")
    typed = single | named
    if folder := typed.get("cited_folder"):
        if not os.path.isdir(folder):
            why = os.strerror(errno.ENOTDIR if os.path.lexists(folder) else errno.ENOENT)
            raise UsageError(f"{folder}: {why}", hint="Name with --library a folder that is there.")
        typed["cited_folder"] = os.path.relpath(folder)
    known = load_protocol(protocol).Settings.model_fields
    anywhere = options["allow_files_outside"]
    combined = settings_file.combine_settings(options["settings"], typed, known, anywhere=anywhere)
    if options["agents"] is not None:
        settings_file.pick_agents(combined, options["agents"])
    return combined


def _read_framing(options: Mapping[str, Any]) -> tuple[Framing, list[Fault]]:
    """Return what is said of a debate but its motion, and what was left out."""
    said = texts.split_pairs(options["definition"], "--definition ", TERM)
    if blank := [term for term, meaning in said.items() if is_blank(meaning)]:
        raise UsageError(f"{blank[0]!r} has no definition", hint=f"Write --definition {TERM}.")
    definitions = tuple((term, meaning.strip()) for term, meaning in said.items())
    read, left_out = texts.read_context(options["context"])
    papers, ignored = list[tuple[str, str, str]](), [*left_out]
    for word in options["context_for"]:
        owner, _, path = word.partition("=")
        if not path:
            hint = "Write --context-for NAME=PATH, NAME being who is given it."
            raise UsageError(f"--context-for {word} names no file", hint=hint)
        own, left_out = texts.read_context([path])
        papers += [(owner.strip(), name, text) for name, text in own.items()]
        ignored += left_out
    scope = options["scope"] or ""
    return Framing("", definitions, scope, tuple(read.items()), tuple(papers)), ignored


def _read_motion(motion: str | None, motion_file: str | None) -> str:
    if motion is not None and motion_file is not None:
        raise UsageError("--motion and --motion-file exclude each other")
    if motion_file is not None or motion == texts.STANDARD_INPUT:
        motion = texts.read_text(motion_file or texts.STANDARD_INPUT).strip("\r\n")
    if motion is None or is_blank(motion):
        raise UsageError(
            "a motion is required" if motion is None else "the motion is blank",
            hint='Give it with --motion "This house would ...", or --motion - for standard input.',
        )
    return motion

"""The command `new`: a debate from what the command line says of it, or from a question."""

import errno
import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, debate_state, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import bundle, command, flag_option, option, several
from debate_ops.cli.config import find_usual_exchanges, find_value, read_config
from debate_ops.cli.texts import Settings
from debate_ops.core.errors import UsageError
from debate_ops.core.settings import check_settings, describe_settings
from debate_ops.core.texts import is_blank, one_line
from debate_ops.core.values import Fault
from debate_ops.engine import Framing, store
from debate_ops.engine.headers import digest_text
from debate_ops.engine.prompts import OWN_TEMPLATES, find_skill_folder
from debate_ops.engine.store import Folder, suggest_slug
from debate_ops.protocols import PROTOCOLS, load_protocol

USUAL_SETTINGS: dict[str, dict[str, Any]] = {
    "consensus": {
        "participants": [
            {"name": "customer", "perspective": "You stand for those whom the decision is for."},
            {"name": "builder", "perspective": "You would carry it out, and know what that takes."},
            {"name": "sceptic", "perspective": "You look for what could go wrong, or is assumed."},
        ]
    },
    "design": {"participants": "architect,security,testing"},
    "chairs": {"participants": "utilitarian,virtue_ethics"},
    "formal": {"judge": "one"},
    "speeches": {"participants": "proposition:yes,opposition:no", "judge": "one"},
}
"""Settings of a debate on a question, where nobody says otherwise."""
ASKED = 'The question that was asked: "{}"'
"""How a question stands in the scope of a debate on another motion."""
_FORMS = {
    r"how (do|should|can|could|would|might|to)|design": "design",
    r"which|what|who|when|where|how": "consensus",
    r"is (it|this|that) (un|im)?(ethical|moral|fair)": "chairs",
}
"""What a question begins with and the protocol for it; all else is argued for and against."""
_BEGINNING = r"^(should|shall|must|can|do|is|are|how|which|what)( (should|do|can|we|i|it|to|of))* "
_SLUG_WORDS, _SHORT_SLUG = 6, 2
TERM = '"Term=what it means here"'
framing_options = bundle(
    option("--motion TEXT", help="What is debated, word for word; '-' reads standard input."),
    option(
        "--protocol",
        type=click.Choice([*PROTOCOLS]),
        help="The rules of the debate; else those that are set, or fit the form of the question.",
    ),
    several("--definition TERM=TEXT", help="What a term means."),
    option("--scope TEXT", help="What the debate is about, and what not."),
    several("--context PATH", help="A text for all participants, or a folder of them."),
    several("--context-for NAME=PATH", help="Texts that one alone is given."),
    option(
        "--library FOLDER",
        "cited_folder",
        help="Files too large for a prompt, which debaters search, cite and quote.",
    ),
    option("--participants LIST", help="Who takes part, such as ann,ben:expert,cara."),
    option(
        "--agents LIST",
        help="In design debates: which participants of the settings file take part, by name or"
        " role; without one, their roles.",
    ),
    several(
        "--set NAME=VALUE", "set_", help="Any setting of the protocol, such as language=German."
    ),
    option("--settings FILE", help="A file of settings, TOML or JSON, or '-'; options precede it."),
    flag_option(
        "--allow-files-outside", help="Let it name files outside of its folder, or by links."
    ),
)
"""What is said of a new debate beside its name."""


@command("new")
@click.argument("slug", required=False)
@option("--motion-file FILE", help="Read the motion from a file.")
@option(
    "--question TEXT",
    help="The question to be answered, or '-'. Where SLUG, motion or protocol are not given, they "
    "follow from it; a debate on it that is there is not made again.",
)
@framing_options
def new(slug: str | None, **options: Any) -> Answer:
    """Create a debate in debates/SLUG.

    \b
    debate-ops new --question "Should we move our database before the season?" --context facts.md
    debate-ops new pricing --motion "We should bill by use" --definition "use=metered calls"
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
        **debate_state.describe_state(position),
        "settings": position.debate.settings.model_dump(),
        "exchanges": choose_exchanges(position),
        "to_come": debate_state.describe_work_left(position),
    }
    lines = [
        f"{result['path']} {'created' if is_new else 'is there'}.",
        f"To come: {result['to_come']}",
        f"In an agent client:  /debate-run {result['debate']}",
    ]
    if getattr(position.debate.settings, "phase_seconds", 1) == 0:
        lines.append(
            "A phase waits until all have replied; with --set phase_seconds=3600 it may be closed "
            "without what is missing after an hour."
        )
    return Answer(result, lines, next=debate_state.suggest_commands(position))


def make_debate(
    slug: str | None, options: Mapping[str, Any]
) -> tuple[engine.Position, Sequence[Fault], bool]:
    """Return a debate, what to warn of, and whether it is new or was there on the same question."""
    question, protocol = options["question"], options["protocol"]
    motion, motion_file, there = options["motion"], options.get("motion_file"), None
    if question is not None:
        question = one_line(texts.read_word(question) or "").strip()
        slug = slug or propose_slug(question)
        there = _find_debate(slug, question)
        protocol = protocol or (there.protocol.name if there else propose_protocol(question))
        motion = motion or (None if motion_file or there else question)
    protocol = protocol or str(find_value("protocol") or "exchange")
    settings = _read_settings(protocol, options)
    framing, left_out = _read_framing(options)
    if there:
        said = _read_motion(motion, motion_file) if motion or motion_file else ""
        _refuse_changes(there, protocol, settings, framing._replace(motion=said))
        return there, there.warnings, False
    if slug is None:
        hint = "As in 'new my-decision --motion TEXT'; 'new --question TEXT' makes one."
        raise UsageError("a slug is required", hint=hint)
    store.plan_folder(slug)
    framing = framing._replace(motion=_read_motion(motion, motion_file))
    if question is not None and framing.motion != question:
        scope = "\n\n".join(filter(None, [framing.scope, ASKED.format(question)]))
        framing = framing._replace(scope=scope)
    settings = settings.add_usual(read_config())
    usual = USUAL_SETTINGS.get(protocol, {}) if question and not options["settings"] else {}
    try:
        position = engine.create(slug, framing, protocol=protocol, settings=usual | settings.values)
    except UsageError as error:
        raise settings.place(error) from None
    notes = [*settings.notes]
    if own := ", ".join(_list_own_templates(protocol)):
        notes.append(f"prompts are made from templates of yours in {OWN_TEMPLATES}: {own}")
    remarks = (Fault("", note, is_warning=True) for note in notes)
    return position, [*left_out, *remarks, *position.warnings], True


def _list_own_templates(protocol: str) -> list[str]:
    """Return the user's templates that differ from the program's; in a clone they are the same."""
    place = Path(OWN_TEMPLATES, protocol)
    ours = {path.name: path.read_bytes() for path in (find_skill_folder() / place).glob("*.md")}
    changed = (p for p in place.glob("*.md") if ours.get(p.name) != p.read_bytes())
    return sorted(f"{protocol}/{path.name}" for path in changed)


def _refuse_changes(
    position: engine.Position, protocol: str, settings: Settings, framing: Framing
) -> None:
    """Refuse what is said of a debate and differs from its record; what is not given does not."""
    d, rules, before = position.debate, position.protocol, position.debate.settings.model_dump()
    names, added = rules.other_names(d.settings), ASKED.partition("{")[0]
    papers = tuple((names.get(by, by), name, text) for by, name, text in framing.papers)
    given = framing._replace(scope=framing.scope.strip(), papers=papers)
    scope = (d.scope.rpartition(added)[0] or d.scope).strip()
    there = Framing(d.motion, d.definitions, scope, d.documents, d.papers)
    pairs = zip(Framing._fields, given, there, strict=True)
    changed = [name for name, now, then in pairs if now and now != then]
    if rules.name == protocol:
        now = check_settings(rules.Settings, before | settings.values).model_dump()
        changed += [name for name in settings.values if now[name] != before[name]]
    else:
        changed.append("protocol")
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


def _read_settings(protocol: str, options: Mapping[str, Any]) -> Settings:
    """Return the settings of a debate; options and single ones go before those of the file."""
    rules, single = load_protocol(protocol), texts.split_settings(options["set_"])
    known, end = rules.Settings.model_fields, f"max_{rules.cycle}s"
    names = ("cited_folder", "participants")
    named = {name: options[name] for name in names if options[name] is not None}
    if end in known and options.get("exchanges"):  # by its own end it is over after so many
        named[end] = options["exchanges"]
    if twice := sorted(single.keys() & named.keys()):
        raise UsageError(f"{', '.join(twice)} is given twice: as an option and with --set")
    typed, anywhere = single | named, options["allow_files_outside"]
    if folder := typed.get("cited_folder"):
        if not os.path.isdir(folder):
            why = os.strerror(errno.ENOTDIR if os.path.lexists(folder) else errno.ENOENT)
            raise UsageError(f"{folder}: {why}", hint="Name with --library a folder that is there.")
        typed["cited_folder"] = os.path.relpath(folder)
    combined = texts.combine_settings(options["settings"], typed, known, anywhere=anywhere)
    if options["agents"] is not None:
        texts.pick_agents(combined, options["agents"])
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


def _read_motion(word: str | None, path: str | None) -> str:
    if word is not None and path is not None:
        raise UsageError("--motion and --motion-file exclude each other")
    motion = (texts.read_text(path) if path else texts.read_word(word) or "").strip("\r\n")
    if is_blank(motion):
        hint = 'Give it with --motion "This house would ...", or --motion - for standard input.'
        raise UsageError("a motion is required; it is missing or blank", hint=hint)
    return motion


def propose_protocol(question: str) -> str:
    """Return the protocol that is set, or else the one for questions of this form.

    >>> [*map(propose_protocol, ("Is that fair?", "Which of these?", "How do we build it?"))]
    ['chairs', 'consensus', 'design']
    """
    found = (p for form, p in _FORMS.items() if re.match(rf"({form})\b", question, re.IGNORECASE))
    return str(find_value("protocol") or next(found, "exchange"))


def propose_slug(question: str) -> str:
    """Return the name of a question's debate, which its first words make.

    >>> propose_slug("Should we move our database to a server before the season?")
    'move-our-database-to-a-server'
    >>> [*map(propose_slug, ("Ist das schön?", "該用 AI 嗎?"))]
    ['ist-das-schoen', 'question-4309a4c4']
    """
    words = re.sub(_BEGINNING, "", one_line(question), flags=re.IGNORECASE).split()
    slug = suggest_slug(" ".join(words[:_SLUG_WORDS]))
    return slug if len(slug) > _SHORT_SLUG else f"question-{digest_text(question)[:8]}"


def _find_debate(slug: str, question: str) -> engine.Position | None:
    """Return where the debate on a question stands; None where there is none of that name."""
    store.check_slug(slug)
    place = Folder(os.path.join(store.DEBATES, slug))
    if not os.path.lexists(place.debate_file):
        return None
    position = engine.load(place)
    there = (one_line(position.debate.motion), *position.debate.scope.splitlines())
    if not {_fold(question), _fold(ASKED.format(question))} & {*map(_fold, there)}:
        raise UsageError(
            f"{place.path} is there, and is about another question: {there[0][:200]}",
            hint="Give yours another name: 'ask --slug NAME', or 'new NAME --question'.",
        )
    return position


def _fold(text: str) -> str:
    """Return a question without what typing it again may change: capitals and end marks."""
    return one_line(text).casefold().strip('?!."\uff1f ')


def choose_exchanges(position: engine.Position, exchanges: int | None = None) -> int | None:
    """Return how many exchanges to ask for: of a debate that was begun, what it lacks of these."""
    request = position.header.request
    if not request and not position.debate.step:
        if position.has_end and position.protocol.cycle:
            return None  # it is held to its own end, of which its settings have the number
        return exchanges if position.has_end else exchanges or find_usual_exchanges()
    here = max(position.at.place.round, 1)
    if not exchanges or position.has_end or exchanges < (request.until if request else here):
        return None
    return exchanges + 1 - here

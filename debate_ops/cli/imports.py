"""The commands `import` and `convert`: debates from elsewhere, put on record here."""

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import click

from debate_ops import engine
from debate_ops.cli import answers, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.command import command, flag_option, option
from debate_ops.cli.debate_state import suggest_commands
from debate_ops.core.errors import UsageError
from debate_ops.core.texts import one_line
from debate_ops.engine import Framing, Position, RawReply, RepliesRefusedError, store
from debate_ops.imports.transcript import KNOWN, Speech, names, read, read_data

MOST_BYTES = 4 * 1024 * 1024
_OTHERS = (".doc", ".docx", ".odt", ".pdf", ".xlsx", ".m4a", ".mp3", ".mp4", ".wav")
"""Ends of names of files that are no texts."""


@command("import")
@click.argument("slug")
@click.argument("file")
@option(
    "--motion TEXT", help="What was debated, where the file does not say it, or says it otherwise."
)
@option("--speakers LIST", help="Who speaks in a transcript, where other words stand like names.")
@flag_option("--no-judge", help="Nobody is to judge it.")
def import_(
    slug: str, file: str, *, motion: str | None, speakers: str | None, no_judge: bool
) -> Answer:
    """Make a debate of one that was held elsewhere: its speeches word for word, nothing added.

    \b
    debate-ops import old-question chat.txt
    debate-ops import our-class captions.vtt --motion "Should we move the bus stop?"

    FILE is a transcript, a chat that was exported, captions (WebVTT, SRT), or a debate in JSON
    (.json); '-' is standard input. Who was found, and what was not taken, is listed. The debate is
    one in speeches: a judge, agent or person, may decide it, and it can be shown, drawn and
    reported like any other.
    """
    store.plan_folder(slug)
    if (ending := os.path.splitext(file)[1].lower()) in _OTHERS:
        raise UsageError(f"{file}: {ending} is a form that is not known", hint=KNOWN)
    if speakers and ending == ".json":
        raise UsageError(f"--speakers has no effect: {file} is data, which says who speaks")
    content = texts.read_text(file, MOST_BYTES)
    named = [*filter(str.strip, (speakers or "").split(","))]
    try:
        debate = read_data(json.loads(content)) if ending == ".json" else read(content, named)
    except UsageError as error:
        raise UsageError(f"{file}: {error.message}", hint=error.hint) from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: it is no JSON: {error}") from None
    motion = motion or debate.motion
    if not motion:
        raise UsageError(f"{file} names no motion", hint="Say with --motion what was debated.")
    by_speaker = names(speech.speaker for speech in debate.speeches)
    settings = {
        "participants": [
            {"name": name, "position": debate.positions.get(speaker, ""), "called": speaker}
            for speaker, name in by_speaker.items()
        ],
        "order": [by_speaker[speech.speaker] for speech in debate.speeches],
        "judge": "none" if no_judge else "one",
        "word_limit": 0,
    }
    turns = [
        {by_speaker[speech.speaker]: _make_reply(speech, number, os.path.basename(file))}
        for number, speech in enumerate(debate.speeches, 1)
    ]
    what: dict[str, Any] = {"protocol": "speeches", "settings": settings, "turns": turns}
    try:
        position = engine.create(slug, Framing(motion), **what)
    except RepliesRefusedError as error:
        raise UsageError("; ".join(error.sentences()[:5])) from None
    counted = Counter(speech.speaker for speech in debate.speeches)
    result = {"motion": motion, "speeches": len(debate.speeches), "participants": by_speaker}
    result |= {"spoken": counted, "for_text": debate.for_text, "left_out": [*debate.left_out]}
    remarks = answers.label("left out", debate.left_out)
    if debate.for_text:
        found = _list_counts(debate.for_text)
        remarks.append(f"taken for text: {found}   (--speakers says who speaks)")
    made = f"{len(debate.speeches)} speeches: {_list_counts(counted)}"
    return _answer(position, made, remarks, result)


def _make_reply(speech: Speech, number: int, file: str) -> RawReply:
    when = {"said": speech.at} if speech.at else {}
    raw = json.dumps({"text": speech.text}).encode()
    return RawReply(raw, f"{file}, speech {number}", {"by": speech.speaker, **when, "file": file})


def _list_counts(counted: Mapping[str, int]) -> str:
    """Return how often each comes, such as 'Ann (5), Ben (4)'."""
    return ", ".join(f"{one_line(name)} ({number})" for name, number in counted.items())


@command("convert")
@click.argument("slug", metavar="[NEW-SLUG]", required=False)
def convert(debate: str, slug: str | None) -> Answer:
    """Make a debate of the older tool into one of this program, in a new folder; nothing is lost.

    NEW-SLUG is DEBATE-converted if it is not given. The old folder stays as it is.
    """
    from debate_ops import convert as conversion  # few debates need it

    source = store.find_folder(debate)
    position = conversion.convert(source, slug or f"{source.slug}-converted")
    found, made = answers.list_remarks(position.warnings), f"{len(position.debate.entries)} entries"
    return _answer(position, made, [], found)


def _answer(
    position: Position, made: str, remarks: Sequence[str], more: Mapping[str, Any]
) -> Answer:
    """Return that a debate was made of what lay elsewhere, with remarks on that."""
    path, lines = position.folder.path, [f"{position.folder.path} created: {made}.", *remarks]
    return Answer({"success": True, "path": path, **more}, lines, next=suggest_commands(position))

"""The command `new`: a debate from what the command line says of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from debate_ops import engine
from debate_ops.cli import answers, settings_file, texts
from debate_ops.cli.answers import Answer
from debate_ops.cli.status import sensible
from debate_ops.errors import Finding, UsageError
from debate_ops.model.debate import Definition, Framing
from debate_ops.model.texts import is_blank
from debate_ops.protocols.table import PROTOCOLS, rules_of
from debate_ops.storage import folder

TERM = '"Term=what it means here"'


def new(  # noqa: PLR0913  (what the command line gives)
    slug: str,
    *,
    motion: str | None,
    motion_file: str | None,
    definition: Sequence[str],
    scope: str | None,
    context: Sequence[str],
    protocol: str,
    as_json: bool,
    **options: Any,
) -> Answer:
    """Create a debate; each setting that is an option of its own is there by its name."""
    if motion == options["settings"] == texts.STANDARD_INPUT:
        raise UsageError(
            "--motion and --settings cannot both be read from standard input; name a file for one, "
            "with --motion-file or --settings"
        )
    folder.for_new(slug)
    if protocol not in PROTOCOLS:
        raise UsageError(
            f"there is no protocol {protocol!r}", hint=f"There are: {', '.join(PROTOCOLS)}."
        )
    definitions = tuple(_definitions(definition))
    settings = _settings(protocol, **options)
    documents, left_out = texts.context(context)
    is_terminal = sys.stdin.isatty() and not as_json
    framing = Framing(
        motion=_motion(motion, motion_file, is_terminal=is_terminal),
        definitions=definitions,
        scope=scope or "",
        context=documents,
    )
    values = engine.usual_settings(rules_of(protocol)) | settings.values
    try:
        position = engine.create(slug, framing, protocol=protocol, settings=values)
    except UsageError as error:
        raise settings.placed(error) from None
    return _answer(position, framing, (*left_out, *_like_a_file(motion), *position.warnings))


def _answer(position: engine.Position, framing: Framing, warnings: Iterable[Finding]) -> Answer:
    result: dict[str, Any] = {"success": True, "path": position.folder.path}
    result |= {"motion": framing.motion} | answers.remarks(warnings) | answers.state(position)
    result |= {"settings": dict(position.debate.settings), "next": sensible(position)}
    lines = [
        f"{result['path']} created.",
        *(f"Next:  {command}" for command in result["next"]),
        f"   or  /debate-run {result['debate']}   in your agent client",
        *result["warnings"],
    ]
    return Answer(result, lines)


def _settings(
    protocol: str,
    *,
    set_: Sequence[str],
    settings: str | None,
    agents: str | None,
    allow_files_outside: bool,
    **options: Any,
) -> settings_file.Settings:
    """Return all settings: options and single ones go before the file."""
    single = settings_file.single(set_)
    named = {name: value for name, value in options.items() if value is not None}
    if twice := sorted(single.keys() & named.keys()):
        raise UsageError(f"{', '.join(twice)} is given twice: as an option and with --set")
    result = settings_file.combined(settings, single | named, anywhere=allow_files_outside)
    if agents is not None:
        settings_file.pick_agents(result, protocol, agents)
    return result


def _definitions(words: Sequence[str]) -> Iterator[Definition]:
    for term, meaning in texts.pairs(words, "--definition ", TERM).items():
        if is_blank(meaning):
            raise UsageError(f"{term!r} has no definition", hint=f"Write --definition {TERM}.")
        yield Definition(term, meaning.strip())


def _motion(motion: str | None, motion_file: str | None, *, is_terminal: bool) -> str:
    if motion is not None and motion_file is not None:
        raise UsageError("--motion and --motion-file exclude each other")
    if motion_file is not None or motion == texts.STANDARD_INPUT:
        path = texts.STANDARD_INPUT if motion_file is None else motion_file
        return texts.text(path).strip("\r\n")
    if motion is not None:
        return motion
    if is_terminal:
        return answers.asked("What is the motion?")
    raise UsageError(
        "a motion is required",
        hint='Give it with --motion "This house would ...", or --motion - for standard input.',
    )


def _like_a_file(motion: str | None) -> Iterator[Finding]:
    """Yield a warning where the words given as a motion are the path of a file."""
    if motion and motion != texts.STANDARD_INPUT and os.path.isfile(motion):
        message = (
            f"the motion is {motion!r} as it stands; to read the motion from the file of that "
            "name, delete the folder of the debate and use --motion-file"
        )
        yield Finding("motion_is_a_path", message)

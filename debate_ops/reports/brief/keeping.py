"""The brief in the folder of its debate: asked for, taken in, and read back."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from debate_ops import engine
from debate_ops.errors import BadRecordError, DiskError, Finding, ToRepairError
from debate_ops.formats import brief_file
from debate_ops.formats.brief_file import NAME, Kept
from debate_ops.formats.json_reply import MAX_BYTES
from debate_ops.model.score import signed
from debate_ops.model.texts import one_line, quoted
from debate_ops.prompts import build
from debate_ops.prompts.build import fill, read
from debate_ops.reports import hearing
from debate_ops.reports.brief import checks
from debate_ops.reports.brief.body import Brief
from debate_ops.reports.brief.checks import REPORTER, Findings, Reading
from debate_ops.reports.brief.fields import Fields
from debate_ops.reports.in_markdown import InMarkdown
from debate_ops.reports.items import Item, in_full
from debate_ops.reports.table import report_of, view_of
from debate_ops.reports.text import counted
from debate_ops.reports.view import OPEN, View
from debate_ops.storage import files, inbox, lock
from debate_ops.storage.folder import INBOX, Folder
from debate_ops.storage.inbox import Slot

_CHARACTERS = 250_000
"""How much of what was said the reporter reads in full: it is asked once."""
_EXCERPT = 120
_NONE = "(none)"


def prompt(view: View) -> str:
    """Return the prompt; the same debate, the same bytes."""
    framing = view.content.framing
    said = [item for item in view.content.items if item.is_said]
    judged = [item for item in view.content.items if not item.is_said]
    # What was said stands there in full, but for the oldest where it would be too much.
    most = max(_CHARACTERS, int(view.debate.settings.get("history_characters", 0)))
    first = in_full(said, most)
    listed = _lines(f"{item.id}: {item.title}" for item in said[:first])
    short = f"Of the {counted(first, 'oldest entry', 'oldest entries')} only titles stand here."
    values = {
        "motion": quoted(framing.motion),
        "framing": build.framing_block(framing) or _NONE,
        "answer_rule": report_of(view.debate.protocol).ANSWER_RULE,
        "participants": _lines(_participants(view)),
        "choices": _choices(view),
        "sureness": _sureness(view),
        "points": _lines(f"{name}: {one_line(t, _EXCERPT)}" for name, t in view.points.items()),
        "unused": quoted("\n".join(map(one_line, view.unused))) if view.unused else _NONE,
        "fields": _lines(f"{{{name}}} = {value}" for name, value in view.data.items()),
        "attacks": _lines(f"{{attack:{link}}}" for link in Fields(view).attacks),
        "shares": _lines(f"{name}: {signed(share)}" for name, share in view.shares.items()),
        "entries": "\n\n".join(
            ([f"{short}\n\n{listed}"] if first else []) + [_blocks(said[first:])]
        ),
        "judgments": _blocks(judged),
        "first_answer": _first_answer(view.first_answer),
        "language_rule": build.language_rule(view.debate.settings),
    }
    return fill(read("brief"), values)


def _lines(lines: Iterable[str]) -> str:
    text = "\n".join(map(one_line, lines))
    return quoted(text) if text else _NONE


def _participants(view: View) -> Iterator[str]:
    """Yield who took part, and the persona somebody was given."""
    settings = view.debate.settings.get("participants", ())
    personas = {
        each["name"]: f"; was given the persona: {each['persona']}"
        for each in (settings if isinstance(settings, list) else ())
        if isinstance(each, dict) and each.get("persona")
    }
    for name, what in view.content.participants.items():
        yield f"{name}: {what}{personas.get(name, '')}"


def _choices(view: View) -> str:
    if not view.choices:
        return f'There is nothing to choose between: `direction` is "{OPEN}".'
    listed = _lines(f"{key}: {words}" for key, words in view.choices.items())
    allowed = " or ".join(f'"{key}"' for key in filter(None, (view.favoured, OPEN)))
    return f"By key:\n\n{listed}\n\nBy the record `direction` can be {allowed}."


def _sureness(view: View) -> str:
    if view.sureness is None:
        return "This debate seeks no verdict."
    reasons = "\n".join(reason.text for reason in view.sureness.reasons)
    return f"How sure that is, by the program's rule: {view.sureness.level.words}.\n\n" + (
        quoted(reasons) if reasons else ""
    )


def _first_answer(text: str) -> str:
    if not text:
        return (
            "There is none on record. Before you turn to the record, write one yourself from the "
            "question, its framing and its context alone, as one careful adviser would: the "
            "recommendation with its condition and how sure it is, the strongest reasons for it "
            "and against it, what should not weigh heavily, what it turns on, what to find out, "
            "what to do next; some 700 words, written out in full. Then edit that page; "
            "`changed` is left out."
        )
    return f"<first_answer>\n{quoted(text)}\n</first_answer>"


def _blocks(items: Iterable[Item]) -> str:
    return "\n\n".join(map(_block, items)) or _NONE


def _block(item: Item) -> str:
    texts = [f"{name}: {text}" if name else text for name, text in item.texts]
    known = f'id="{item.id}" exchange="{item.entry.exchange}"'
    return f"<entry {known}>\n{quoted(chr(10).join([item.title, *texts]))}\n</entry>"


LEFT_OUT, OUT_OF_DATE = "brief_left_out", "brief_out_of_date"
_FAULTS_SHOWN = 5


def of(folder: Folder, view: View) -> tuple[Brief | None, Findings]:
    """Return the brief in a folder, if there is a good one, and what to warn of.

    It is checked at each reading, because anybody may have laid it into the folder. One that was
    written for another record need not agree with this one: it is returned as out of date.
    """
    if not os.path.lexists(folder.within(NAME)):
        return None, ()
    try:
        kept = brief_file.parse(files.read_text(folder.within(NAME)))
    except BadRecordError as error:
        return None, (Finding(LEFT_OUT, f"{NAME} is left out: {error.message}", file=NAME),)
    read = checks.read(kept.reply, view)
    is_old = kept.rests_on != engine.of_whole_record(view.debate)
    if read.faults and not is_old and hearing.of(folder, view.debate)[0]:
        before = checks.read(kept.reply, view_of(view.debate))  # as it was before a panel
        is_old = not before.faults
        read = before if is_old else read
    if read.content is None or (read.faults and not is_old):
        message = (
            f"{NAME} is left out: {counted(len(read.faults), 'fault')}, the first of which follow. "
            "Take a brief in anew with 'report --brief FILE'"
        )
        shown = (fault._replace(file=NAME) for fault in read.faults[:_FAULTS_SHOWN])
        return None, (Finding(LEFT_OUT, message, file=NAME), *shown)
    if not is_old:
        return Brief(read.content, kept.step), ()
    message = (
        f"{NAME} was written for another record, after step {kept.step} (now {view.debate.step}), "
        "or before a panel, and is not shown; have a new one written"
    )
    doubts = (Finding(OUT_OF_DATE, message, file=NAME),)
    return Brief(read.content, kept.step, out_of_date=True), doubts


def slot(folder: Folder) -> Slot:
    """Return where the prompt for the brief and its reply are."""
    names = ("prompt.md", "json", "repair.md", "skip", "again.md", "made.json")
    return Slot(*(folder.within(INBOX, f"brief.{name}") for name in names))


def write_prompt(folder: Folder, view: View) -> Slot:
    """Write the prompt into the inbox.

    A reply to another prompt than this one is removed, so that it cannot pass for the new one.

    Raises:
        DiskError: it cannot be written.
    """
    place, text = slot(folder), prompt(view)
    inbox.prepare(folder)
    if not files.holds(place.prompt, text.encode("utf-8")):
        for path in (place.reply, place.made, place.repair, place.again):
            files.discard(path)
        inbox.write(place.prompt, text)
    return place


def take(folder: Folder, path: str) -> Findings:
    """Check the brief in a file and keep it as `brief.md`; return what to warn of.

    Raises:
        ToRepairError: it has faults; a repair prompt was written, and nothing else changed.
        UsageError: the file cannot be read.
        DiskError: it cannot be written.
    """
    from debate_ops.reports.screen import in_blocks, screen  # which reads briefs itself

    raw = files.read_named(path, MAX_BYTES)
    debate = engine.look(folder).debate
    view = view_of(debate, hearing.of(folder, debate)[0])
    read = checks.read_reply(raw, path, view)
    if read.content is None or read.faults:
        raise _refusal(folder, path, raw, read)
    place = slot(folder)
    made = inbox.made_by(place, raw)
    kept = Kept(read.data, debate.step, engine.of_whole_record(debate), made)
    shown = screen(view, Brief(read.content, debate.step))
    text = InMarkdown(pictures=False).blocks(in_blocks(shown))
    leads = (
        f"[{item.id}]: {item.entry.file}" for item in view.content.items if f"[{item.id}]" in text
    )
    _keep(folder, brief_file.compose(kept, "\n".join([f"{text}\n", *leads])))
    for used in (place.repair, place.again):
        files.discard(used)
    return read.warnings


def _refusal(folder: Folder, path: str, raw: bytes, read: Reading) -> ToRepairError:
    place = slot(folder)
    inbox.prepare(folder)
    repair = build.repair(REPORTER, read.faults, raw.decode("utf-8", "replace"))
    inbox.write(place.repair, repair)
    return ToRepairError(
        f"{counted(len(read.faults), 'fault')} found in {path}; nothing was changed",
        hint=f"Put right what the faults name and give the file again; {place.repair} says how.",
        faults=read.faults,
        repair_prompt=place.repair,
    )


def _keep(folder: Folder, text: str) -> None:
    path = folder.within(NAME)
    inbox.prepare(folder)
    with lock.held(inbox.write_lock(folder), "is writing in this debate"):
        try:
            files.write_durable(path, text)
        except OSError as error:
            raise DiskError(f"cannot write {path}: {error.strerror}") from None

"""A person's reply in a terminal: each part of its model is asked for in turn, in plain words."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from typing import Any, TypeVar

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.report import report
from debate_ops.core.errors import ConfigurationError, RefusedError, UsageError
from debate_ops.core.protocol import Replayed
from debate_ops.core.replies import NAMING, resolve
from debate_ops.core.texts import one_line
from debate_ops.core.values import Entry, Fault
from debate_ops.engine import files, inbox
from debate_ops.engine.inbox import Slot
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.protocols.shared import STANCES
from debate_ops.report import memo
from debate_ops.report.reading import Reading
from debate_ops.report.verdict import Verdict
from debate_ops.run.running import find_person

with suppress(ImportError):
    import readline  # noqa: F401  (without it a terminal takes no line of 4,096 characters)

T = TypeVar("T")
_MOST_IN_A_LINE = 15
"""Words of a text that is asked for on one line; longer ones have several."""
_MOST_NAMED, _MOST_SHOWN = 40, 90
_PASTED_SECONDS = 0.2
"""For so long after an empty line, more of a text that was pasted may come."""
_ID = re.compile(r"(\b|_)[Ii]ds?\b")
"""Where a part names what is on record, or says that it does."""
HELP = (
    "Enter alone leaves out what may be left out, ends a list, and keeps what is in brackets; "
    "- takes that away. Nothing is filed before you have seen all of it. In a text of several "
    "lines, e opens an editor. ? shows the motion and what was said last, Ctrl-C stops: what you "
    "wrote is kept for the next 'reply'."
)


class Form:
    """What a reply consists of, with the limits and names of its debate; `slot` keeps its draft.

    With the `verdict` of the debate it is the form of its memo.
    """

    def __init__(self, at: Replayed, name: str, slot: Slot, verdict: Verdict | None = None) -> None:
        self.name, self.slot, self.verdict, self._at, d = name, slot, verdict, at, at.debate
        self._schema = memo.make_form(verdict) if verdict else at.make_schema(name)
        self._limits = d.settings.model_dump()
        ids = d.entries if verdict else at.list_shown(name)
        is_scoring = "scores" in self._schema["properties"]
        shown = at.protocol.shows(d, at.turn, name) if is_scoring else {}
        self._scored: Sequence[str] = shown.get("new_arguments", ())
        entries = (d.entries[i] for i in d.entries if i in ids)
        self._entries = [entry for entry in entries if entry.kind != "absence"][-_MOST_NAMED:]
        self._places: Collection[str] = ()
        self._is_named = self._has_asked = False
        self._typed = ""  # lines of a text that has not come to its end

    def _find_faults(self, reply: dict[str, Any]) -> list[Fault]:
        """Return what is wrong with a reply so far, by the rules or by what a memo has to be."""
        if self.verdict:
            return memo.find_part_faults(self._at, self.verdict, reply)
        return self._at.read(self.name, reply)[1]

    def read_draft(self) -> dict[str, Any]:
        """Return what was kept of a reply; nothing where that cannot be read."""
        with suppress(OSError, UsageError, ValueError, AttributeError, RecursionError):
            draft = json.loads(files.read_named(self.slot.draft, MAX_BYTES))
            _write_draft(draft).encode()  # half a character, or levels without end, cannot be kept
            return {key: value for key, value in draft.items() if key not in NAMING}
        return {}

    def ask(self, reply: dict[str, Any], places: Collection[str]) -> None:
        """Ask for what a reply has at these places and below; what else there is stays.

        Raises:
            KeyboardInterrupt: the person stops; what was said has been kept.
        """
        self._reply, self._places, self._has_asked = reply, places, False
        self._ask(self._schema, "", {"": reply}, "")
        if not self._has_asked:  # there is nothing at these places
            self.ask(reply, [""])

    def _ask(self, rule: Any, where: str, holder: Any, key: Any, *, may_miss: bool = False) -> bool:
        """Ask for what stands under a key; tell whether there is something then."""
        may_miss, said, old = may_miss or "anyOf" in rule, rule.get("description"), holder[key]
        rule = resolve(rule, self._schema)
        rule = rule | {"description": said or rule.get("description", "")}
        match rule.get("type"):
            case "object":
                holder[key] = old if isinstance(old, dict) else {}
                return self._ask_parts(rule, where, holder[key], may_miss=may_miss)
            case "array":
                holder[key] = old if isinstance(old, list) else []
                return self._ask_items(rule, where, holder[key])
        if where.startswith("scores.") and old in self._scored and where not in self._places:
            self._name_entries([self._at.debate.entries[old]])
            return True
        if self._is_asked(where):
            holder[key], self._typed = None if isinstance(old, dict | list) else old, ""
            try:
                self._ask_value(rule, where, holder, key, may_miss=may_miss)
            except KeyboardInterrupt:
                holder[key] = self._typed or holder[key]
                raise
            finally:
                inbox.write(self.slot.draft, _write_draft(self._reply))
        return holder[key] is not None and holder[key] != ""

    def _is_asked(self, where: str) -> bool:
        return any(f"{where}.".startswith(f"{place}." if place else "") for place in self._places)

    def _ask_parts(self, rule: Any, where: str, made: dict[str, Any], *, may_miss: bool) -> bool:
        """Ask for an object, what is required first; where that may be left out, it is the end."""
        needed = rule.get("required", ())
        for key, inner, place in _list_parts(rule, where):
            made.setdefault(key, None)
            is_optional = may_miss or key not in needed
            is_there = self._ask(inner, place, made, key, may_miss=is_optional)
            if may_miss and not is_there:
                return False
            may_miss = False
            if key not in needed and not is_there:
                del made[key]
        return True

    def _ask_items(self, rule: Any, where: str, made: list[Any]) -> bool:
        """Ask for a list, item by item until one is left out."""
        least, most = rule.get("minItems", 0), rule.get("maxItems", 1_000)
        if where == "scores":
            made += [{"argument_id": an_id} for an_id in self._scored if not made]
            most = len(self._scored)
        if not made and self._lacks_names(rule, where):
            return False
        if is_asked := self._is_asked(where):
            span = f"{least} to {most}" if "maxItems" in rule else f"at least {least}"
            span = str(least) if least == most else span
            name, about = name_part(where), rule["description"]
            about = f" {about}" * (about != f"The {name.lower()}.")
            answers.remark(f"\n{name}:{about} ({span} of them)")
        number, is_there = 0, True
        while number < (most if is_asked else len(made)) and (is_there or number < len(made)):
            made += [None] * (number == len(made))
            place = f"{where}.{number}"
            is_there = self._ask(rule["items"], place, made, number, may_miss=number >= least)
            if not is_there:
                del made[number]
                continue
            is_checked_whole = is_asked and isinstance(made[number], dict)
            if not (is_checked_whole and _is_refused(self._show_faults(place))):
                number += 1  # else it is asked for again
        return bool(made)

    def _lacks_names(self, rule: Any, where: str) -> bool:
        """Tell whether a part is a list that names what is on record, where nothing is."""
        rule = resolve(rule, self._schema)
        if self._at.debate.entries or rule.get("type") != "array":
            return False
        needed = resolve(rule["items"], self._schema).get("required", [where])
        return any(map(_ID.search, [*needed, rule.get("description", "")]))

    def _ask_value(self, rule: Any, where: str, holder: Any, key: Any, *, may_miss: bool) -> None:
        """Ask for a text, a number, or yes or no, until nothing is wrong with it."""
        limit = rule.get("words")
        limit = self._limits[limit] if isinstance(limit, str) else limit
        least, most = limit if isinstance(limit, list | tuple) else (0, limit or 0)
        is_long = limit is not None and not 0 < most <= _MOST_IN_A_LINE
        said = _list_bounds(rule, least, most, may_miss=may_miss)
        said += ["an empty line, or a dot alone, ends it"] if is_long else []
        if _ID.search(where) or _ID.search(rule["description"]):
            self._name_entries(() if self._is_named else self._entries)
            self._is_named = True
        self._has_asked = True
        about = filter(None, [rule["description"], f"({'; '.join(said)})" if said else ""])
        question = f"{name_part(where)}: {' '.join(about)}".rstrip(": ")
        while True:
            old = holder[key]
            text = self._read(question, old, is_long=is_long)
            if text and text != "-":
                holder[key] = _parse(rule, text)
                found = self._show_faults(where)
                if not found or (text == old and not _is_refused(found)):
                    return
                if _is_refused(found) and not is_long:
                    holder[key] = old
            elif not text and old not in {None, ""}:
                return
            elif may_miss:
                holder[key] = None
                return
            else:
                answers.remark("  It is required.")

    def _read(self, question: str, old: Any, *, is_long: bool) -> str:
        """Return what a person types: a line, or lines up to their end, or from an editor."""
        proposed = "" if old in (None, "") else f" [{one_line(str(old), _MOST_SHOWN)}]"
        text = answers.ask_person(f"{question}{proposed}").strip()
        if text == "?":
            shown = answers.fold("\n".join(self._explain()))
            if len(shown) < shutil.get_terminal_size().lines:
                answers.remark(*shown)
            else:
                click.echo_via_pager("\n".join(["q goes on.", "", *shown, ""]))
            return self._read(question, old, is_long=is_long)
        if text == "e" and is_long:
            try:
                return (click.edit(str(old or "")) or "").strip()
            except click.ClickException as error:
                raise ConfigurationError(error.message, hint="Let EDITOR name another.") from None
        while is_long and text and text != "-":
            self._typed = text
            line = answers.ask_person(" ").rstrip()
            if line.strip() == "." or not (line or _has_more()):
                break
            text = f"{text}\n{line}"
        return text.strip()

    def _name_entries(self, entries: Iterable[Entry]) -> None:
        """Show what there is to name, the newest last."""
        for entry in entries:
            answers.remark(f"  {entry.id}  {one_line(summarise_entry(entry), _MOST_SHOWN)}")

    def introduce(self) -> list[str]:
        """Return what is debated, and which side the person is on where there are two."""
        d, sides = self._at.debate, self._at.protocol.sides
        lines = [f"Motion: {d.motion}", *([f"Scope: {d.scope}"] if d.scope else [])]
        if self.name in sides:
            stance = STANCES[[*sides].index(self.name)]
            lines.append(f"{self.name} is the {sides[self.name]}, {stance}.")
        return lines

    def _explain(self) -> list[str]:
        """Return what is debated, and what the others said last."""
        lines, others = self.introduce(), [e for e in self._entries if e.by != self.name]
        for entry in (e for e in others if e.round == others[-1].round):
            lines += ["", f"{entry.id}, of {entry.by}", *describe_entry(entry)]
        return lines

    def _show_faults(self, where: str) -> list[Fault]:
        """Say what is wrong with what stands at a place; return it."""
        wrong = [fault for fault in self._find_faults(self._reply) if fault.where == where]
        for fault in wrong:
            hint = "; Enter alone keeps it" if fault.is_warning else ""
            answers.remark(f"  {one_line(fault.message, 500).rstrip('.')}{hint}.")
        return wrong

    def review(self, reply: Any) -> str | None:
        """Show all that would be filed; return the place that is to change, None to file it.

        Raises:
            RefusedError: something is wrong with it.
            KeyboardInterrupt: it is not to be filed now.
        """
        faults = self._find_faults(reply)
        if wrong := tuple(fault for fault in faults if not fault.is_warning):
            raise RefusedError("this is not as expected", faults=wrong)
        answers.remark(*answers.label("warning", answers.list_sentences(faults)))
        return self._choose_part(reply, self._schema, "", is_first=True)

    def _choose_part(self, value: Any, rule: Any, where: str, *, is_first: bool) -> str | None:
        rule = resolve(rule, self._schema)
        if rule.get("type") == "array":
            parts = [(item, rule["items"], f"{where}.{n}") for n, item in enumerate(value or ())]
        else:
            parts = [
                ((value or {}).get(key), inner, place)
                for key, inner, place in _list_parts(rule, where)
                if not self._lacks_names(inner, key)
            ]
        if not parts:
            return where
        part, inner, place = parts[0]
        is_only = len(parts) == 1 and ("properties" in rule or rule.get("maxItems") == 1)
        if is_only and resolve(inner, self._schema).get("type") in {"object", "array"}:
            return self._choose_part(part, inner, place, is_first=is_first)
        for number, (part, _, place) in enumerate(parts, 1):
            texts = [f"{name_part(at)}: {t}" if at else t for at, t in _list_texts(part)]
            texts[:0] = [""] if isinstance(part, dict | list) else []
            said = "\n".join(texts) or "(left out)"
            answers.remark(f"{number:3}  {name_part(place)}: {said}".replace("\n", "\n     "))
        question = "File it? [Y/n/number of the part to change]"
        while True:
            word = answers.ask_person(question if is_first else "Which? [number; Enter: all of it]")
            word = word.strip().lower()
            if word in {"", "y", "yes"}:
                return None if is_first else where
            if word in {"n", "no"}:
                raise KeyboardInterrupt
            if word.isdecimal() and 0 < int(word) <= len(parts):
                part, inner, place = parts[int(word) - 1]
                return self._choose_part(part, inner, place, is_first=False)


def _write_draft(reply: Any) -> str:
    return f"{json.dumps(reply, indent=2, ensure_ascii=False)}\n"


def ask_until_taken(
    position: engine.Position, form: Form, made: Mapping[str, str], take: Callable[[Any], T]
) -> T:
    """Ask a person for a reply until it is taken; return what taking it does. All words are kept.

    Raises:
        ConfigurationError: nobody can be asked here.
        KeyboardInterrupt: the person stops.
    """
    name, slot, is_memo = form.name, form.slot, form.verdict is not None
    if not answers.can_ask():
        raise ConfigurationError(
            "nobody can be asked here",
            hint=f"Do it in a terminal; or read {slot.prompt}, and give the file that it asks for.",
        )
    what = "The memo" if is_memo else f"{name} replies in {position.describe_place()}"
    answers.remark(f"{what}.", *form.introduce(), HELP)
    answers.remark(f"All that is asked: {slot.prompt}")
    value, places = form.read_draft(), [""]
    try:
        while True:
            form.ask(value, places)
            try:
                if (place := form.review(value)) is None:
                    return take(value)
                places = [place]
            except RefusedError as error:
                if not error.faults:
                    raise
                error.hint = ""
                answers.remark_error(error)  # of the whole memo, a fault is put right in its page
                places = [fault.where or "page" * is_memo for fault in error.faults]
    except KeyboardInterrupt:
        if os.path.exists(slot.draft):
            again = f"{answers.name_invocation()} reply {position.folder.name} --as {name}"
            (maker,) = made.values()
            if maker != find_person(position.folder, name):
                again += f" {'--made-by' if 'by' in made else '--by'} {shlex.quote(maker)}"
            answers.remark(f"What you wrote is kept in {slot.draft}. Go on with:  {again}")
        raise


def take_memo(reading: Reading, file: str | None, made: Mapping[str, str]) -> Answer:
    """Take in a person's memo, from a file or asked for, and render the page."""
    verdict, folder = reading.verdict, reading.folder
    slot = memo.write_memo_prompt(folder, reading.at, verdict)

    def take(path: str) -> Answer:
        inbox.label(slot, files.read_named(path, MAX_BYTES), made)
        taken = report(folder.name, path, verbose=False)
        files.discard(slot.draft)
        return taken

    def take_parts(value: Any) -> Answer:
        inbox.write(slot.reply, memo.compose_parts(value))
        return take(slot.reply)

    if file == "-":
        inbox.put(slot, sys.stdin.buffer.read(MAX_BYTES + 1), made)
    if file:
        return take(slot.reply if file == "-" else file)
    form = Form(reading.at, memo.REPORTER, slot, verdict)
    return ask_until_taken(reading.position, form, made, take_parts)


def name_part(where: str) -> str:
    """Return what a place is called: `arguments.0.attack_type` is "Argument 1, attack type"."""
    numbered = re.sub(r"s?\.(\d+)", lambda found: f" {int(found[1]) + 1}", f".{where}")
    return numbered.strip(" .").replace(".", ", ").replace("_", " ").capitalize()


def _list_parts(rule: Any, where: str) -> list[tuple[str, Any, str]]:
    """Return key, rule and place of the parts of an object that are asked for, required first."""
    rules, needed = rule.get("properties", {}), rule.get("required", ())
    keys = sorted((key for key in rules if key not in NAMING), key=lambda key: key not in needed)
    return [(key, rules[key], f"{where}.{key}".lstrip(".")) for key in keys]


def _list_bounds(rule: Any, least: int, most: int, *, may_miss: bool) -> list[str]:
    """Return what a value may be, as far as its description does not say it; words if `most`."""
    said = [f"one of: {', '.join(rule['enum'])}"] if "enum" in rule else []
    span = f"{least} to {most}" if least else f"at most {most}"
    said += [f"{span} words"] if most and " words" not in rule["description"] else []
    bounds = [str(rule[end]) for end in ("minimum", "maximum") if end in rule]
    said += [f"a number from {' to '.join(bounds)}"] if bounds else []
    said += ["yes or no"] if rule["type"] == "boolean" else []
    is_optional = may_miss and "left out" not in rule["description"]
    return said + ["may be left out"] * is_optional


def _is_refused(found: Sequence[Fault]) -> bool:
    """Tell whether there is more than a warning."""
    return not all(fault.is_warning for fault in found)


def _list_texts(part: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield each text of a part of a reply, behind its place in it; none where it is left out."""
    if isinstance(part, dict | list):
        for key, inner in part.items() if isinstance(part, dict) else enumerate(part):
            yield from _list_texts(inner, f"{where}.{key}".lstrip("."))
    elif isinstance(part, bool):
        yield where, "yes" if part else "no"
    elif part not in {None, ""}:
        yield where, str(part)


def _parse(rule: Any, text: str) -> Any:
    """Return what a person typed as its rule has it; what cannot be read stays.

    >>> _parse({"type": "number", "maximum": 1}, "70%"), _parse({"type": "number"}, "-0,1")
    (0.7, -0.1)
    >>> _parse({"type": "string", "enum": ["claim_attack", "warrant_attack"]}, "warrant")
    'warrant_attack'
    """
    match rule["type"]:
        case "boolean":
            return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower(), text)
        case "number" | "integer":
            number = text.rstrip("% ").replace(",", ".").replace("\u2212", "-")
            if not re.fullmatch(r"[-+]?\d*\.?\d+", number):
                return text
            if text.endswith("%") and rule.get("maximum") == 1:
                return float(Decimal(number) / 100)
            return float(number) if "." in number else int(number)
    word, choices = text.lower().replace(" ", "_"), rule.get("enum", ())
    found = [c for c in choices if c == text] or [
        c for c in choices if c.startswith(word) or c.endswith(word)
    ]
    return found[0] if len(found) == 1 else text


def _has_more() -> bool:
    """Tell whether more comes on standard input at once, as the rest of a pasted text does."""
    with suppress(OSError, ValueError):  # it is no file, or the system has no such call for it
        return bool(select.select([sys.stdin], [], [], _PASTED_SECONDS)[0])
    return False

"""A person's reply in a terminal: each part of its model is asked for in turn, in plain words."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import click

from debate_ops import engine
from debate_ops.cli import answers
from debate_ops.cli.answers import Answer
from debate_ops.cli.report import report
from debate_ops.core.errors import ConfigurationError, RefusedError, UsageError
from debate_ops.core.protocol import Replayed
from debate_ops.core.replies import NAMING, Said, resolve, schema_of, text
from debate_ops.core.texts import one_line
from debate_ops.engine import files, inbox
from debate_ops.engine.headers import compose_file
from debate_ops.engine.inbox import Slot
from debate_ops.engine.prompts import summarise_entry
from debate_ops.report import memo
from debate_ops.report.reading import Reading
from debate_ops.run.command import MAX_BYTES

with suppress(ImportError):
    import readline  # noqa: F401  (without it a terminal takes no line of 4,096 characters)

T = TypeVar("T")
_MOST_IN_A_LINE = 15
"""Words of a text that is asked for on one line; longer ones have several."""
_MOST_NAMED, _MOST_SHOWN = 40, 90
_ID = re.compile(r"(\b|_)[Ii]ds?\b")
"""Where a part names what is on record, or says that it does."""
HELP = (
    "Enter alone leaves out what may be left out, ends a list, and keeps what is in brackets; "
    "- takes that away. A text of several lines ends with an empty one; e opens an editor. "
    "? shows all that you are asked, Ctrl-C stops: what you wrote is kept for the next 'reply'."
)


class Form:
    """What a reply consists of, with the limits and names of its debate.

    `keep` keeps the reply as it is after every answer.
    """

    def __init__(
        self, at: Replayed, name: str, prompt: str, keep: Callable[[Any], None], schema: Any = None
    ) -> None:
        self._schema, self._prompt, self._keep = schema or schema_of(at.form_of(name)), prompt, keep
        self._limits = at.debate.settings.model_dump()
        view = None if schema else at.protocol.find_view(at.debate, at.turn)
        seen = getattr(view, "entries", at.debate.entries).values()
        self._entries = [entry for entry in seen if entry.kind != "absence"][-_MOST_NAMED:]
        self._places: Collection[str] = ()
        self._is_named = self._has_asked = False
        self._typed = ""  # lines of a text that has not come to its end

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
        if self._is_asked(where):
            old, self._typed = None if isinstance(old, dict | list) else old, ""
            try:
                holder[key] = self._ask_value(rule, where, old, may_miss=may_miss)
            except KeyboardInterrupt:
                holder[key] = self._typed or old
                raise
            finally:
                self._keep(self._reply)
        return holder[key] is not None and holder[key] != ""

    def _is_asked(self, where: str) -> bool:
        return any(f"{where}.".startswith(f"{place}." if place else "") for place in self._places)

    def _ask_parts(self, rule: Any, where: str, made: dict[str, Any], *, may_miss: bool) -> bool:
        """Ask for an object, what is required first; where that may be left out, it is the end."""
        parts, needed = rule["properties"], rule.get("required", ())
        for key in sorted((k for k in parts if k not in NAMING), key=lambda k: k not in needed):
            made.setdefault(key, None)
            place, is_optional = f"{where}.{key}".lstrip("."), may_miss or key not in needed
            is_there = self._ask(parts[key], place, made, key, may_miss=is_optional)
            if may_miss and not is_there:
                return False
            may_miss = False
            if key not in needed and not is_there:
                del made[key]
        return True

    def _ask_items(self, rule: Any, where: str, made: list[Any]) -> bool:
        """Ask for a list, item by item until one is left out."""
        least, most = rule.get("minItems", 0), rule.get("maxItems", 1_000)
        needed = resolve(rule["items"], self._schema).get("required", [where])
        if not (made or self._entries) and any(map(_ID.search, [*needed, rule["description"]])):
            return False  # there is nothing to name
        if is_asked := self._is_asked(where):
            span = f"{least} to {most}" if "maxItems" in rule else f"at least {least}"
            span = str(least) if least == most else span
            answers.remark(f"\n{name_part(where)}: {rule['description']} ({span})")
        number, is_there = 0, True
        while number < (most if is_asked else len(made)) and (is_there or number < len(made)):
            made += [None] * (number == len(made))
            place = f"{where}.{number}"
            is_there = self._ask(rule["items"], place, made, number, may_miss=number >= least)
            number += is_there
            if not is_there:
                del made[number]
        return bool(made)

    def _ask_value(self, rule: Any, where: str, old: Any, *, may_miss: bool) -> Any:
        """Return a text, a number, or yes or no, once it has its form; None if left out."""
        limit = rule.get("words")
        limit = self._limits[limit] if isinstance(limit, str) else limit
        least, most = limit if isinstance(limit, list | tuple) else (0, limit or 0)
        is_long = limit is not None and not 0 < most <= _MOST_IN_A_LINE
        said = [f"one of: {', '.join(rule['enum'])}"] if "enum" in rule else []
        span = f"{least} to {most}" if least else f"at most {most}"
        said += [f"{span} words"] if most and " words" not in rule["description"] else []
        bounds = [str(rule[key]) for key in ("minimum", "maximum") if key in rule]
        said += [f"a number from {' to '.join(bounds)}"] if bounds else []
        said += ["yes or no"] if rule["type"] == "boolean" else []
        said += ["may be left out"] if may_miss else []
        if _ID.search(where) or _ID.search(rule["description"]):
            self._name_entries()
        self._has_asked = True
        about = filter(None, [rule["description"], f"({'; '.join(said)})" if said else ""])
        question = f"{name_part(where)}: {' '.join(about)}".rstrip(": ")
        while True:
            text = self._read(question, old, is_long=is_long)
            if text == "-" or (not text and old in (None, "")):
                if may_miss:
                    return None
                answers.remark("  It is required.")
            elif not text:
                return old
            elif (value := _parse(rule, text)) is None:
                answers.remark(f"  {text!r} is not as expected: {'; '.join(said)}.")
            elif most and not least <= len(text.split()) <= most and text != old:
                answers.remark(f"  It has {len(text.split())} words; Enter alone keeps it.")
                old = text
            else:
                return value

    def _read(self, question: str, old: Any, *, is_long: bool) -> str:
        """Return what a person types: a line, or lines up to an empty one, or from an editor."""
        proposed = "" if old in (None, "") else f" [{one_line(str(old), _MOST_SHOWN)}]"
        text = answers.ask_person(f"{question}{proposed}").strip()
        if text == "?":
            click.echo_via_pager(files.read_text(self._prompt))
            return self._read(question, old, is_long=is_long)
        if text == "e" and is_long:
            try:
                return (click.edit(str(old or "")) or "").strip()
            except click.ClickException as error:
                raise ConfigurationError(error.message, hint="Let EDITOR name another.") from None
        while is_long and text and text != "-":
            self._typed = text
            if not (line := answers.ask_person(" ").strip()):
                break
            text = f"{text}\n{line}"
        return text

    def _name_entries(self) -> None:
        """Show once what there is to name, the newest last."""
        for entry in () if self._is_named else self._entries:
            answers.remark(f"  {entry.id}  {one_line(summarise_entry(entry), _MOST_SHOWN)}")
        self._is_named = True


def ask_until_taken(
    position: engine.Position,
    name: str,
    slot: Slot,
    take: Callable[[Any], T],
    *,
    schema: Any = None,
) -> T:
    """Ask a person for a reply until it is taken; return what taking it does. All words are kept.

    It has the form of the task, or the memo's, if that `schema` is given.

    Raises:
        ConfigurationError: nobody can be asked here.
        KeyboardInterrupt: the person stops.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise ConfigurationError(
            "nobody can be asked here",
            hint=f"Do it in a terminal; or read {slot.prompt}, print the form with --form, "
            "and give the file with what is filled in.",
        )

    def keep(value: Any) -> None:
        inbox.write(slot.draft, json.dumps(value, indent=2, ensure_ascii=False) + "\n")

    value: Any = {}
    with suppress(OSError, UsageError, ValueError, TypeError):
        draft = json.loads(files.read_named(slot.draft, MAX_BYTES))
        value = {key: draft[key] for key in draft if key not in NAMING}
    what = f"{name} replies in {position.describe_place()}" if not schema else "The memo"
    answers.remark(f"{what}. {HELP}")
    answers.remark(f"All that is asked: {slot.prompt}")
    form, places = Form(position.at, name, slot.prompt, keep, schema), [""]
    usual = "page" if schema else ""  # where a fault of the whole is put right
    try:
        while True:
            form.ask(value, places)
            try:
                return take(value)
            except RefusedError as error:
                if not error.faults:
                    raise
                error.hint = ""
                answers.remark_error(error)
                places = [fault.where or usual for fault in error.faults]
    except KeyboardInterrupt:
        if os.path.exists(slot.draft):
            again = f"{answers.name_invocation()} reply {position.folder.name} --as {name}"
            answers.remark(f"What you wrote is kept in {slot.draft}. Go on with:  {again}")
        raise


class _Memo(memo.Advice):
    """A memo as a person is asked for it."""

    page: Said = text(words=memo.WORDS)
    """The page itself, in Markdown: why, what could change it, what to do next."""


def take_memo(
    reading: Reading, file: str | None, made: Mapping[str, str], *, with_form: bool
) -> Answer:
    """Take in a person's memo, from a file or asked for, and render the page; or print its form."""
    verdict, folder = reading.verdict, reading.folder
    choices = {**verdict.choices, memo.OPEN: "none of these"}
    if with_form:
        form = ("---", 'answer: ""', f"direction: {' or '.join(choices)}", "confidence:")
        return Answer(text="\n".join([*form, "  - percent: 50", '    of: ""', "---", "", ""]))
    slot = memo.write_memo_prompt(folder, reading.at, verdict)

    def take(path: str) -> Answer:
        inbox.label(slot, files.read_named(path, memo.MOST_BYTES), made)
        taken = report(folder.name, path, verbose=False)
        files.discard(slot.draft)
        return taken

    def take_parts(value: Any) -> Answer:
        header = {key: part for key, part in value.items() if key != "page"}
        inbox.write(slot.reply, compose_file(header, f"\n{value['page']}\n"))
        return take(slot.reply)

    if file == "-":
        inbox.put(slot, sys.stdin.buffer.read(memo.MOST_BYTES + 1), made)
    if file:
        return take(slot.reply if file == "-" else file)
    schema = schema_of(_Memo)
    words = "; ".join(f"{key} is {one_line(said, _MOST_SHOWN)}" for key, said in choices.items())
    said = {"enum": [*choices], "description": f"Where it leans: {words}."}
    schema["properties"]["direction"] |= said
    return ask_until_taken(reading.position, memo.REPORTER, slot, take_parts, schema=schema)


def name_part(where: str) -> str:
    """Return what a place is called: `arguments.0.attack_type` is "Arguments #1, attack type"."""
    parts = (f" #{int(p) + 1}" if p.isdigit() else f", {p}" for p in where.split("."))
    return "".join(parts).removeprefix(", ").replace("_", " ").capitalize()


def _parse(rule: Any, text: str) -> Any:
    """Return what a person typed as its rule has it; None where it is not so."""
    match rule["type"]:
        case "boolean":
            return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower())
        case "number" | "integer" as kind:
            if not re.fullmatch(r"[-+]?\d+(\.\d+)?" if kind == "number" else r"[-+]?\d+", text):
                return None
            number = float(text) if "." in text else int(text)
            is_within = rule.get("minimum", number) <= number <= rule.get("maximum", number)
            return number if is_within else None
    return text if text in rule.get("enum", [text]) else None

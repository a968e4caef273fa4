"""A person's reply in a terminal: each part of its model is asked for in turn, in plain words."""

import json
import os
import re
import shlex
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from types import FrameType
from typing import Any

import click

from debate_ops import engine
from debate_ops.analysis.flow import links_of
from debate_ops.cli import answers
from debate_ops.core.errors import ConfigurationError, DebateError, UsageError
from debate_ops.core.protocol import Replayed
from debate_ops.core.replies import NAMING, resolve
from debate_ops.core.texts import one_line
from debate_ops.core.values import Fault
from debate_ops.engine import RawReply, TaskStatus, files
from debate_ops.engine.prompts import describe_entry, summarise_entry
from debate_ops.engine.reading import MAX_BYTES
from debate_ops.protocols.exchange import LINKS
from debate_ops.protocols.shared import STANCES
from debate_ops.run.endings import handle_signals

with suppress(ImportError):
    import readline  # noqa: F401  (without it a terminal takes no line of 4,096 characters)

_MOST_IN_A_LINE = 15
"""Words of a text that is asked for on one line; longer ones have several."""
_YES = {"", "y", "yes"}
_MOST_NAMED, _MOST_SHOWN = 40, 90
_OF_AN_ATTACK = ("attacker_id", "target_id", "component")
_ID = re.compile(r"(\b|_)[Ii]ds?\b")
"""Where a part names what is on record, or says that it does."""
HELP = (
    "Enter alone leaves out what may be left out, and ends a list. A text of several lines ends "
    "with a line that is a dot alone; e in its place opens an editor. Nothing is filed before you "
    "have seen all of it; Ctrl-C stops."
)


class Form:
    """What a reply consists of, and `reply`, what was said so far and is not asked for again."""

    def __init__(self, at: Replayed, name: str, draft: Mapping[str, Any] = {}) -> None:
        self.name, self.reply, self._at, d = name, {**draft}, at, at.debate
        self._schema, self._limits = at.make_schema(name), d.settings.model_dump()
        is_judge = "scores" in self._schema["properties"]
        shown = at.protocol.shows(d, at.turn, name) if is_judge else {}
        self._given: dict[str, list[dict[str, str]]] = {}
        if "new_arguments" in shown:  # what a judgment is of
            attacks = (dict(zip(_OF_AN_ATTACK, a, strict=True)) for a in shown["new_attacks"])
            self._given["scores"] = [{"argument_id": each} for each in shown["new_arguments"]]
            self._given["effects"] = [*attacks]
            if not shown["arguments"]:
                self._given["rescores"] = []
        ids = at.list_shown(name)
        entries = (e for i, e in d.entries.items() if i in ids and e.kind != "absence")
        self._named = {e.id: one_line(summarise_entry(e), _MOST_SHOWN) for e in entries}

    def ask(self) -> None:
        """Ask for all parts of the reply, below what they may name, the newest last.

        What is wrong then, such as a sum of scores, is asked for again for as long as that changes.
        """
        if _ID.search(str(self._schema)):
            self._show_named([*self._named][-_MOST_NAMED:])
        before = ""
        while True:
            self._ask(self._schema, "", {"": self.reply}, "", may_miss=False)
            wrong, said = self.find_faults(is_warning=False), _write_json(self.reply)
            if not wrong or said == before:
                return
            before = said
            answers.remark("", *answers.list_sentences(wrong))
            self.reopen(wrong)

    def find_faults(self, *, is_warning: bool) -> list[Fault]:
        """Return what is wrong with the reply so far, or worth a warning."""
        found = self._at.read(self.name, self.reply)[1]
        return [fault for fault in found if fault.is_warning == is_warning]

    def reopen(self, wrong: Iterable[Fault]) -> None:
        """Have an item asked for again, numbers of a list that are wrong together, or its next.

        So is a text with which nothing is wrong but what filing it found.
        """
        seen = {fault.where for fault in self.find_faults(is_warning=False)}
        for where in (fault.where for fault in wrong if fault.where):
            above, _, key = where.rpartition(".")
            listed, around = self._find_part(where), self._find_part(above)
            if isinstance(listed, dict) or (isinstance(listed, str) and where not in seen):
                around[int(key) if isinstance(around, list) else key] = None
            elif isinstance(listed, list) and None not in listed:
                parts = [(item, key) for item in listed if isinstance(item, dict) for key in item]
                numbers = [(item, key) for item, key in parts if isinstance(item[key], int | float)]
                for item, key in numbers:
                    item[key] = None
                listed.extend([None] * (not numbers))

    def _find_part(self, where: str) -> Any:
        part: Any = self.reply
        for key in filter(None, where.split(".")):
            part = part[int(key)] if isinstance(part, list) else part and part.get(key)
        return part

    def _show_named(self, ids: Iterable[str]) -> None:
        answers.remark(*(f"  {each}  {self._named[each]}" for each in ids if each in self._named))

    def _show_given(self, known: Mapping[str, str]) -> None:
        """Show an argument in full, with the claims of those that it attacks or answers.

        Of an attack, show what it says, and its target in full.
        """
        entries = self._at.debate.entries
        for key, entry in ((key, entries[i]) for key, i in known.items() if i in self._named):
            lines = describe_entry(entry)
            if key == "attacker_id":
                lines = [line for line in lines if line.startswith(f"Attacks {known['target_id']}")]
            elif key == "argument_id":
                links = (link for name in LINKS for link in links_of(entry, name))
                about = dict.fromkeys(link["target_id"] for link in links)
                lines += [f"{i}: {entries[i].data['claim']}" for i in about if i in self._named]
            self._show_named([entry.id])
            answers.remark(*(f"    {answers.mark_lines(line)}" for line in lines))

    def _ask(self, rule: Any, where: str, holder: Any, key: Any, *, may_miss: bool) -> bool:
        """Ask for what stands under a key; tell whether there is something then."""
        may_miss, said = may_miss or "anyOf" in rule, rule.get("description")
        rule = resolve(rule, self._schema)
        rule = rule | {"description": said or rule.get("description", "")}
        if rule["type"] == "object":
            holder[key] = holder[key] if isinstance(holder[key], dict) else {}
            return self._ask_parts(rule, where, holder[key], may_miss=may_miss)
        if rule["type"] == "array":
            is_kept = isinstance(holder[key], list)
            holder[key] = holder[key] if is_kept else []
            return self._ask_items(rule, where, holder[key], is_kept=is_kept)
        return self._ask_value(rule, where, holder, key, may_miss=may_miss)

    def _ask_parts(self, rule: Any, where: str, made: dict[str, Any], *, may_miss: bool) -> bool:
        """Ask for an object, what is required first; where that may be left out, it is the end."""
        rules, needed = rule.get("properties", {}), rule.get("required", ())
        for key in sorted(rules.keys() - NAMING, key=[*needed, *rules].index):
            place = f"{where}.{key}".lstrip(".")
            is_optional = may_miss or key not in needed or "anyOf" in rules[key]
            was_left_out = key in made and made[key] is None and is_optional
            if was_left_out and not may_miss and self._is_right(place):
                continue
            made.setdefault(key, None)
            try:
                is_there = self._ask(rules[key], place, made, key, may_miss=is_optional)
            except (KeyboardInterrupt, DebateError):
                if made[key] is None and is_optional:
                    del made[key]  # else it would count as left out
                raise
            if may_miss and not is_there:
                return False
            may_miss = False
            if key not in needed and not is_there:
                made[key] = None
        return True

    def _ask_items(self, rule: Any, where: str, made: list[Any], *, is_kept: bool) -> bool:
        """Ask for a list, item by item until one is left out; a kept one that is open has None."""
        least, most = rule.get("minItems", 0), rule.get("maxItems", 1_000)
        needed = resolve(rule["items"], self._schema).get("required", [where])
        names_record = _ID.search(" ".join([*needed, rule["description"]]))
        given = self._given.get(where, [])
        if (names_record and not self._at.debate.entries) or (where in self._given and not given):
            return False
        if given:
            least, most = len(given), len(given) if where == "scores" else most
        span = f"{least} to {most}" if "maxItems" in rule else f"at least {least}"
        span = str(least) if least == most else span
        if is_kept and None not in made and len(made) >= least:
            most = len(made)
        answers.remark(f"\n{name_part(where)}: {rule['description']} ({span} of them)")
        for number in range(most):
            known = given[number] if number < len(given) else {}
            self._show_given(known)
            if number == len(made):
                made.append({**known} or None)
            place, may_miss = f"{where}.{number}", number >= least
            try:
                is_there = self._ask(rule["items"], place, made, number, may_miss=may_miss)
            except (KeyboardInterrupt, DebateError):
                made += [None] * (None not in made and number + 1 < most and not given)
                raise
            if not is_there:
                del made[number]
                break
        return bool(made)

    def _ask_value(self, rule: Any, where: str, holder: Any, key: Any, *, may_miss: bool) -> bool:
        """Ask for a text, a number, or yes or no, until nothing is wrong with it."""
        if holder[key] is not None and self._is_right(where):
            return True
        limit = rule.get("words")
        limit = self._limits[limit] if isinstance(limit, str) else limit
        least, most = limit if isinstance(limit, list | tuple) else (0, limit or 0)
        is_long = limit is not None and not 0 < most <= _MOST_IN_A_LINE
        said = _list_bounds(rule, least, most, may_miss=may_miss)
        said += ["a line with a dot alone ends it"] * is_long
        about = filter(None, [rule["description"], f"({'; '.join(said)})" if said else ""])
        question = f"{name_part(where)}: {' '.join(about)}".rstrip(": ")
        while True:
            text = answers.ask_person(question).strip()
            if text == "e" and is_long:
                text = _edit(holder[key] or "")
            elif text == "." and is_long:
                text = ""  # it ends the text before any
            elif text and is_long:
                holder[key] = text  # kept, line by line, if the person stops
                while (line := answers.ask_person(" ").rstrip()) != ".":
                    holder[key] += f"\n{line}"
                text = holder[key]
            text = text.strip()
            if not text and may_miss:
                holder[key] = None
                return False
            holder[key] = _parse(rule, text) if text else None
            if text and self._is_right(where):
                return True
            answers.remark(*["  It is required."] * (not text))

    def _is_right(self, where: str) -> bool:
        """Tell whether nothing is wrong with what stands at a place; say what is."""
        wrong = [f for f in self.find_faults(is_warning=False) if f.where == where]
        answers.remark(*(f"  {one_line(fault.message, 500)}" for fault in wrong))
        return not wrong


def ask_reply(
    position: engine.Position, item: TaskStatus, made_by: Mapping[str, Any]
) -> list[Fault] | None:
    """Ask a person for a reply, part by part, and file it; return warnings, or None if it is not.

    A draft is kept in that case, and if it is broken off.
    """
    slot, at = item.slot, position.at
    if not answers.can_ask():
        raise ConfigurationError(
            "nobody can be asked here",
            hint=f"Do it in a terminal; or read {slot.prompt}, and give the file that it asks for.",
        )
    form, d, sides = Form(at, item.task.by, _read_draft(slot.draft)), at.debate, at.protocol.sides
    lines = [f"Going on with {slot.draft}"] * bool(form.reply)
    lines += [
        f"{form.name} replies in {position.describe_place()}.",
        f"Motion: {answers.mark_lines(d.motion)}",
    ]
    if form.name in sides:
        stance = STANCES[[*sides].index(form.name)]
        lines.append(f"{form.name} is the {sides[form.name]}, {stance}.")
    answers.remark(*lines, HELP, f"All that is asked: {slot.prompt}")
    with handle_signals(_interrupt):
        try:
            form.ask()
            answers.remark("", *_list_said(form.reply))
            warnings = answers.list_sentences(form.find_faults(is_warning=True))
            answers.remark(*answers.label("note", warnings))
            is_good = not form.find_faults(is_warning=False)  # else it is refused unasked
            if is_good and answers.ask_person("File it? [Y/n]").strip().lower() not in _YES:
                _keep(form, position, slot.draft)
                return None
            named = at.turn.name_reply(form.name)
            reply = {key: named[key] for key in at.name_required(form.name)} | form.reply
            raw = RawReply(_write_json(reply).encode(), slot.draft)
            return engine.take_reply(position, item, raw, made_by)
        except (KeyboardInterrupt, DebateError) as error:
            form.reopen(getattr(error, "faults", ()))
            _keep(form, position, slot.draft)
            raise


def _interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  (a handler's form)
    signal.signal(number, signal.SIG_IGN)  # a terminal that is closed may send it twice
    raise KeyboardInterrupt


def _keep(form: Form, position: engine.Position, draft: str) -> None:
    """Keep what was said of a reply, and say how to go on."""
    files.write_derived(draft, _write_json(position.at.turn.name_reply(form.name) | form.reply))
    words = shlex.join(["reply", position.folder.name, draft, "--as", form.name])
    answers.remark(
        f"What you wrote is kept in {draft}; 'reply' goes on with it. Or change it there, "
        f"and file it with:  {answers.name_invocation()} {words}"
    )


def _list_said(value: Any, where: str = "") -> Iterator[str]:
    """Yield a line for each part of a reply, with what it is called."""
    if isinstance(value, Mapping | list):
        parts = value.items() if isinstance(value, Mapping) else enumerate(value)
        for key, part in parts:
            yield from _list_said(part, f"{where}.{key}".lstrip("."))
    elif value is not None:
        yield f"{name_part(where)}: {value}"


def _edit(text: str) -> str:
    try:
        return click.edit(text, extension=".md") or text
    except click.ClickException as error:
        raise ConfigurationError(error.message, hint="Let EDITOR name another.") from None


def _write_json(reply: Any) -> str:
    return json.dumps(reply, indent=2, ensure_ascii=False)


def _read_draft(path: str) -> dict[str, Any]:
    """Return what was kept of a reply, but for what names it."""
    if not os.path.lexists(path):
        return {}
    try:
        draft = json.loads(files.read_named(path, MAX_BYTES))
        _write_json(draft).encode()  # so that it can be kept again
        return {key: value for key, value in draft.items() if key not in NAMING}
    except (AttributeError, RecursionError, ValueError):
        raise UsageError(f"the draft {path} is no JSON object; repair or remove it") from None


def name_part(where: str) -> str:
    """Return what a place is called: `arguments.0.attack_type` is "Argument 1, attack type"."""
    numbered = re.sub(r"s?\.(\d+)", lambda found: f" {int(found[1]) + 1}", f".{where}")
    return numbered.strip(" .").replace(".", ", ").replace("_", " ").capitalize()


def _list_bounds(rule: Any, least: int, most: int, *, may_miss: bool) -> list[str]:
    """Return what a value may be, as far as its description does not say it; words if `most`."""
    said = [f"one of: {', '.join(rule['enum'])}"] if "enum" in rule else []
    span = f"{least} to {most}" if least else f"at most {most}"
    said += [f"{span} words"] if most and " words" not in rule["description"] else []
    bounds = [str(rule[end]) for end in ("minimum", "maximum") if end in rule]
    said += [f"a number from {' to '.join(bounds)}"] if bounds else []
    said += ["yes or no"] if rule["type"] == "boolean" else []
    return said + ["may be left out"] * may_miss


def _parse(rule: Any, text: str) -> Any:
    """Return what a person typed as its rule has it; what cannot be read stays.

    >>> _parse({"type": "string", "enum": ["claim_attack", "warrant_attack"]}, "warrant")
    'warrant_attack'
    """
    if rule["type"] == "boolean":
        return {"y": True, "yes": True, "n": False, "no": False}.get(text.lower(), text)
    if rule["type"] in {"number", "integer"}:
        with suppress(ValueError):
            float(text)  # else it may be any JSON
            return json.loads(text)
    found = [each for each in rule.get("enum", ()) if each.startswith(text.lower())]
    return found[0] if len(found) == 1 else text

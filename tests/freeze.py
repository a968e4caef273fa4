"""Frozen behaviour of the rules: what `tests/corpus` has of each course beside what is replied.

    python -m tests.freeze compare          say where the rules differ from the corpus
    python -m tests.freeze write            record anew what they make of the inputs

`--only exchange` takes the files whose names begin so. A new course is a file with `protocol`,
`settings`, `framing`, `mutants`, `texts` (empty) and `steps` (each `{"replies": …, "absent": []}`
or `{"act": …}`, the last `{}`), and `last_exchange` if one is asked for: `write` adds what is due
at each step, how many calls are left, which requirements are met, what a reader learns that it
comes to, what goes on record and which events tell of it; of each prompt what is not in every
prompt of its template: the program's own lines, with digests of those of others and of the schema
of the reply; in the middle and at the end a digest of each text that can be made of the debate:
transcript, outcome, flow sheet, exports, the prompt of the memo, what a panel comes to or would
read; and of each mutant, a changed reply or another act at a step, and of each step without one of
its replies, whether it is accepted, with a digest of what then follows, or where its faults are.
Where a course has `variants` (each with `settings`, and `last_exchange`), it adds where each ends
and digests of all of it and of its texts; where it has `chosen` (each with other `settings`,
alone), how they are kept, or each reason why they are refused. Long texts stand once, below
`texts`.
"""

import argparse
import copy
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from debate_ops.core.errors import DebateError, RefusedError, UsageError
from debate_ops.core.protocol import ADVISER, Replayed, replay
from debate_ops.core.replies import Reply, schema_of
from debate_ops.core.settings import check_settings
from debate_ops.core.values import Act, Debate, Done, Entry, Fault, Task, Turn, Waiting
from debate_ops.engine.events import describe_step
from debate_ops.engine.prompts import find_skill_folder, render_prompt
from debate_ops.protocols import load_protocol
from debate_ops.report.exports import EXPORTS
from debate_ops.report.memo import make_memo_prompt
from debate_ops.report.panel import ask_panel, list_speeches, make_settings, write_panel
from debate_ops.report.reading import Reading
from debate_ops.report.texts import (
    find_flow,
    make_flow_data,
    make_outcome_data,
    write_flow_sheet,
    write_outcome,
    write_transcript,
)
from tests.courses import (
    COURSES,
    FOLDER,
    MARK,
    SKIPPED,
    Data,
    begin_course,
    hold_turn,
    list_steps,
    load_course,
    read_exactly,
    take_step,
)
from tests.report.stage import read_at

MOMENT = "2026-01-01T00:00:00Z"
_LONG, _WIDTH = 100, 110
_TEXTS: dict[str, Callable[[Reading], object]] = {
    **EXPORTS,
    "transcript": write_transcript,
    "outcome": write_outcome,
    "outcome-data": make_outcome_data,
    "flow": write_flow_sheet,
    "flow-data": lambda reading: make_flow_data(find_flow(reading)),
    "memo-prompt": lambda reading: make_memo_prompt(reading.at, reading.verdict),
    "panel": lambda r: r.panel and write_panel(r.panel, r.verdict.names),
    "panel-asked": lambda r: (make_settings(r.at, r.verdict, 3), ask_panel(r.verdict).judged),
    "panel-reads": lambda r: [*list_speeches(r.at, ask_panel(r.verdict))],
}
"""What can be made of a debate; what a protocol has none of, it refuses."""


def record(name: str) -> Data:
    """Return a course with what the rules make of it."""
    case, at = copy.deepcopy(load_course(name)), begin_course(name)
    for number, step in enumerate(case["steps"]):
        step["due"], step["comes_to"] = _describe(at), _read_report(at)
        if number in {len(case["steps"]) // 2, len(case["steps"]) - 1}:
            step["texts"] = {form: _digest_text(at, form) for form in _TEXTS}
        given, due = {*step.get("replies", ()), *step.get("absent", ())}, {t.by for t in at.tasks}
        if "replies" in step and given | {ADVISER} != due | {ADVISER}:
            sys.exit(f"{name}, step {number}: {sorted(due)} are asked, {sorted(given)} are there")
        for mutant in (each for each in case["mutants"] if each["step"] == number):
            if "act" in mutant:
                mutant.update(_consider(at, mutant["act"]))
            else:
                reply = patched(step["replies"][mutant["who"]], mutant["patch"])
                mutant.update(_foresee(at, step, {mutant["who"]: reply}))
        if "act" in step or "replies" in step:
            if replies := step.get("replies"):
                step["without"] = {who: _foresee(at, step, {who: SKIPPED}) for who in replies}
            before, made = at.place, take_step(at, step)
            name_part = partial(at.protocol.name_part, at.debate.settings)
            step["entries"] = [_spell(entry) | {"part": name_part(entry)} for entry in made]
            step["events"] = _plain(describe_step(before, at, made, MOMENT, MOMENT, begun=MOMENT))
    for variant in case.get("variants", ()):
        variant.update(_vary(name, variant["settings"], variant.get("last_exchange")))
    if chosen := [each["settings"] for each in case.get("chosen", ())]:
        case["chosen"] = [{"settings": each, **_choose(case["protocol"], each)} for each in chosen]
    return case


def _choose(protocol: str, chosen: Data) -> Data:
    """Return how settings are kept, all of them where none is chosen, or why they are refused."""
    model, kept = load_protocol(protocol).Settings, chosen
    try:
        for _ in ("as they are given", "as they are read back"):
            kept = check_settings(model, read_exactly(kept)).model_dump()
    except UsageError as error:
        return {"refused": [fault.sentence() for fault in error.faults]}
    return {"kept": _plain({name: kept[name] for name in chosen or kept})}


def _vary(name: str, chosen: Data, last_exchange: int | None) -> Data:
    """Return what becomes of a course by other settings; who has no reply that fits is absent."""
    at, seen = begin_course(name, **chosen), list[Any]()
    at.debate.last_exchange = last_exchange
    for step in list_steps(name):
        seen.append(_describe(at))
        try:
            if isinstance(at.place, Turn):
                made, faults = hold_turn(at, step.get("replies", {}))
                seen += [[fault.by, fault.where] for fault in faults]
            else:
                made = at.commit(at.protocol.act(at.debate, at.place, Act(**step["act"])))
        except (DebateError, KeyError):
            break
        seen += map(_spell, made)
    texts = [_read_report(at), *(_digest_text(at, form) for form in _TEXTS)]
    return {"ends": _describe(at)["place"], "then": _digest(seen), "texts": _digest(texts)}


def _read_report(at: Replayed) -> str:
    """Return what a reader learns that a debate comes to, and which parts it has."""
    reading = read_at(at)
    verdict, tally = reading.verdict, reading.verdict.flow and reading.verdict.flow.tally
    lines = [verdict.answer, verdict.sureness, f"For: {verdict.favoured}", verdict.stops_at]
    lines += [f"Part: {name}" for name, _ in reading.places]
    return "\n\n".join([*lines, *(r.text for r in verdict.ordered_reasons), tally or "No attacks"])


def _digest_text(at: Replayed, form: str) -> str:
    try:
        return _digest(_TEXTS[form](read_at(at)))
    except RefusedError:
        return "refused"


def _consider(at: Replayed, act: Data) -> Data:
    """Return what becomes of an act."""
    if act["name"] not in at.protocol.acts:
        return {"accepted": False}
    try:
        made = at.protocol.act(at.debate, at.place, Act(act["name"], act["values"], act["by"]))
    except DebateError:
        return {"accepted": False}
    return {"accepted": True, "entries": _digest(sorted(map(_spell, made), key=str))}


def _foresee(at: Replayed, step: Data, changed: Data) -> Data:
    """Return what becomes of a turn in which somebody replies otherwise, or not at all."""
    given = {**dict.fromkeys(step["absent"], SKIPPED), **step["replies"], **changed}
    replies, faults = _read(at, given)
    refused = [fault.where for fault in faults if not fault.is_warning]
    if refused:
        return {"accepted": False, "faults": refused}
    warned = [*faults, *at.protocol.joint_faults(at.debate, at.turn, replies)]
    d = at.debate  # a script cannot be copied, so what is there is replayed first
    framing = (d.settings, d.motion, d.definitions, d.scope, d.documents)
    again = Debate(*framing, last_exchange=d.last_exchange)
    ahead = replay(at.protocol, again, d.entries.values())
    made = [_spell(entry) for entry in ahead.commit(ahead.make(replies))]
    ends = [_read_report(ahead)] if isinstance(ahead.place, Done) else []
    then = _digest([sorted(made, key=str), _describe(ahead), *ends])
    return {"accepted": True, "warned": [fault.where for fault in warned], "then": then}


def _read(at: Replayed, given: Data) -> tuple[Data, list[Fault]]:
    replies, faults = dict(given), list[Fault]()
    for who in (who for who, reply in given.items() if reply is not SKIPPED):
        replies[who], found = at.read(who, read_exactly(given[who]), is_named=True)
        faults += found
    return replies, faults


def _describe(at: Replayed) -> Data:
    place = at.place
    met = {name: is_met for name, (is_met, _) in at.protocol.requirements(at).items()}
    data: Data = {"exchange": place.round, "phase": place.phase, "met": met}
    data["place"] = at.protocol.describe_place(place.round, place.phase)
    data["figures"] = _digest(_plain(at.protocol.statistics(at.debate)))
    if isinstance(place, Turn):
        agents = {**at.protocol.participants(at.debate.settings), ADVISER: "debater"}
        tasks = [
            {"participant": t.by, "agent": agents[t.by], "template": t.template}
            | {"on_failure": t.on_failure, "seconds": t.seconds, **_list_told(at, t)}
            for t in at.tasks
        ]
        until = (None, place.round + 1, place.round + 2)
        calls = [at.protocol.count_calls(at.debate, place, n) for n in until]
        data |= {"is": "turn", "seconds": place.seconds, "tasks": tasks, "calls": calls}
        idle = sorted(agents.keys() - {ADVISER, *(task.by for task in at.tasks)})
        why = {n: at.protocol.explain_absence_of_task(at.debate, place, n) for n in idle}
        return data | {"idle": why}
    if isinstance(place, Waiting):
        return (
            data
            | {"is": "waiting", "reason": place.reason}
            | {"acts": [*place.acts], "about": [*place.about]}
        )
    return data | {"is": "done", "reason": place.reason}


def _list_told(at: Replayed, task: Task) -> Data:
    """Return what a prompt says beside the lines of its template, and a digest of its schema."""
    lines = [line for line in render_prompt(at, task, "x").splitlines() if line.strip()]
    others = [line for line in lines if line.startswith(">")]
    own = [line for line in lines if line[0] != ">" and line not in _find_constant_lines()]
    form = _digest_form(at.form_of(task.by))
    return {"told": "\n\n".join(own), "quoted": _digest(others), "form": form}


@cache
def _digest_form(form: type[Reply]) -> str:
    return _digest(schema_of(form))


@cache
def _find_constant_lines() -> frozenset[str]:
    """Return the lines of templates that stand there whatever the debate."""
    constant, conditional = set[str](), set[str]()
    for path in (find_skill_folder() / "templates").rglob("*.md"):
        depth = 0
        for line in path.read_text("utf-8").splitlines():
            depth += len(re.findall(r"{% (?:if|for) ", line))
            (conditional if depth else constant).add(line)
            depth -= len(re.findall(r"{% end(?:if|for)", line))
    return frozenset(constant - conditional)


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _spell(entry: Entry) -> Data:
    """Return an entry without what is null or blank."""
    data = {key: part for key, part in entry.data.items() if part is not None}
    texts = {name: text for name, text in entry.texts.items() if text.strip()}
    own = {"id": entry.id, "kind": entry.kind, "folder": entry.folder, "exchange": entry.round}
    return own | {"data": _plain(data), "texts": texts}


def _plain(value: Any) -> Any:
    """Return a value as `json` reads it, with numbers as whole where they are."""
    return json.loads(json.dumps(value, default=float), parse_float=_number)


def _number(text: str) -> float:
    return int(float(text)) if float(text).is_integer() else float(text)


def patched(reply: Data, patches: Sequence[Data]) -> Any:
    """Return a reply with patches applied, each at a path that is still there."""
    root: Data = {"": copy.deepcopy(reply)}
    for patch in patches:
        way: list[Any] = ["", *patch["path"]]
        last, at = way.pop(), root
        for key in way:
            at = at[key]
        if "drop" in patch:
            del at[last]
        elif "repeat" in patch:
            text, times = patch["repeat"]
            at[last] = text * times
        else:
            at[last] = copy.deepcopy(patch["to"])
    return root[""]


def differences(old: Any, new: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any, Any]]:
    """Yield where two cases differ, with both values; numbers are equal whatever their type."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            yield from differences(old.get(key), new.get(key), (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from differences(before, after, (*path, str(number)))
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        yield "/".join(path), old, new


def save(name: str, case: Data) -> None:
    texts: dict[str, str] = {}
    packed = {key: _packed(part, texts) for key, part in case.items()}
    (FOLDER / f"{name}.json").write_text(f"{_written(packed | {'texts': texts})}\n", "utf-8")


def _packed(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _packed(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_packed(part, texts) for part in value]
    if not isinstance(value, str) or len(value) <= _LONG:
        return value
    names = []
    for paragraph in value.split("\n\n"):
        name = hashlib.sha256(paragraph.encode()).hexdigest()[:8]
        assert texts.setdefault(name, paragraph) == paragraph
        names.append(name)
    return f"{MARK}{' '.join(names)}"


def _written(value: Any, indent: str = "") -> str:
    """Return JSON with what is short on a line of its own."""
    line = json.dumps(value, sort_keys=True, ensure_ascii=False)
    if len(line) <= _WIDTH or "step" in value or not isinstance(value, dict | list):
        return line
    inner = f"\n{indent} "
    if isinstance(value, dict):
        parts = [f"{json.dumps(k)}: {_written(value[k], indent + ' ')}" for k in sorted(value)]
        return f"{{{inner}{f',{inner}'.join(parts)}\n{indent}}}"
    return f"[{inner}{f',{inner}'.join(_written(part, indent + ' ') for part in value)}\n{indent}]"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.freeze")
    parser.add_argument("do", choices=("write", "compare"))
    parser.add_argument("--only", default="", metavar="NAME", help="courses whose name begins so")
    given, total = parser.parse_args(), 0
    for each in (name for name in COURSES if name.startswith(given.only)):
        new = record(each)
        found = [*differences(load_course(each), new)]
        total += len(found)
        for where, before, after in found[:3]:
            sys.stdout.write(f"{each}: {where}\n  - {before!s:.200}\n  + {after!s:.200}\n")
        if given.do == "write":
            save(each, new)
    sys.stdout.write(f"differences: {total}\n")

"""The frozen behaviour in `tests/corpus`: reading, writing, recording and comparing it.

A file has a course (settings, framing, and by step the replies or a person's act) or the name of an
example debate, and beside these inputs what came of them. Long texts stand once, below `texts`.
"""

import copy
import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Data = dict[str, Any]
Ask = Callable[..., Any]
"""What asks a package: the name of a function of `package.Package`, and its arguments by name."""

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "tests" / "corpus"
FILES = tuple(sorted(FOLDER.glob("*.json")))
VERDICT = "verdict"
REPORTED = ("faults", "in_full", "settings")
"""What is no part of the verdict: the wording of faults, and settings in full."""

_LONG, _WIDTH, _MARK = 100, 110, "\u00a7"
_MUTANT = ("step", "who", "patch", "act")


def load(path: Path) -> Data:
    """Return what a file of the corpus holds, its texts in their places."""
    data: Data = json.loads(path.read_text("utf-8"))
    return {
        key: _unpacked(part, data.get("texts", {})) for key, part in data.items() if key != "texts"
    }


def save(case: Data) -> Path:
    """Write a file of the corpus."""
    named = f"debates {case['slug']}" if "slug" in case else f"{case['protocol']} {case['variant']}"
    path = FOLDER / f"{re.sub('[^a-z0-9_]+', '-', named.lower())}.json"
    texts: dict[str, str] = {}
    packed = {key: _packed(part, texts) for key, part in case.items()}
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{_written(packed | {'texts': texts})}\n", "utf-8")
    return path


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
    return f"{_MARK}{' '.join(names)}"


def _unpacked(value: Any, texts: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _unpacked(part, texts) for key, part in value.items()}
    if isinstance(value, list):
        return [_unpacked(part, texts) for part in value]
    if isinstance(value, str) and value.startswith(_MARK):
        return "\n\n".join(texts[name] for name in value[1:].split(" "))
    return value


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


def record(ask: Ask, case: Data) -> Data:
    """Return a case with what a package makes of it."""
    if "slug" in case:
        path = ROOT / "debates" / case["slug"]
        return {"slug": case["slug"], **ask("replay", path=str(path))}
    inputs = {key: case[key] for key in ("protocol", "settings", "framing")}
    result = {**inputs, "variant": case["variant"], "in_full": ask("start", **inputs)}
    mutants = [{k: v for k, v in each.items() if k in _MUTANT} for each in case.get("mutants", ())]
    steps = []
    for number, step in enumerate(case["steps"]):
        given = {key: step[key] for key in ("act", "replies", "absent") if key in step}
        steps.append({**given, "due": ask("due")})
        for mutant in (each for each in mutants if each["step"] == number):
            if "act" in mutant:
                mutant.update(verdict(ask("consider", **mutant["act"])))
                continue
            who, patch = mutant["who"], mutant["patch"]
            mutant.update(replied(ask, given, who, patched(given["replies"][who], patch)))
        if "act" in given:
            steps[-1] |= ask("act", **given["act"])
        elif given:
            steps[-1] |= ask("submit", **given)
    return {**result, "steps": steps, "mutants": mutants}


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


def replied(ask: Ask, step: Data, who: str, reply: Any) -> Data:
    """Return what a package says of a reply among the good ones of the others."""
    return verdict(ask("check", replies=step["replies"] | {who: reply}, absent=step["absent"]))


def verdict(said: Data) -> Data:
    """Return what a package says of a reply or an act, with a digest of the entries it makes."""
    if "entries" not in said:
        accepted = None if "raised" in said else False
        return {"accepted": accepted, "faults": said.get("faults", said.get("raised"))}
    entries = sorted(json.dumps(entry, sort_keys=True) for entry in said["entries"])
    return {"accepted": True, "entries": hashlib.sha256("".join(entries).encode()).hexdigest()[:12]}


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


def kind(place: str) -> str:
    """Return what a difference is about: the verdict, or one of those that are reported beside."""
    return next((part for part in place.split("/") if part in REPORTED), VERDICT)

"""Replies with something wrong, made from good ones: every change of every part, or some."""

import copy
import re
from collections.abc import Iterator, Sequence
from typing import Any

Data = dict[str, Any]
Path = tuple[str | int, ...]

_ID = re.compile(r"[a-z][\w-]*_\d{3}[\w-]*")
_WORD = re.compile(r"[a-z_]{1,30}")


def changes(value: Any, ids: Sequence[str], path: Path = ()) -> Iterator[tuple[str, Data]]:
    """Yield what can be changed in a reply: a name for it, and the patch that does it."""
    if path:
        yield "missing", {"path": [*path], "drop": True}
    else:
        yield "in a list", {"path": [], "to": [value]}
        yield "inside", {"path": [], "to": {"zz": value}}
    if isinstance(value, dict):
        yield "more", {"path": [*path, "zz"], "to": "more"}
    for name, other in _others(value, ids):
        yield name, {"path": [*path], **other}
    listed = enumerate(value) if isinstance(value, list) else ()
    for key, part in value.items() if isinstance(value, dict) else listed:
        yield from changes(part, ids, (*path, key))


def _others(value: Any, ids: Sequence[str]) -> Iterator[tuple[str, Data]]:
    wrong: dict[str, Any] = {"null": None, "number": 7, "text": "x", "list": ["x"], "object": {}}
    if isinstance(value, str):
        wrong |= {"empty": "", "blank": " \u200b", "true": True}
        yield "long", {"repeat": ["word ", 3000]}
        if _ID.fullmatch(value):
            wrong |= {"unknown id": "zoe_001-speech", "number of an id": "prop_777"}
            wrong |= {f"id {n}": other for n, other in enumerate((*ids[:1], *ids[-2:]))}
        elif _WORD.fullmatch(value):
            wrong |= {"unknown word": "nonsense", "upper case": value.upper()}
    elif isinstance(value, bool):
        wrong |= {"other": not value}
    elif isinstance(value, int | float):
        wrong |= {"nought": 0, "negative": -1, "two": 2, "fine": 0.1234, "huge": 10**9}
        wrong |= {"opposite": -value, "as text": str(value), "true": True}
    elif isinstance(value, list):
        wrong |= {"empty": [], "null inside": [*value, None], "reversed": value[::-1]}
        if value:
            wrong |= {"twice": [*value, value[0]], "one less": value[1:], "bare": value[0]}
    for name, other in wrong.items():
        if type(other) is not type(value) or other != value:
            yield name, {"to": other}


def acts(about: Sequence[str], ids: Sequence[str]) -> Iterator[Data]:
    """Yield what a person may try: right where it is time for it, or wrong."""
    proposals = [each for each in ids if each.endswith("-proposal")]
    nothing = {"reason": "So.", "proposal": "", "text": ""}
    values: list[tuple[str, Data]] = [(name, nothing) for name in ("cancel", "escalate", "decide")]
    values += [("cancel", {"reason": " "}), ("escalate", {"reason": ""}), ("judge", nothing)]
    values += [("decide", nothing | {"text": "Neither."})]
    values += [("decide", nothing | {"proposal": each}) for each in (*proposals[-1:], "zoe_001-x")]
    values += [("decide", nothing | {"proposal": each, "text": "So."}) for each in proposals[:1]]
    values += [("answer", dict.fromkeys(about, each)) for each in ("Yes.", " ")]
    values += [("answer", dict.fromkeys((*about[1:], "zoe_001-x"), "Yes."))]
    yield from ({"name": name, "values": each} for name, each in values)


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

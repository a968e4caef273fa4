"""Replies and headers that nobody thought of: changed at random, and read by the whole program.

What fails is made small, and tried first the next time; `HYPOTHESIS_PROFILE=long` tries thousands.
"""

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, note
from hypothesis import strategies as st

from tests.builders import put
from tests.cli.stage import Said, say
from tests.courses import RICH, list_steps
from tests.ending import must_end
from tests.engine.stage import FOLDER, SLUG, lay_down, put_replies, read_files
from tests.hostile.holding import aside
from tests.hostile.laws import record, unseen
from tests.hostile.texts import CONTROLS, HOST, TEXTS

LONGEST = 256 * 1024
"""Characters that a command may print about a reply."""
FOREIGN = re.compile(rf"zq\d|{re.escape(HOST)}")
"""What stands in the texts of the scripts, and in the corpus, and never in the program's words."""
ALIVE = re.compile(r"<(?!h[123]>|blockquote>)|link to (?!a file)|\$formula")
"""Parts that no file of the record has: a tag, a link that leads out, a formula."""
AS_DOCUMENTED = frozenset({0, 1, 2, 5, 7, 8, 75})

WORDS: tuple[str, ...] = (
    *TEXTS.values(),
    *CONTROLS.values(),
    *("", " ", "\u3164", "null", "NaN", "1e999", "-0", "9" * 5000, "\ud800", "[" * 5000, "{" * 900),
    *("prop_000a", "../../x", "/etc/passwd", "judge", "person_001-decision", "r1", "all", "a" * 70),
    *("- " * 500, "*a" * 500, "`" * 999, "~~~\n" * 200, " " * 5000, "\n" * 500, "\t" * 900),
    *("> " * 99, "&a [*a,*a]", "<<: *a", "!!binary x", "---\n", "+++\n", "{}", "[]", '"', "\\"),
    *("\ufeff", "\r"),
)
RAW = {
    "a long number": "9" * 5000,
    "many digits": f"0.{'3' * 5000}",
    "deep": "[" * 900 + "]" * 900,
    "very deep": "[" * 100_000 + "]" * 100_000,
    "deep keys": '{"a":' * 900 + "1" + "}" * 900,
    "not a number": "NaN",
    "too much": "1e999",
    "twice": '{"id": 1, "id": 2}',
    "not closed": '["',
}
"""What stands in JSON that no value of ours can be, by the text that is put there."""
VALUES: tuple[Any, ...] = (
    *(*RAW, None, True, False, 0, -1, 1, 0.5, 0.001, 1e300, 10**30, [], {}, "", [[]]),
)
COMMANDS = [
    command.split()
    for command in (
        *("status", "next", "show --json", "validate", "transcript", "flow --json"),
        "export --to json",
    )
]


def _reply(good: str, chance: Random) -> bytes:
    """Return a reply that was changed: mostly in its values, at times in its bytes."""
    if chance.random() < 0.2:
        return _bytes(good.encode(), chance)
    value: Any = json.loads(good)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        value = changed(value, chance)
    return _written(value, ensure_ascii=chance.random() < 0.5)


def _file(good: bytes, chance: Random) -> bytes:
    """Return a file of the record that was changed: in its header or anywhere."""
    text = good.decode()
    if chance.random() < 0.5 or not text.startswith("---\n{"):
        return _bytes(good, chance)
    header, end = json.JSONDecoder().raw_decode(text, 4)
    for _ in range(chance.choice((1, 1, 2))):
        header = changed(header, chance)
    return b"---\n" + _written(header) + text[end:].encode()


def _written(value: Any, *, ensure_ascii: bool = False) -> bytes:
    """Write a value as JSON, with what no value can be in its place."""
    text = json.dumps(value, ensure_ascii=ensure_ascii)
    for name, raw in RAW.items():
        text = text.replace(f'"{name}"', raw)
    return text.encode("utf-8", "surrogatepass")


def changed(value: Any, chance: Random) -> Any:
    """Return a value with one place of it changed."""
    places = list(_list_places(value))
    if not places:
        return deepcopy(chance.choice(VALUES))
    said = [(holder, key) for holder, key in places if _is_said(holder[key])]
    holder, last = chance.choice(said if said and chance.random() < 0.5 else places)
    before = holder[last]
    action = chance.random()
    if action < 0.45:
        holder[last] = chance.choice(WORDS)
    elif action < 0.55 and isinstance(before, str):
        at = chance.randrange(len(before) + 1)
        holder[last] = before[:at] + chance.choice(WORDS) + before[at:]
    elif action < 0.65:
        holder[last] = deepcopy(chance.choice(VALUES))
    elif action < 0.75:
        del holder[last]
    elif action < 0.85 and isinstance(holder, dict):
        holder[chance.choice(WORDS)] = before
    elif action < 0.92 and isinstance(holder, list):
        holder[last:last] = [before] * chance.choice((1, 2, 50))
    elif action < 0.96:
        depth = chance.choice((3, 20, 40))
        holder[last] = json.loads(f"{'[' * depth}{json.dumps(before)}{']' * depth}")
    else:
        other, key = chance.choice(places)
        holder[last] = deepcopy(other[key])
    return value


def _list_places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every place in a value: what holds it, and its key or number there."""
    listed = enumerate(value) if isinstance(value, list) else ()
    for key, inner in value.items() if isinstance(value, dict) else listed:
        yield value, key
        yield from _list_places(inner)


def _is_said(value: Any) -> bool:
    """Tell whether a value is a text that somebody wrote, rather than a name or a number."""
    return isinstance(value, str) and (" " in value or FOREIGN.search(value) is not None)


def _bytes(good: bytes, chance: Random) -> bytes:
    """Return bytes that were flipped, cut, doubled or spliced."""
    changed = bytearray(good)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.choice((1, 2, 10, 200)))
        piece = chance.choice(WORDS).encode("utf-8", "surrogatepass")
        other = chance.choice(
            (bytes([chance.randrange(256)]), b"", piece, bytes(changed[at:end]) * 3)
        )
        changed[at : end if chance.random() < 0.5 else at] = other
    return bytes(changed)


chances = st.randoms(use_true_random=False)


@given(chances)
def test_a_reply_changed_at_random_is_refused_or_leaves_a_sound_record(chance: Random) -> None:
    course = chance.choice(RICH)
    steps = list_steps(course)
    number = chance.choice([n for n, step in enumerate(steps) if step.get("replies")])
    name = chance.choice(sorted(steps[number]["replies"]))
    data = _reply(json.dumps(steps[number]["replies"][name]), chance)
    note(f"{course}, {number}, {name}: {data!r}")
    with aside(), must_end():
        lay_down(course, number)
        put_replies(course, number)
        put(FOLDER, name, "", number).write_bytes(data)
        before = read_files()
        answer = _ran("submit", SLUG, "--step", number)
        if answer.code == 1:
            assert read_files() == before, "a refusal changed the record"
            return
        assert answer.code in {0, 8}
        for file, new in read_files().items():
            if file not in before and file.endswith(".md"):
                assert not [part for part in record(new.decode()) if ALIVE.match(part)], file
        for path in Path(FOLDER.within("inbox")).glob("*.prompt.md"):
            lines = path.read_bytes().decode().splitlines()
            forged = [line for line in lines if not line.startswith(">") and FOREIGN.search(line)]
            assert not forged, "foreign in a line of a prompt"
        assert _ran("validate", SLUG).code == 0
        _ran("show", SLUG)


@given(chances)
def test_a_file_changed_at_random_is_read_or_refused_and_nothing_is_lost(chance: Random) -> None:
    course = chance.choice(RICH)
    number = chance.randrange(len(list_steps(course)))
    with aside():
        lay_down(course, number)
        files = read_files()
        name = chance.choice(["debate.md", *(n for n in files if n.endswith(".md"))])
        data = _file(files[name], chance)
        note(f"{course}, {number}, {name}: {data!r}")
        commands = chance.sample(COMMANDS, 2)
        with must_end():
            Path(FOLDER.path, name).write_bytes(data)
            before = read_files()
            assert _ran("list").code in {0, 5}
            for command, *options in (["status"], *commands):
                _ran(command, SLUG, *options)
            kept = read_files(everything=True)
            assert kept["debate.md"] == before["debate.md"], "reading changed debate.md"
            assert set(before.values()) <= set(kept.values()), "reading lost a file"
            _ran("validate", SLUG, "--fix")


def _ran(*words: object) -> Said:
    """Run a command: it ends as documented, and prints nothing that steers or floods."""
    ended = say(*words)
    assert ended.code in AS_DOCUMENTED, ended.err[-300:]
    assert len(ended.out) + len(ended.err) < LONGEST
    if words[0] != "transcript":
        assert not unseen(ended.out) + unseen(ended.err), words[0]
    return ended

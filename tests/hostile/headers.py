"""Files of a stranger's debate folder that were made to stop whoever reads them."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from tests.builders import ARGUING, SLUG

MIB = 1024 * 1024
BODY = "\n# Motion\n\nThis house would X\n"
LARGE = 16 * MIB - 10_000


GOOD: dict[str, Any] = {
    "debate_id": SLUG,
    "protocol": "exchange",
    "current_exchange": 0,
    "current_phase": ARGUING,
    "step": 0,
    "cumulative_scores": {s: {"total": 0, "count": 0} for s in ("proposition", "opposition")},
    "created": "2026-01-01T00:00:00Z",
    "settings": {"word_limits": "warn"},
}


def fenced(more: str) -> bytes:
    """Return a file with `more` behind what is right in its header."""
    return b"---\n" + bare(more).replace(b"\n", b"\n---\n", 1)


def bare(more: str) -> bytes:
    """Return the same as an older tool wrote it."""
    return f"{json.dumps(GOOD)[:-1]}, {more}}}\n{BODY}".encode()


def yaml(more: str) -> bytes:
    result = "".join(f"{key}: {json.dumps(value)}\n" for key, value in GOOD.items())
    return f"---\n{result}{more}\n---\n{BODY}".encode()


def toml(more: str) -> bytes:
    plain = {key: value for key, value in GOOD.items() if not isinstance(value, dict)}
    result = "".join(f"{key} = {json.dumps(value)}\n" for key, value in plain.items())
    return f"+++\n{result}{more}\n+++\n{BODY}".encode()


def body(text: str) -> bytes:
    return f"---\n{json.dumps(GOOD)}\n---\n{text}".encode()


def _aliases() -> str:
    rows = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]" for a, b in zip("abcdefgh", "bcdefghi")]  # noqa: B905
    return "\n".join(rows)


YAML = {
    "aliases of aliases": _aliases(),
    "an alias of itself": "a: &a [*a]",
    "merge keys in merge keys": "a: " + "{<<: " * 900 + "{x: 1}" + "}" * 900,
    "200,000 brackets in YAML": "a: " + "[" * 200_000,
    "30,000 lists in lists": "a:\n" + "- " * 30_000 + "x",
    "30,000 keys that are keys": "? " * 30_000 + "x",
    "a key twice in YAML": "step: 7",
    "a key twice in a list of YAML": "a: [{b: 1, b: 2}]",
    "a Python tag": "a: !!python/object/apply:os.system ['true']",
    "a binary tag": "a: !!binary aGVsbG8=",
    "a number of 5,000 digits in YAML": "a: " + "9" * 5_000,
    "half of a surrogate pair in YAML": 'a: "\\ud800"',
    "two documents": "...\nx: 1",
    "an open text": 'a: "' + "x\n" * 30_000,
    "1 MiB of YAML": "a: " + "x" * MIB,
    "a list for a key": "? [a, b]\n: c",
}
TOML = {
    "20,000 brackets in TOML": "a = " + "[" * 20_000,
    "20,000 tables in tables": "a." * 20_000 + "a = 1",
    "tables whose names hide": '"#"."=".' * 7_000 + "a = 1",
    "10,000 lists of tables": "[[a]]\n" * 10_000,
    "a number of 5,000 digits in TOML": "a = " + "9" * 5_000,
    "open texts in TOML": 'a = """' + '\\"""' * 15_000,
}
JSON = {
    "900 levels": '"a": ' + "[" * 900 + "]" * 900,
    "a number of 5,000 digits": '"a": ' + "9" * 5_000,
    "a key twice": '"step": 7',
    "half of a surrogate pair": '"a": "\\ud800"',
}
BARE = {
    "a number with a large exponent": '"a": 1e999999999',
    "a small number": '"a": 1e-999999999',
    "NaN": '"a": NaN',
}
BODIES = {
    "20,000 fences in the context": "\n## Context\n\n" + "### x\n\n~~~text\n" * 20_000,
    "50,000 definitions without an end": "\n## Definitions\n\n" + "- **a\n" * 50_000,
    "100,000 motions": "# Motion\n\nx\n\n" * 100_000,
    "a motion of 1 MiB of white space": "\n# Motion\n\nThis" + " " * MIB + "house\n",
}

REFUSED: dict[str, Callable[[], bytes]] = {
    **{name: partial(yaml, more) for name, more in YAML.items()},
    **{name: partial(toml, more) for name, more in TOML.items()},
    **{name: partial(fenced, more) for name, more in JSON.items()},
    **{name: partial(bare, more) for name, more in BARE.items()},
    "200,000 brackets": lambda: b"---\n{" + b"[" * 200_000,
    "a step of 5,000 digits": lambda: fenced('"a": 1').replace(
        b'"step": 0', b'"step": ' + b"9" * 5_000
    ),
    "1 MiB where a request belongs": lambda: fenced('"request": {"x": "' + "k" * MIB + '"}'),
    "an open text in JSON": lambda: b'---\n{"a": "' + b'\\"' * (MIB // 2) + b"\n---\n",
    "white space behind the header": lambda: b'---\n{"a": 1}' + b"\n" * LARGE + b"x\n---\n",
    "more than 16 MiB": lambda: fenced(f'"a": "{"x" * 17 * MIB}"'),
    "100,000 fences": lambda: b"---\n" * 100_000,
    "a fence of white space": lambda: b"---" + b" " * MIB + b"x",
    "carriage returns alone": lambda: fenced('"a": 1').replace(b"\n", b"\r"),
    "no header": lambda: b"x" * MIB,
    "no UTF-8": lambda: b"\xff\xfe" * 1000,
}
READ: dict[str, Callable[[], bytes]] = {
    **{name: partial(body, BODY + text) for name, text in BODIES.items()},
    "8,000 keys in YAML": lambda: yaml("".join(f"k{number}:\n" for number in range(8_000))),
    **{
        f"YAML that is text to us: {more}": partial(yaml, f"a: {more}")
        for more in ("2026-01-31", "0xffff", "007", "no")
    },
    "a key of 1 MiB": lambda: fenced(f'"{"k" * MIB}": 1'),
    "16 MiB of header": lambda: fenced(f'"a": "{"x" * LARGE}"'),
    "1 MiB of lists": lambda: fenced('"a": [' + "[]," * (MIB // 3) + "[]]"),
    "16 MiB of white space": lambda: b"---\n" + b" " * LARGE + fenced('"a": 1')[4:],
}
HEADERS = REFUSED | READ
"""What makes the bytes of a `debate.md`, when they are needed; some must be refused."""

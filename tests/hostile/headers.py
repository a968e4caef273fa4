"""Files of a stranger's debate folder that were made to stop whoever reads them."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from tests.builders import ARGUING, SLUG

MIB = 1024 * 1024
BODY = "\n# Motion\n\nThis house would X\n"
LARGE = 16 * MIB - 10_000


class Hostile(NamedTuple):
    """The bytes of a `debate.md`, made when they are needed; whether it must be refused."""

    make: Callable[[], bytes]
    refused: bool = True


def header(**changes: Any) -> dict[str, Any]:
    totals = {side: {"total": 0, "count": 0} for side in ("proposition", "opposition")}
    return {
        "debate_id": SLUG,
        "protocol": "exchange",
        "current_exchange": 0,
        "current_phase": ARGUING,
        "step": 0,
        "cumulative_scores": totals,
        "created": "2026-01-01T00:00:00Z",
        "settings": {"word_limits": "warn"},
    } | changes


def fenced(more: str) -> bytes:
    result = json.dumps(header())[:-1]
    return f"---\n{result}, {more}}}\n---\n{BODY}".encode()


def bare(more: str) -> bytes:
    """Return a file as an older tool wrote it, with `more` in its header."""
    return f"{json.dumps(header())[:-1]}, {more}}}\n{BODY}".encode()


def yaml(more: str) -> bytes:
    """Return a file with a header in YAML that has `more` behind what is right."""
    result = "".join(f"{key}: {json.dumps(value)}\n" for key, value in header().items())
    return f"---\n{result}{more}\n---\n{BODY}".encode()


def toml(more: str) -> bytes:
    result = "".join(
        f"{key} = {json.dumps(value)}\n"
        for key, value in header().items()
        if not isinstance(value, dict)
    )
    return f"+++\n{result}{more}\n+++\n{BODY}".encode()


def body(text: str) -> bytes:
    """Return a file with a good header and this body."""
    return f"---\n{json.dumps(header())}\n---\n{text}".encode()


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

HEADERS: dict[str, Hostile] = {
    **{name: Hostile(partial(yaml, more)) for name, more in YAML.items()},
    **{name: Hostile(partial(toml, more)) for name, more in TOML.items()},
    **{name: Hostile(partial(fenced, more)) for name, more in JSON.items()},
    **{name: Hostile(partial(bare, more)) for name, more in BARE.items()},
    **{name: Hostile(partial(body, BODY + text), refused=False) for name, text in BODIES.items()},
    "8,000 keys in YAML": Hostile(
        lambda: yaml("".join(f"k{number}:\n" for number in range(8_000))), refused=False
    ),
    **{
        f"YAML that is text to us: {more}": Hostile(partial(yaml, f"a: {more}"), refused=False)
        for more in ("2026-01-31", "0xffff", "007", "no")
    },
    "200,000 brackets": Hostile(lambda: b"---\n{" + b"[" * 200_000),
    "a step of 5,000 digits": Hostile(
        lambda: fenced('"a": 1').replace(b'"step": 0', b'"step": ' + b"9" * 5_000)
    ),
    "a key of 1 MiB": Hostile(lambda: fenced(f'"{"k" * MIB}": 1'), refused=False),
    "1 MiB where a request belongs": Hostile(
        lambda: fenced('"request": {"x": "' + "k" * MIB + '"}')
    ),
    "an open text in JSON": Hostile(lambda: b'---\n{"a": "' + b'\\"' * (MIB // 2) + b"\n---\n"),
    "16 MiB of header": Hostile(lambda: fenced(f'"a": "{"x" * LARGE}"'), refused=False),
    "1 MiB of lists": Hostile(lambda: fenced('"a": [' + "[]," * (MIB // 3) + "[]]"), refused=False),
    "16 MiB of white space": Hostile(
        lambda: b"---\n" + b" " * LARGE + fenced('"a": 1')[4:], refused=False
    ),
    "white space behind the header": Hostile(
        lambda: b'---\n{"a": 1}' + b"\n" * LARGE + b"x\n---\n"
    ),
    "more than 16 MiB": Hostile(lambda: fenced(f'"a": "{"x" * 17 * MIB}"')),
    "100,000 fences": Hostile(lambda: b"---\n" * 100_000),
    "a fence of white space": Hostile(lambda: b"---" + b" " * MIB + b"x"),
    "carriage returns alone": Hostile(lambda: fenced('"a": 1').replace(b"\n", b"\r")),
    "no header": Hostile(lambda: b"x" * MIB),
    "no UTF-8": Hostile(lambda: b"\xff\xfe" * 1000),
}

"""Headers in YAML and TOML, as editors leave them: small, shallow, and nothing but data."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any

from debate_ops.formats import bounded_toml
from debate_ops.formats.bounded_json import MAX_DEPTH, MAX_DIGITS, digits
from debate_ops.formats.bounded_toml import TOO_DEEP, UnreadableError
from debate_ops.formats.json_text import dumps

MAX_CHARACTERS = 64 * 1024
TOML = "+++"


def read(fence: str, text: str) -> dict[str, Any]:
    """Return what stands between two fences: TOML between `+++`, YAML between `---`.

    Raises:
        UnreadableError: it goes beyond a bound, or cannot be read.
    """
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError(f"larger than {MAX_CHARACTERS // 1024} KiB")
    try:
        header = _plain(_loaded(fence, text))
        dumps(header).encode("utf-8")  # half of a surrogate pair is not text
    except UnreadableError:
        raise
    except Exception as error:  # noqa: BLE001  (whatever the YAML or TOML reader raises)
        raise UnreadableError(str(error), _line(error)) from None
    return header if isinstance(header, dict) else {}


@lru_cache(maxsize=4)
def _loaded(fence: str, text: str) -> Any:
    """Return the data of a header; a command reads the same one several times."""
    text = text.replace("\r\n", "\n")
    return bounded_toml.read(text) if fence == TOML else _yaml(text)


def _yaml(text: str) -> Any:
    import yaml  # type: ignore[import-untyped]
    from frontmatter.default_handlers import SafeLoader, YAMLHandler

    safe: Any = SafeLoader

    class Loader(safe):  # type: ignore[misc]
        """A safe loader for which a key counts once."""

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:  # noqa: FBT001, FBT002
            keys = [(key.tag, key.value) for key, _ in node.value if isinstance(key.value, str)]
            if len(set(keys)) != len(keys):
                raise UnreadableError("a key is given twice", node.start_mark.line + 1)
            return super().construct_mapping(node, deep)

    depth = 0
    for event in yaml.parse(text, Loader=SafeLoader):  # one after the other: nothing is built yet
        line = event.start_mark.line + 1
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > MAX_DEPTH:
            raise UnreadableError(TOO_DEEP, line)
        if getattr(event, "anchor", None) is not None:
            raise UnreadableError("an anchor (&) or an alias (*), which are not read", line)
        if getattr(event, "tag", None) is not None:
            raise UnreadableError("a tag (!), which is not read", line)
    return YAMLHandler().load(text, Loader=Loader)


def _plain(value: Any) -> Any:
    """Return data as JSON has it, every bound kept."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        plain = {str(_plain(key)): _plain(item) for key, item in value.items()}
        if len(plain) != len(value):
            raise UnreadableError("a key is given twice")
        return plain
    if isinstance(value, bool | str) or value is None:
        return value
    return _number(value) if isinstance(value, int | float | Decimal) else str(value)


def _number(value: float | Decimal) -> int | Decimal | str:
    exact = value if isinstance(value, int) else Decimal(str(value))
    if isinstance(exact, Decimal) and not exact.is_finite():
        return str(value)
    if digits(str(exact)) > MAX_DIGITS:
        raise UnreadableError(f"a number of more than {MAX_DIGITS} digits")
    return exact


def _line(error: Exception) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    return mark.line + 1 if mark else getattr(error, "line", 1)

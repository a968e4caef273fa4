"""Prompt templates: Markdown files with `{{name}}` placeholders, one folder per protocol."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from debate_ops.errors import ConfigurationError

PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")
_PART = re.compile(r"^<!-- (?:if ([a-z_]+)|end) -->\n", re.MULTILINE)
"""Where a part of a template begins that is left out if a value is empty, and where it ends."""
_BLANK_LINES = re.compile(r"\n{3,}")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def skill_folder() -> str:
    """Return the folder of SKILL.md and the templates: the checkout, or the wheel's copy."""
    packed = os.path.join(_PACKAGE, "_skill")
    return packed if os.path.isdir(os.path.join(packed, "templates")) else os.path.dirname(_PACKAGE)


def read(name: str) -> str:
    """Return a template's text; `name` is its path below `templates/` without `.md`.

    Raises:
        ConfigurationError: the installation lacks it.
    """
    path = os.path.join(skill_folder(), "templates", f"{name}.md")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ConfigurationError(
            f"the template {path} cannot be read: {error.strerror}",
            hint="Install debate_ops again, or bring the file back.",
        ) from None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its placeholders replaced, once: values are never searched again.

    Several blank lines that empty values leave become one.

    >>> fill("A {{x}} B", {"x": "{{y}}"})
    'A {{y}} B'
    """
    first, *rest = PLACEHOLDER.split(_parts(template, values))
    filled = _BLANK_LINES.sub("\n\n", first)
    for name, piece in zip(rest[::2], rest[1::2], strict=True):
        value, after = values[name], _BLANK_LINES.sub("\n\n", piece)
        if not value.strip() and filled.endswith("\n\n"):
            value, after = "", after.lstrip("\n")
        filled += value + after
    return filled


def _parts(template: str, values: Mapping[str, str]) -> str:
    r"""Return a template without its parts that are about a value that is empty.

    >>> _parts("A\n<!-- if x -->\n{{x}}\n<!-- end -->\nB", {"x": ""})
    'A\nB'
    """
    first, *rest = _PART.split(template)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return first + "".join(part for name, part in pairs if not name or values[name].strip())

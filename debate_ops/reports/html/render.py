"""The page in HTML as one text: values laid out by templates, its style and script inside it."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Mapping
from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from debate_ops.model.texts import one_line
from debate_ops.reports.colours import PALETTES, Palette
from debate_ops.reports.given import Given
from debate_ops.reports.html.view import view
from debate_ops.reports.text import capitalised

_TEMPLATES = os.path.join(os.path.dirname(__file__), "templates")


def page(given: Given, pictures: Mapping[str, str]) -> str:
    """Return the page of a debate: the same debate gives the same bytes.

    It loads nothing and runs nothing but its own script: its policy names both by their digests.
    `pictures` are its charts, as SVG.
    """
    shown = view(given, pictures)
    sections = {s.key: shown.write.section(s) for s in shown.written}
    style = f"\n{_colours()}{source('page.css')}"
    script = f"\n{source('page.js')}"
    text = (
        _environment()
        .get_template("page.html.jinja")
        .render(
            view=shown,
            screen=shown.screen,
            write=shown.write,
            sections=sections,
            style=Markup(style),  # noqa: S704  (our own file, and numbers)
            script=Markup(script),  # noqa: S704  (our own file)
            policy=_policy(style, script),
        )
    )
    return f"{text}\n"


def _colours() -> str:
    """Return the colours of both themes as variables, chosen by the reader's device or by hand."""
    light, dark = (_variables(PALETTES[theme]) for theme in ("light", "dark"))
    return (
        f":root {{ color-scheme: light; {light} }}\n"
        "@media (prefers-color-scheme: dark) {\n"
        f"  :root:not([data-theme='light']) {{ color-scheme: dark; {dark} }}\n}}\n"
        f":root[data-theme='dark'] {{ color-scheme: dark; {dark} }}\n"
    )


def _variables(palette: Palette) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in palette._asdict().items())


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    found = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(found).decode('ascii')}"


@cache
def _environment() -> Environment:
    found = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters["number"] = "{:,}".format
    found.filters["line"] = one_line
    found.filters["sentence"] = capitalised
    return found


@cache
def source(name: str) -> str:
    """Return a file beside the templates; its line ends are those that browsers hash."""
    with open(os.path.join(_TEMPLATES, name), encoding="utf-8") as file:
        return file.read()

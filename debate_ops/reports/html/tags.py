"""Elements of HTML; whatever is no HTML yet is escaped on its way into one."""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape


def tag(name: str, *inner: str, **attributes: object) -> Markup:
    """Return an element; an underscore at the end of an attribute's name is not part of it.

    >>> tag("a", "A & ", tag("b", "B"), href="#x", class_="y")
    Markup('<a href="#x" class="y">A &amp; <b>B</b></a>')
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return html(f"<{name}{written}>{''.join(map(escape, inner))}</{name}>")


def joined(parts: Iterable[str]) -> Markup:
    """Return parts one after the other."""
    return html("".join(map(escape, parts)))


def html(text: str) -> Markup:
    """Mark a text as HTML: put together of escaped parts alone, or from a file of our own."""
    return Markup(text)  # noqa: S704  (all HTML is marked here)

"""Named tuples and patterns that cost little to declare.

Every command is a process of its own, and a short one spends most of its time on declarations of
which it uses few. The standard library reads every annotation of a named tuple, writes code for it,
and compiles a pattern at once; here that happens at the first use, or not at all.
"""

from __future__ import annotations

import re

__all__ = ["NamedTuple", "pattern"]

TYPE_CHECKING = False
if TYPE_CHECKING:  # importing `typing` takes its time
    from collections.abc import Iterable
    from typing import Any, NamedTuple, Self
else:
    from _collections import _tuplegetter as field_at  # as `collections.namedtuple` does

    class _Declared(type):
        """Makes a class with annotations a tuple with these fields."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not hasattr(bases[0], "_fields"):
                fields = (*body.get("__annotations__", ()),)
                defaults = {field: body[field] for field in fields if field in body}
                body |= {field: field_at(place, "") for place, field in enumerate(fields)}
                body |= {"__slots__": (), "__match_args__": fields, "_field_defaults": defaults}
                body |= {} if bases == (tuple,) else {"_fields": fields}
            return super().__new__(cls, name, bases, body)

    class NamedTuple(tuple, metaclass=_Declared):
        """What `typing.NamedTuple` is; the code that makes a tuple is written for its first one."""

        __slots__ = ()

        def __new__(cls, /, *values: Any, **named: Any) -> Self:
            """Return a tuple, and leave code behind that makes the next one without a detour."""
            declared = next(c for c in cls.__mro__ if "_fields" in vars(c))
            names = ", ".join(declared._fields)
            code = f"lambda _cls, {names}: _new(_cls, ({names},))"
            new = eval(code, {"_new": tuple.__new__, "__name__": declared.__module__})  # noqa: S307
            new.__name__, new.__qualname__ = "__new__", f"{declared.__qualname__}.__new__"
            new.__defaults__ = (*declared._field_defaults.values(),)
            declared.__new__ = staticmethod(new)
            return new(cls, *values, **named)

        @classmethod
        def _make(cls, values: Iterable[Any]) -> Self:
            return cls(*values)

        def _replace(self, /, **changed: Any) -> Self:
            made = tuple.__new__(type(self), map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"Got unexpected field names: {[*changed]!r}")
            return made

        def _asdict(self) -> dict[str, Any]:
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self) -> str:
            values = (f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(values)})"

        def __getnewargs__(self) -> tuple[Any, ...]:
            return tuple(self)


class _Pattern:
    """A pattern that is compiled when a method of it is asked for."""

    def __init__(self, text: str, flags: int) -> None:
        self._written = text, flags

    def __getattr__(self, name: str) -> object:
        attribute = getattr(re.compile(*self._written), name)
        setattr(self, name, attribute)
        return attribute


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern as `re.compile` does; it is compiled when it is used.

    >>> pattern("b+").sub("c", "abba")
    'aca'
    """
    return _Pattern(text, flags)  # type: ignore[return-value]

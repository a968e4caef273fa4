"""What `startup` declares is what the standard library declares, and costs nothing until used."""

from __future__ import annotations

import copy
import re

import pytest

from debate_ops import startup


class Point(startup.NamedTuple):
    """A tuple with a default, a property and a method."""

    x: int
    y: int = 2

    @property
    def total(self) -> int:
        return self.x + self.y


class Named(Point):
    """A class of one's own that is derived from a named tuple."""


@pytest.mark.parametrize("kind", [Point, Named])
def test_it_is_a_tuple_with_names(kind: type[Point]) -> None:
    point = kind(1)
    assert isinstance(point, kind)
    assert point == (1, 2) == kind(y=2, x=1) == kind._make([1, 2])
    assert (point.x, point.y, point.total) == (1, 2, 3)
    assert point._asdict() == {"x": 1, "y": 2}
    assert repr(point) == f"{kind.__name__}(x=1, y=2)"
    assert kind._fields == ("x", "y")
    assert kind._field_defaults == {"y": 2}


def test_a_changed_copy_is_of_the_same_class() -> None:
    changed = Named(1)._replace(y=5)
    assert changed == (1, 5)
    assert type(changed) is type(copy.deepcopy(changed)) is Named
    assert copy.deepcopy(changed) == copy.copy(changed) == changed
    with pytest.raises(ValueError, match="z"):
        Named(1)._replace(z=5)  # type: ignore[call-arg]


@pytest.mark.parametrize("values", [(), (1, 2, 3)])
def test_it_takes_neither_too_few_values_nor_too_many(values: tuple[int, ...]) -> None:
    with pytest.raises(TypeError):
        Point(*values)


def test_a_pattern_is_compiled_when_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    lazy = startup.pattern("b+", re.IGNORECASE)
    assert lazy.sub("c", "aBBa") == startup.pattern("B+").sub("c", "aBBa") == "aca"
    lazy = startup.pattern("b+", re.IGNORECASE)
    monkeypatch.setattr(re, "compile", lambda *_: "compiled now")
    assert lazy.upper() == "COMPILED NOW"  # type: ignore[attr-defined]

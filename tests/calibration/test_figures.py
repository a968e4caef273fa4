"""The arithmetic is done again from the figures in a document, and gives what is right."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from tests.calibration.own import Figures, answers, document, of_kind

if TYPE_CHECKING:
    from collections.abc import Callable

YEARS = 6


def oven(figures: Figures) -> str:
    power = figures.number(r"Electricity costs us ([\d.]+)")
    gas = figures.number(r"gas ([\d.]+)\. ")
    loaves = figures.number(r"bake on (\d+) days") * figures.number(r"and (\d+) loaves") * YEARS

    def cost(row: dict[str, float]) -> float:
        energy = power * row["electricity for a batch, kWh"] + gas * row["gas for a batch, kWh"]
        flue = row["inspection of the flue, each time"] * row["inspections of the flue in a year"]
        paid_years = YEARS - row["years of service included in the price"]
        return (
            row["price of the oven"]
            + row["delivery and installation"]
            + energy * loaves / row["loaves in a batch"]
            + row["service for a year"] * paid_years
            + flue * YEARS
            - row["taken back after six years for"]
        )

    pipe = figures.number(r"lay it for ([\d,]+),")
    cheaper = cost(figures.column(0)) < cost(figures.column(1)) + pipe
    return f"The oven named {'Drossel' if cheaper else 'Ferrant'} costs less."


def ferry(figures: Figures) -> str:
    row = figures.column(0)
    people = figures.number(r"(\d+) people with tickets")
    vans = figures.number(r"cars and (\d+) vans of") * row["spaces that a van takes"]
    spaces = figures.number(r"come (\d+) cars") + vans
    enough = [
        loaded + empty
        for loaded, empty in product(range(20), range(1, 20))
        if loaded * row["spaces for cars on the deck"] >= spaces
        and loaded * row["people, on a departure with vehicles"]
        + empty * row["people, on a departure without vehicles"]
        >= people
    ]
    words = {12: "twelve", 13: "thirteen"}
    return f"It takes {words[min(enough)]} departures."


TRUTH: dict[str, Callable[[Figures], str]] = {"bakery-oven": oven, "island-ferry": ferry}


@pytest.mark.parametrize("name", of_kind("figures"))
def test_the_figures_give_the_answer_that_is_right(name: str) -> None:
    assert TRUTH[name](Figures(name)) == answers(name)[0]
    assert 500 <= len(document(name).split()) <= 1000

"""The arithmetic is done again from the figures in a document, and gives what is right."""

import math
from collections.abc import Callable
from datetime import date, timedelta
from itertools import product

import pytest

from tests.calibration.own import Figures, answers, document, of_kind

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


def reservoir(figures: Figures) -> str:
    row = figures.column(0)
    holds = figures.number(r"the reservoir held ([\d,]+) cubic")
    mark = figures.number(r"When it holds ([\d,]+) cubic")
    norley = figures.number(r"Norley takes (\d+) cubic")
    brewery = figures.number(r"It uses (\d+) cubic")
    day = date(2019, 6, 2)
    assert day.strftime("%A") == "Sunday"
    while holds > mark:
        day += timedelta(1)
        holds += row[
            "the stream brings, until the 22nd of June"
            if day <= date(2019, 6, 22)
            else "the stream brings, from the 23rd of June on"
        ]
        days = "on Saturday and on Sunday" if day.weekday() >= 5 else "from Monday to Friday"
        holds -= row[f"the town uses, {days}"]
        holds += brewery if date(2019, 6, 10) <= day <= date(2019, 6, 16) else 0
        holds -= norley if day >= date(2019, 6, 17) else 0
        holds -= row["evaporation"] + row["the river below has to be given"]
    return f"It is the {day.day}{ {3: 'rd'}.get(day.day, 'th') } of {day.strftime('%B')}."


def yearbook(figures: Figures) -> str:
    row = figures.column(0)
    copies = figures.number(r"We need ([\d,]+) good copies")
    colour = (
        figures.number(r"160 pages, (\d+) of them") - row["pages in colour that the price includes"]
    )
    printed = math.ceil(copies / (figures.number(r"so many that (\d+) in a hundred") / 100))
    once = row["setting up the press, once"] + row["plates for the colour section, once"]
    each = row["each copy printed"] * printed + row["binding, each copy delivered"] * copies
    hadley = (once + each) * 0.97 + row["delivery to the boathouse"]
    norrin = (
        1000 * row["each copy, for the first 1,000"]
        + (copies - 1000) * row["each copy beyond that"]
        + colour * row["each further page in colour, each copy"] * copies
    )
    if norrin < 5000:
        norrin += row["delivery, for orders below 5,000.00"]
    return f"The printer named {'Norrin' if norrin < hadley else 'Hadley'} asks less."


def heating(figures: Figures) -> str:
    pump, boiler = figures.column(0), figures.column(1)
    need, years = figures.number(r"needs ([\d,]+) kWh of heat"), 10
    most = figures.number(r"does not exceed ([\d,]+) for")
    fuel = {
        0.4: need
        / figures.number(r"it gives ([\d.]+) kWh")
        * figures.number(r"costs ([\d.]+) for a k"),
        0.2: need
        / figures.number(r"kilogram of pellets holds ([\d.]+)")
        / (figures.number(r"of which (\d+) in a hundred") / 100)
        * figures.number(r"Pellets cost ([\d.]+)"),
    }

    def cost(row: dict[str, float], part: float) -> float:
        visits = row["visits of the sweep in a year"] * figures.number(r"the sweep costs (\d+)")
        return (
            row["price, installed"]
            - min(most, part * row["price, installed"])
            + row["stronger connection to the mains"]
            + row["conversion of the coal cellar into a store"]
            + years * (fuel[part] + row["upkeep in a year"] + visits)
        )

    cheaper = "heat pump" if cost(pump, 0.4) < cost(boiler, 0.2) else "pellet boiler"
    return f"The {cheaper} costs it less."


def depot(figures: Figures) -> str:
    kilometre = figures.number(r"A kilometre costs us ([\d.]+),")
    ash_rent = figures.number(r"in Ash Lane costs (\d+) a week")
    quarry_rent = figures.number(r"the one in Quarry Road (\d+)\.")
    tolls = sum(figures.rows[village][0] for village in ("Pennow", "Quist"))
    ash, quarry = (
        2 * kilometre * sum(row[0] * row[place] for row in figures.rows.values())
        for place in (1, 2)
    )
    ash += ash_rent + 2 * tolls * figures.number(r"and pays ([\d.]+) each way")
    return f"The one in {'Ash Lane' if ash < quarry + quarry_rent else 'Quarry Road'} costs less."


def ward(figures: Figures) -> str:
    shifts = [figures.rows[name] for name in ("early", "late", "night")]
    hours = 8 * sum(5 * weekday + 2 * weekend for weekday, weekend in shifts)
    hours += 0.5 * (5 * shifts[2][0] + 2 * shifts[2][1])
    row = {name: values[0] for name, values in figures.rows.items()}
    at_work = row["hours of a contract, in a week"]
    at_work -= row["hours of these for teaching and meetings, in a week"]
    at_work *= 1 - row["of the remaining hours lost to leave and illness, in a hundred"] / 100
    words = {16: "Sixteen", 17: "Seventeen"}
    return f"{words[math.ceil(hours / at_work)]} have to be appointed."


def mill(figures: Figures) -> str:
    hour = figures.number(r"An hour of work costs us (\d+) crowns")
    florin = figures.number(r"the bank gives ([\d.]+) crowns")
    paid = figures.number(r"(\d+) in a hundred are paid") / 100

    def left(row: dict[str, float], crowns: float) -> float:
        work = row["hours at the loom for a piece"] + row["hours of finishing for a piece"]
        price = row["price of a piece, in the customer's money"] * crowns
        piece = price - row["yarn for a piece, crowns"] - hour * work
        return row["pieces"] * piece - row["freight for the whole order, crowns"]

    vessmer, callin = left(figures.column(0), florin * 0.985), left(figures.column(1), paid)
    return f"The order of {'Vessmer' if vessmer > callin else 'Callin'} leaves more."


TRUTH: dict[str, Callable[[Figures], str]] = {
    "bakery-oven": oven,
    "island-ferry": ferry,
    "reservoir-days": reservoir,
    "yearbook-print": yearbook,
    "hall-heating": heating,
    "depot-lane": depot,
    "ward-rota": ward,
    "mill-orders": mill,
}


@pytest.mark.parametrize("name", of_kind("figures"))
def test_the_figures_give_the_answer_that_is_right(name: str) -> None:
    assert TRUTH[name](Figures(name)) == answers(name)[0]
    assert 500 <= len(document(name).split()) <= 1000

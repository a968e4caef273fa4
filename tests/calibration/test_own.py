"""Our own questions: their answers are right, not given away, and read like those of others."""

import json
import math
import re
import shutil
import statistics
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from benchmarks import known_debates
from debate_ops import engine
from debate_ops.imports import read_data
from tests.builders import ROOT, argument, debate_at, ground, hold, opening

pytestmark = pytest.mark.usefixtures("work")

SET = ROOT / "debate_ops" / "calibration"
QUESTIONS: dict[str, dict[str, Any]] = {
    item["id"]: item for item in json.loads((SET / "own.json").read_text(encoding="utf-8"))
}


def document(name: str) -> str:
    return (SET / "own" / f"{name}.md").read_text(encoding="utf-8")


def of_kind(kind: str) -> list[str]:
    return [name for name, item in QUESTIONS.items() if item["kind"] == kind]


def answers(name: str) -> tuple[str, str]:
    """Return the right answer and the wrong one."""
    item = QUESTIONS[name]
    right = item["correct"]
    (wrong,) = set(item["answers"]) - {right}
    return item["answers"][right], item["answers"][wrong]


class Figures:
    """The numbers of a document: those of its tables by row, those of its text by a pattern."""

    def __init__(self, name: str) -> None:
        self.text = document(name)
        self.rows: dict[str, list[float]] = {}
        for line in self.text.splitlines():
            label, *cells = [cell.strip() for cell in line.strip("| ").split("|")]
            if cells and all(re.fullmatch(r"-?[\d,]+(\.\d+)?", cell) for cell in cells):
                self.rows[label] = [_value(cell) for cell in cells]

    def column(self, place: int) -> dict[str, float]:
        return {label: values[place] for label, values in self.rows.items()}

    def number(self, pattern: str) -> float:
        (figure,) = re.findall(pattern, self.text)
        return _value(figure)


def _value(figure: str) -> float:
    return float(figure.replace(",", ""))


KINDS = {"facts": 8, "code": 8, "figures": 8}


def test_right_answers_are_as_long_as_wrong_ones() -> None:
    differences = [len(right) - len(wrong) for right, wrong in map(answers, QUESTIONS)]
    assert max(map(abs, differences)) <= 8
    assert abs(statistics.mean(differences)) < 1


def test_every_document_belongs_to_one_question() -> None:
    documents = [item["document"] for item in QUESTIONS.values()]
    assert sorted(documents) == sorted(f"own/{path.name}" for path in (SET / "own").iterdir())
    assert {kind: len(of_kind(kind)) for kind in KINDS} == KINDS


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_reader_of_the_other_set_reads_this_one(name: str) -> None:
    assert read_data(QUESTIONS[name]).positions == QUESTIONS[name]["answers"]


def test_neither_letter_is_right_more_often_and_there_is_no_pattern() -> None:
    letters = [item["correct"] for item in QUESTIONS.values()]
    for own in (letters, *([QUESTIONS[name]["correct"] for name in of_kind(k)] for k in KINDS)):
        assert own.count("A") * 2 == len(own)
    for step in range(1, 5):
        alike = [a == b for a, b in zip(letters, letters[step:], strict=False)]
        assert 0.25 < statistics.mean(alike) < 0.75


@pytest.mark.parametrize("name", of_kind("facts"))
def test_what_decides_a_fact_is_in_its_document_in_several_places(name: str) -> None:
    text, passages = document(name), QUESTIONS[name]["decided_by"]
    assert len(passages) >= 2
    places = [text.index(passage) for passage in passages]
    assert max(places) - min(places) > 1000
    assert 1200 <= len(text.split()) <= 2000


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_debate_has_the_document_and_both_answers_and_not_which_is_right(name: str) -> None:
    item = QUESTIONS[name]
    debate = engine.load(known_debates.create(item)).debate
    assert debate.documents == ((f"{name}.md", document(name).rstrip("\n")),)
    assert all(answer in debate.scope for answer in item["answers"].values())
    other = {"A": "B", "B": "A"}[item["correct"]]
    framing = known_debates.framing_of(item | {"correct": other}, debate.documents[0])
    assert (framing.motion, framing.scope) == (debate.motion, debate.scope)


def test_what_was_said_in_a_debate_becomes_the_speeches_of_its_question() -> None:
    name = next(iter(QUESTIONS))
    path = Path(shutil.copy(SET / "own.json", "own.json"))
    Path(debate_at(2).path).rename(Path("debates", name))
    assert list(known_debates.keep(path, [])) == [name]
    (item,) = (item for item in json.loads(path.read_text("utf-8")) if item["id"] == name)
    rounds = [(speech["round"], speech["debater"]) for speech in item["speeches"]]
    assert rounds == [(1, "A"), (1, "B"), (2, "A"), (2, "B")]
    assert all("[prop_" in s["text"] or "[opp_" in s["text"] for s in item["speeches"])
    assert {**item, "speeches": []} == {**QUESTIONS[name], "speeches": []}


def test_only_words_that_are_in_the_document_are_marked_as_quoted() -> None:
    name = "survey-boats"
    folder = known_debates.create(QUESTIONS[name], quotations="mark")
    passage = QUESTIONS[name]["decided_by"][0]
    grounds = [
        ground(document=f"{name}.md", quote=passage),
        ground(document=f"{name}.md", quote="Mr Tolland had the measles."),
        ground(content="It says: <quote>Mr Tolland had the mumps.</quote>"),
    ]
    others = (argument(claim="It was the boat."), argument(claim="It was the tide."))
    hold(folder, prop=opening("prop", argument(grounds=grounds), *others))
    hold(folder)
    text = known_debates.speeches(folder)[0]["text"]
    assert f"<quote>{passage}</quote>" in text
    assert text.count("<quote>") == text.count("</quote>") == 1
    assert "measles" in text
    assert "mumps" in text


def program(name: str) -> dict[str, Any]:
    """Run the module that is a document, and return its names."""
    (code,) = re.findall(r"^```python\n(.*?)^```$", document(name), re.DOTALL | re.MULTILINE)
    assert 60 <= len(code.splitlines()) <= 150
    names: dict[str, Any] = {"__name__": name}
    exec(compile(code, name, "exec"), names)  # noqa: S102  (a document of ours)
    return names


def locker(names: dict[str, Any]) -> str:
    return f"It lies in locker {names['replay'](names['WEEK']).where('gorse')}."


def ring(names: dict[str, Any]) -> str:
    received = names["relay"](names["started"](), "panel", names["SCRIPT"])
    written = sum(step for step in names["SCRIPT"] if isinstance(step, int))
    if received == list(range(1, written + 1)):
        return "All of the readings, with no gap among them."
    return "Some of the readings, with a gap among them."


def amount(names: dict[str, Any]) -> str:
    return f"It returns {names['invoice'](names['ORDER'], names['SHOP'])} crowns."


def third(names: dict[str, Any]) -> str:
    return f"The third one is `{names['order'](names['MORNING'])[2]}`."


def scripts() -> Iterator[list[tuple[Any, ...]]]:
    """Yield many ways to use a ledger of the accounts a, b and c."""
    accounts = ["a", "b", "c", "pot"]
    for amount, size, swept in product(range(1, 130, 9), range(1, 4), accounts):
        for named in product(accounts, repeat=size):
            yield [
                ("deposit", "a", 500),
                ("hold", 1, "a", amount),
                ("divide", 1, list(named)),
                ("sweep", swept),
            ]


def change(names: dict[str, Any]) -> str:
    breaking = [
        kind
        for kind in ("Ledger", "Early", "Late")
        if any(names["play"](names[kind], "abc", script) for script in scripts())
    ]
    return f"The change `{', '.join(breaking)}` can break it."


def items(names: dict[str, Any]) -> str:
    queue = names["shift"](names["ITEMS"], names["LETTERS"])
    missing = set(names["ITEMS"]) - {*queue.done, *queue.given_up}
    if missing:
        return f"{'One' if len(missing) == 1 else 'Some'} of them is neither done nor given up."
    return "Each of them is done or has been given up."


def text(names: dict[str, Any]) -> str:
    return f"It leaves `{names['run'](names['SCRIPT']).text}`."


def key(names: dict[str, Any]) -> str:
    return f"The key `{', '.join(names['play'](names['SCRIPT']).lost)}` has been pushed out."


PROGRAMS: dict[str, Callable[[dict[str, Any]], str]] = {
    "locker-bank": locker,
    "sensor-ring": ring,
    "invoice-rounding": amount,
    "job-scheduler": third,
    "ledger-changes": change,
    "retry-queue": items,
    "text-undo": text,
    "two-level-cache": key,
}


@pytest.mark.parametrize("name", of_kind("code"))
def test_the_program_gives_the_answer_that_is_right(name: str) -> None:
    assert PROGRAMS[name](program(name)) == answers(name)[0]


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


FIGURES: dict[str, Callable[[Figures], str]] = {
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
    assert FIGURES[name](Figures(name)) == answers(name)[0]
    assert 500 <= len(document(name).split()) <= 1000

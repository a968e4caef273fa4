"""A design debate for its readers: the solution, what it meets by the judge, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.model.entries import Contribution
from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.design import filing
from debate_ops.protocols.design.course import ENDS
from debate_ops.protocols.design.names import ASSESSMENT, CONFIDENCE_CAP, JUDGE, MAJOR, REJECTED
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Line, Quiet, Ref, Strong, Table, line
from debate_ops.reports.cancelled import cancelled
from debate_ops.reports.design.numbers import Numbers, why_so_sure
from debate_ops.reports.made import LENGTH, makers
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import capitalised, counted, excerpt, shorten
from debate_ops.reports.view import Answer, Case, View

_CORE = 420
_ITEM, _MET = 240, 70
_HALF, _SURE = 50, 80
_FEW = 3


def view(numbers: Numbers) -> View:
    """Return what readers are shown of a design debate."""
    solution = numbers.solution
    authors = counted(len(numbers.authors), "author")
    exchanges = counted(numbers.exchange, "exchange")
    return View(
        content=numbers.content,
        choices={},
        favoured="",
        sureness=sureness.of(_reasons(numbers, solution)),
        shares={},
        data=dict(_data(numbers)),
        answer=Answer(
            quiet=f"design debate · {authors}, one judge, {exchanges}",
            text=_text(numbers),
            why=tuple(_why(numbers, numbers.content.stops_at)),
            picture=_picture(numbers) if solution and numbers.requirements else None,
            cases=tuple(_cases(numbers)) if solution else (),
            turns_on=_few(numbers.listed("open_questions")),
            next_steps=_few(numbers.listed("recommendations")),
            is_reached=solution is not None,
        ),
    )


def _few(texts: tuple[str, ...]) -> tuple[Line, ...]:
    return tuple(line(excerpt(text, _ITEM)) for text in texts[:_FEW])


def _reasons(numbers: Numbers, solution: Contribution | None) -> Iterator[Reason]:
    if solution is None:
        yield Reason("There is no solution yet", Level.TOO_CLOSE)
        return
    sure = int(solution.data["confidence"])
    level = Level.LOW if sure < _HALF else Level.MODERATE if sure < _SURE else Level.HIGH
    major = sum(r["level"] == MAJOR for r in numbers.unmet)
    cap = f" (a major requirement that is not met caps it at {CONFIDENCE_CAP})" if major else ""
    yield Reason(f"The judge's own confidence is {sure} of 100{cap}", level)
    if numbers.unmet:
        named = f", {major} of them major" if major else ""
        total = counted(len(numbers.requirements), "requirement")
        yield Reason(
            f"{len(numbers.unmet)} of {total} not met or only in part{named}",
            Level.LOW if major else Level.MODERATE,
        )
    judge = next(m for m in numbers.made if m.participant == JUDGE)
    who = makers(judge, LENGTH) if judge.by else "model unknown"
    yield Reason(f"One judge, one run ({who})", Level.MODERATE)
    yield Reason("Nothing was built or measured", Level.MODERATE)


def _text(numbers: Numbers) -> str:
    phase = numbers.debate.state.phase
    if numbers.solution:
        return str(numbers.solution.data.get("title") or "A solution")
    if phase == CANCELLED:
        return "Cancelled without a solution"
    return "No solution" if phase in ENDS else "No answer yet: the debate is not over"


def _why(numbers: Numbers, stops_at: str) -> Iterator[Line]:
    solution = numbers.solution
    if solution:
        core = excerpt(solution.texts.get(filing.SOLUTION, ""), _CORE)
        yield line(core, " ", Ref(solution.id, "The whole solution"))
        yield line("Why so sure, by the judge: ", excerpt(why_so_sure(solution), _CORE))
    elif stops_at:
        yield line(f"{capitalised(stops_at)}.")
    else:
        missing = "The judge was to write the solution and did not."
        yield line(cancelled(numbers.said.values()) or missing)


def _picture(numbers: Numbers) -> Table:
    """Return the requirements, those first that the judge says are not met."""
    ordered = sorted(
        numbers.requirements, key=lambda r: (r not in numbers.unmet, r["level"] != MAJOR)
    )
    rows = []
    for r in ordered:
        is_unmet = r in numbers.unmet
        judged = line(Strong("not met, or in part")) if is_unmet else line("met")
        text = shorten(r["text"], _ITEM if is_unmet else _MET)
        rows.append((judged, line(text, Quiet(f" ({r['level']})"))))
    return Table(("By the judge", "Requirement"), tuple(rows))


def _cases(numbers: Numbers) -> Iterator[Case]:
    if given_up := numbers.listed("trade_offs"):
        yield Case("", "What it gives up", _few(given_up))
    rejected = [point for point in numbers.points if point.outcome == REJECTED]
    rejected.sort(key=lambda point: point.severity != MAJOR)
    if rejected:
        lines = (
            line(
                excerpt(point.text, _ITEM // 2),
                Quiet(f" Rejected: {excerpt(point.reason, _ITEM // 2)}"),
            )
            for point in rejected[:_FEW]
        )
        yield Case("", "What was rejected, and why", tuple(lines))


def _data(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    accepted, rejected, _ = numbers.tally()
    yield "count:requirements", str(len(numbers.requirements))
    yield "count:points", str(len(numbers.points))
    yield "count:points:accepted", str(accepted)
    yield "count:points:rejected", str(rejected)
    yield "count:exchanges", str(numbers.exchange)
    for assessment in numbers.of(ASSESSMENT):
        yield f"confidence@{assessment.exchange}", str(int(assessment.data["confidence"]))
    if numbers.solution:
        yield "confidence", str(int(numbers.solution.data["confidence"]))
        yield "count:unmet", str(len(numbers.listed("unmet")))
        yield "count:met", str(len(numbers.requirements) - len(numbers.listed("unmet")))

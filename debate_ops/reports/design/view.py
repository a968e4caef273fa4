"""A design debate for its readers: the solution, what it meets by the judge, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator

from debate_ops.protocols.acts import CANCELLED
from debate_ops.protocols.design.names import JUDGE, MAJOR
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Line, Quiet, Ref, Strong, Table, line
from debate_ops.reports.content import content_of
from debate_ops.reports.design import words
from debate_ops.reports.design.numbers import Numbers, Synthesis, tally
from debate_ops.reports.made import LENGTH, makers
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.text import counted, excerpt, shorten
from debate_ops.reports.view import Answer, Case, View

_CORE = 420
_ITEM, _MET = 240, 70
_HALF, _SURE = 50, 80
_FEW = 3


def view(numbers: Numbers) -> View:
    """Return what readers are told of a design debate."""
    solution = numbers.synthesis
    return View(
        content=content_of(numbers.debate),
        choices={},
        favoured="",
        sureness=sureness.of(_reasons(numbers, solution)),
        shares={},
        data=dict(_data(numbers)),
        answer=Answer(
            quiet=_quiet(numbers),
            text=_text(numbers),
            why=tuple(_why(numbers)),
            picture=_picture(numbers, solution) if solution and numbers.requirements else None,
            cases=tuple(_cases(numbers, solution)) if solution else (),
            turns_on=_few(solution.open_questions, _FEW) if solution else (),
            next_steps=_few(solution.recommendations, _FEW) if solution else (),
            is_reached=solution is not None,
        ),
    )


def _few(texts: tuple[str, ...], number: int) -> tuple[Line, ...]:
    return tuple(line(excerpt(text, _ITEM)) for text in texts[:number])


def _reasons(numbers: Numbers, solution: Synthesis | None) -> Iterator[Reason]:
    if solution is None:
        yield Reason("There is no solution yet", Level.TOO_CLOSE)
        return
    sure = solution.confidence
    level = Level.LOW if sure < _HALF else Level.MODERATE if sure < _SURE else Level.HIGH
    unmet = [r for r in numbers.requirements if r.id in solution.unmet]
    major = sum(r.level == MAJOR for r in unmet)
    cap = " (a major requirement that is not met caps it at 40)" if major else ""
    yield Reason(f"The judge's own confidence is {sure} of 100{cap}", level)
    if unmet:
        named = f", {major} of them major" if major else ""
        yield Reason(
            f"{len(unmet)} of {counted(len(numbers.requirements), 'requirement')} not met or only "
            f"in part{named}",
            Level.LOW if major else Level.MODERATE,
        )
    judge = next(m for m in numbers.made if m.participant == JUDGE)
    who = makers(judge, LENGTH) if judge.by else "model unknown"
    yield Reason(f"One judge, one run ({who})", Level.MODERATE)
    yield Reason("Nothing was built or measured", Level.MODERATE)


def _quiet(numbers: Numbers) -> str:
    authors = counted(len(numbers.authors), "author")
    held = counted(numbers.exchange, "exchange")
    return f"design debate · {authors}, one judge, {held}"


def _text(numbers: Numbers) -> str:
    if numbers.synthesis:
        return numbers.synthesis.title or "A solution"
    if numbers.debate.state.phase == CANCELLED:
        return "Cancelled without a solution"
    return "No solution" if numbers.is_over else "No answer yet: the debate is not over"


def _why(numbers: Numbers) -> Iterator[Line]:
    solution = numbers.synthesis
    if solution is None:
        yield from (line(words_) for words_ in words.why(numbers))
        return
    yield line(excerpt(solution.solution, _CORE), " ", Ref(solution.id, "The whole solution"))
    yield line("Why so sure, by the judge: ", excerpt(solution.why_so_sure, _CORE))


def _picture(numbers: Numbers, solution: Synthesis) -> Table:
    """Return the requirements, those first that the judge says are not met."""
    ordered = sorted(
        numbers.requirements, key=lambda r: (r.id not in solution.unmet, r.level != MAJOR)
    )
    return Table(
        ("By the judge", "Requirement"),
        tuple(
            (
                line(Strong("not met, or in part")) if r.id in solution.unmet else line("met"),
                line(
                    shorten(r.text, _ITEM if r.id in solution.unmet else _MET),
                    Quiet(f" ({r.level})"),
                ),
            )
            for r in ordered
        ),
    )


def _cases(numbers: Numbers, solution: Synthesis) -> Iterator[Case]:
    if solution.trade_offs:
        yield Case("", "What it gives up", _few(solution.trade_offs, _FEW))
    rejected = [p for c in numbers.critiques for p in c.points if p.verdict == "rejected"]
    if rejected:
        yield Case(
            "",
            "What was rejected, and why",
            tuple(
                line(
                    excerpt(p.text, _ITEM // 2),
                    Quiet(f" Rejected: {excerpt(p.reason, _ITEM // 2)}"),
                )
                for p in sorted(rejected, key=lambda p: p.level != MAJOR)[:_FEW]
            ),
        )


def _data(numbers: Numbers) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    accepted, rejected, open_ = tally(numbers.critiques)
    yield "count:requirements", str(len(numbers.requirements))
    yield "count:points", str(accepted + rejected + open_)
    yield "count:points:accepted", str(accepted)
    yield "count:points:rejected", str(rejected)
    yield "count:exchanges", str(numbers.exchange)
    for assessment in numbers.assessments:
        yield f"confidence@{assessment.exchange}", str(assessment.confidence)
    if numbers.synthesis:
        yield "confidence", str(numbers.synthesis.confidence)
        yield "count:unmet", str(len(numbers.synthesis.unmet))
        yield "count:met", str(len(numbers.requirements) - len(numbers.synthesis.unmet))

"""A debate in speeches for its readers: verdict, how sure that is, every speech: see `Report`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from debate_ops.model.debate import Debate
from debate_ops.model.entries import Contribution, Entry
from debate_ops.protocols.speeches.rules import JUDGE, SPEECH, VERDICT
from debate_ops.protocols.speeches.settings import NOBODY, positions_of
from debate_ops.reports import sureness
from debate_ops.reports.blocks import Block, Heading, Paragraph, Quote, Ref, Said, Section, line
from debate_ops.reports.content import content_of
from debate_ops.reports.items import Content
from debate_ops.reports.provenance import alone
from debate_ops.reports.record import Note
from debate_ops.reports.sureness import Level, Reason
from debate_ops.reports.table import Number, Outline
from debate_ops.reports.text import counted, excerpt
from debate_ops.reports.view import Answer, Case, View

HAS_GRAPH = True
ANSWER_RULE = (
    "Two or more gave speeches. The answer is what the verdict says or, where there is none, that "
    "nobody judged. Give the issues on which they met, and who had the better of each."
)

read = content_of

_QUOTE = 360
_CLOSE = 60
"""In per cent: below it, a judge is hardly surer than of the opposite."""


def _verdict(content: Content) -> Contribution | None:
    return next(iter(content.of(VERDICT)), None)


def _choices(content: Content) -> dict[str, str]:
    positions = positions_of(content.debate.settings)
    return {name: text or name for name, text in positions.items()}


def view(content: Content) -> View:
    """Return what readers are shown of a debate in speeches."""
    verdict, choices = _verdict(content), _choices(content)
    winner = str(verdict.data.get("winner")) if verdict else ""
    return View(
        content=content,
        choices=choices,
        favoured=winner if winner in choices else "",
        sureness=sureness.of(_reasons(content, verdict)),
        shares={},
        data=dict(_data(content, verdict)),
        answer=_answer(content, verdict, _named(winner, choices)),
    )


def _named(name: str, choices: Mapping[str, str]) -> str:
    """Return a speaker with what it speaks for."""
    position = choices.get(name, name)
    return (
        name
        if position == name
        else f"{name}: \N{LEFT DOUBLE QUOTATION MARK}{position}\N{RIGHT DOUBLE QUOTATION MARK}"
    )


def _answer(content: Content, verdict: Contribution | None, winner: str) -> Answer:
    judged = "one judge" if JUDGE in content.participants else "no judge"
    speeches = counted(len(content.of(SPEECH)), "speech", "speeches")
    answer = Answer(
        quiet=f"debate in speeches, {counted(len(_choices(content)), 'speaker')}, {judged} · "
        f"{speeches}",
        text="No answer yet: nobody has judged",
        cases=tuple(_cases(content)),
        next_steps=(line("Ask somebody to judge: nobody has."),),
    )
    if verdict is None:
        return answer
    said = Quote(excerpt(verdict.texts.get("Reasons", ""), _QUOTE), verdict.id)
    return answer._replace(
        text=f"The judge decides for {winner}",
        why=(line(f"The judge is {verdict.data.get('percent')} % sure."), line("Why: ", said)),
        next_steps=(),
        is_reached=True,
    )


def _cases(content: Content) -> Iterator[Case]:
    """Yield the last speech of each: the nearest to its best case that the record has."""
    for name, position in _choices(content).items():
        own = [i for i in content.read if i.participant == name and i.kind == SPEECH]
        for item in own[-1:]:
            said = line(excerpt(dict(item.texts).get("", item.texts[0][1]), _QUOTE))
            title = f"The last word of {_named(name, {name: position})}"
            yield Case(name, title, (said, line(Ref(item.id, item.title))))


def _reasons(content: Content, verdict: Contribution | None) -> Iterator[Reason]:
    judge = next((m for m in content.made if m.participant == JUDGE), None)
    if verdict is None or judge is None:
        text = "Nobody was asked to judge" if judge is None else "The judge has given no verdict"
        yield Reason(text, Level.TOO_CLOSE, is_alone=True)
        return
    percent = int(verdict.data.get("percent") or 0)
    if verdict.data.get("winner") == NOBODY:
        yield Reason("The judge found for nobody", Level.TOO_CLOSE)
    elif percent < _CLOSE:
        yield Reason(f"The judge is {percent} % sure", Level.LOW)
    yield Reason(alone("judge", judge), Level.MODERATE, is_alone=True)
    yield Reason("Nobody checked the facts that the speeches rest on", Level.MODERATE)


def _data(content: Content, verdict: Contribution | None) -> Iterator[tuple[str, str]]:
    """Yield every number of the record that a brief may name."""
    for name in _choices(content):
        own = [value for value in content.of(SPEECH) if value.id.startswith(f"{name}_")]
        yield f"count:speeches:{name}", str(len(own))
        yield f"count:words:{name}", str(sum(int(v.data.get("words") or 0) for v in own))
    if verdict:
        yield "percent:sure", str(verdict.data.get("percent"))


def sections(_: Content) -> tuple[Section, ...]:
    """Return nothing: the speeches and the verdict are the whole record."""
    return ()


def outcome(content: Content) -> tuple[Block, ...]:
    """Return the verdict as it stands on record; nothing while there is none."""
    verdict = _verdict(content)
    if verdict is None:
        return ()
    facts = f"{verdict.data['title']}, {verdict.data.get('percent')} % sure."
    reasons = verdict.texts.get("Reasons", "")
    return Heading("Verdict"), Paragraph(line(facts)), Heading("Reasons"), Said(reasons)


def notes(content: Content) -> Mapping[str, Note]:
    """Return the notes on each text that readers are shown, by id."""
    names = list(_choices(content))
    return {
        item.id: Note(
            names.index(item.participant) if item.participant in names else None,
            states=("not given",) if item.absence else (),
        )
        for item in content.read
    }


def outline(debate: Debate) -> Outline:
    """Return how the entries of a debate are read."""
    judge = {JUDGE: "judge"} if debate.settings["judge"] == "one" else {}

    def place(entry: Entry) -> str:
        is_verdict = entry.participant == JUDGE and judge
        return "Verdict" if is_verdict else f"Round {entry.exchange}"

    return Outline({**positions_of(debate.settings), **judge}, place, numbers=_numbers)


def _numbers(value: Contribution) -> Iterator[Number]:
    """Yield how sure the judge is of the winner."""
    if value.kind == VERDICT:
        yield str(value.data.get("winner")), "sure", value.data.get("percent")

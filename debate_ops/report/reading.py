"""A debate as it is reported: where it stands, what it comes to, its panel, its memo."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import groupby

from markupsafe import Markup

from debate_ops import engine
from debate_ops.core.errors import RefusedError
from debate_ops.core.protocol import CANCELLED
from debate_ops.core.texts import one_line
from debate_ops.core.values import PRIVATE, Debate, Done, Entry, Fault
from debate_ops.engine.store import PAGE, PANEL
from debate_ops.engine.validate import list_parts, load_parts
from debate_ops.report import memo as memos
from debate_ops.report import panel as panels
from debate_ops.report import provenance
from debate_ops.report.charts import Chart
from debate_ops.report.exchange import Scoring
from debate_ops.report.markdown import inline, link
from debate_ops.report.memo import Memo
from debate_ops.report.panel import Panel
from debate_ops.report.record import list_titles, sort_entries
from debate_ops.report.verdict import Level, Reason, Verdict, find_verdict, name_decision
from debate_ops.report.words import capitalise, count, join, shorten, size


@dataclass
class Reading:
    """A debate that readers are shown.

    `verdict` is the one with its panel; `panel_state` is how far that is, `rejudged` how many
    judges find for whom who judged the record again. `memo` is one of this very record. `edits` are
    entries that were changed after others came to rest on them. Without `draws` there are no
    charts, which take longer than all the rest. `hidden` are kinds of entries that are not shown.
    """

    position: engine.Position
    verdict: Verdict
    panel: Panel | None = None
    panel_state: str = ""
    rejudged: Counter[str] = field(default_factory=Counter)
    memo: Memo | None = None
    warnings: list[Fault] = field(default_factory=list)
    edits: list[Fault] = field(default_factory=list)
    draws: bool = True
    hidden: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.at, self.folder = self.position.at, self.position.folder

    @property
    def is_opposed(self) -> bool:
        """Tell whether its memo advises one choice, and the debate itself came out for another."""
        leans, v = self.memo.advice.direction if self.memo else "", self.verdict
        return v.is_sought and leans in v.choices and v.favoured not in {"", leans}

    @property
    def sureness(self) -> str:
        """How sure the answer is, in a word; of one that is opposed, that it is."""
        if self.is_opposed:
            return "the debate itself came out the other way"
        v, p = self.verdict, self.panel
        is_split = p and p.decision[1] and p.judged not in {None, "", p.favours}
        differ = f": {v.decider} and panel disagree" if is_split and v.is_sought else ""
        return v.sureness + differ

    @property
    def notes(self) -> tuple[str, ...]:
        """What its memo makes of an outcome that is another one."""
        return self.memo.notes if self.memo else ()

    def list_voices(self) -> Iterator[tuple[str, str, str]]:
        """Yield who says what, and how sure: the advice, whoever decides the debate, the panel."""
        v = self.verdict
        if self.memo:
            advice = self.memo.advice
            known = {key: name_decision(said) for key, said in v.choices.items() if v.is_sought}
            says = known.get(advice.direction, "leaves it open" if known else "")
            sure = (f"{c.percent} % that {c.of}" for c in advice.confidence)
            yield "The advice", says, "; ".join(sure)
        if v.decider != "judge" or v.decider in v.names:
            is_ahead = v.lead and v.finding in v.choices.values()
            again = join(f"{n} {v.choices.get(s, 'for neither')}" for s, n in self.rejudged.items())
            how = [f"by {size(v.lead)} points"] if is_ahead else []
            how += [f"judged again: {again}"] if again else []
            says = v.finding.removeprefix("No answer yet: ")  # a panel may have one
            yield f"The {v.decider}", says, "; ".join(how)
        if self.panel:
            says, share = self.panel.decision
            yield "The panel", says, share and f"{share}, on average {self.panel.mean} sure"

    @property
    def answer(self) -> str:
        """What the first screen answers: the memo's answer, or the outcome by the rules."""
        return self.memo.advice.answer if self.memo else self.verdict.answer

    @property
    def motion(self) -> str:
        """The first line of the motion."""
        lines = map(one_line, self.at.debate.motion.split("\n"))
        return shorten(next(filter(None, lines), "(no motion)"), 200)

    @property
    def replay(self) -> str:
        """What it is a replay of; empty where it is none."""
        if (of := self.position.header.replay_of) is None:
            return ""
        name, day = (shorten(str(of.get(key) or ""), 120) for key in ("debate", "held"))
        return f"a replay of “{name or 'another debate'}”" + (f", debated on {day}" if day else "")

    @property
    def charts(self) -> tuple[Chart, ...]:
        """Its charts, its panel's last: one number alone is better said than drawn."""
        own = [panels.draw_panel(self.panel)] if self.panel else []
        drawn = [*self.verdict.charts, *own] if self.draws else []
        return tuple(c for c in drawn if sum(len(row.values) for row in c.rows) > 1)

    def name_file(self, an_id: str) -> str:
        """Return the file of an entry in the folder of the debate; of what is none, the page."""
        entry = self.at.debate.entries.get(an_id)
        return entry.file if entry else PAGE

    def refer(self, an_id: str) -> Markup:
        """Return a link to an entry by its title."""
        return link(an_id, self.titles[an_id]) if an_id in self.titles else inline(an_id)

    @cached_property
    def titles(self) -> dict[str, str]:
        """The titles of the entries that readers are shown."""
        return list_titles(self.entries, self.verdict.names)

    @cached_property
    def places(self) -> list[tuple[str, list[Entry]]]:
        """The entries that readers are shown, by the part of the debate they belong to."""
        rules, settings = self.at.protocol, self.at.debate.settings
        by_place = groupby(self.entries, key=lambda e: rules.name_part(settings, e))
        return [(capitalise(place), [*own]) for place, own in by_place]

    @cached_property
    def entries(self) -> list[Entry]:
        """The entries that readers are shown: the first answer stands elsewhere."""
        private = frozenset() if self.at.debate.shows_notes else PRIVATE
        hidden = {"advice", *private, *self.hidden}
        return [e for e in sort_entries(self.at) if e.kind not in hidden]

    @property
    def advice(self) -> str:
        """What an adviser said in the end who saw nothing of the debate; empty without one."""
        advice = self.at.debate.find("advice") if "advice" not in self.hidden else []
        return advice[-1].texts.get("Answer", "") if advice else ""


def read_debate(position: engine.Position) -> Reading:
    """Return a debate as readers are shown it: with its panel, its memo, and who judged."""
    at, own = position.at, find_own_verdict(position)
    parts, faults = load_parts(position)
    held, state, doubts = _find_panel(position, own, parts.pop(PANEL, None))
    question, panel = panels.ask_panel(own) if held else None, None
    if held or (at.protocol.has_panel_within and at.debate.settings.panel):
        titles = list_titles(at.debate.entries.values(), own.names)
        panel = panels.read_panel(held.debate if held else at.debate, question, titles)
    rejudged = _count_rejudged(position, parts.values())
    verdict = panels.apply_panel(_apply_rejudged(own, rejudged), panel)
    reasons = [*verdict.reasons]
    if faults:
        text = "A panel, or one who judged it again, is left out: its record has faults"
        reasons.insert(0, Reason(text, Level.LOW))
    if verdict.is_sought:
        judges = provenance.find_judges(position.folder, at, held.at if held else None)
        reasons += (Reason(judge.describe(), raises=True) for judge in judges if judge.records)
    verdict = replace(verdict, reasons=tuple(reasons))
    memo, notes = memos.read_memo(position.folder, at, verdict)
    warnings, edits = [*position.warnings, *faults, *doubts, *notes], position.record.find_edits()
    return Reading(position, verdict, panel, state, rejudged, memo, warnings, edits)


def find_own_verdict(position: engine.Position) -> Verdict:
    """Return what a debate comes to by its own rules, as far as was asked for."""
    request = position.header.request
    return find_verdict(position.at, until=request.until if request else None)


def _count_rejudged(position: engine.Position, again: Iterable[engine.Position]) -> Counter[str]:
    """Return how many find for whom who judged the record again as it is now; empty for nobody."""

    def list_judged(d: Debate) -> list[object]:
        return [len(d.find("judgment")), *(e.compared() for e in d.find("argument"))]

    judged = list_judged(position.debate)
    return Counter(Scoring(p.at).ahead for p in again if list_judged(p.debate) == judged)


def _apply_rejudged(verdict: Verdict, found: Counter[str]) -> Verdict:
    """Return a verdict with what those make of it who judged again and find otherwise."""
    favoured, number = verdict.favoured, found.total()
    if not favoured or found[favoured] == number:
        return verdict
    text = f"Of {count(number, 'judge')} who judged it again, {found[favoured]} found the same"
    if 2 * (number - found[favoured] - found[""]) <= number:
        return replace(verdict, reasons=(Reason(text, Level.LOW), *verdict.reasons))
    reasons = (Reason(text, Level.TOO_CLOSE), *verdict.reasons)
    answer = f"{verdict.answer}; most who judged again do not"
    return replace(verdict, reasons=reasons, favoured="", answer=answer)


def _find_panel(
    position: engine.Position, verdict: Verdict, held: engine.Position | None
) -> tuple[engine.Position | None, str, list[Fault]]:
    """Return the debate in which a panel reads this one, how far it is, and what to warn of.

    A panel that has read another record than this one is left out, and one that has faults.
    """
    doubts, state = list[Fault](), "nothing to decide"
    if not held and PANEL in list_parts(position.folder):
        return None, "has faults", []
    if held:
        if panels.is_current(held.debate, position.at, panels.ask_panel(verdict)):
            return held, "done" if isinstance(held.due, Done) else "begun", []
        message = "the panel has read another record than this one; 'panel' holds another"
        is_read = held.debate.find("ballot")
        doubts = [Fault("", message, file=PANEL, is_warning=True)] * bool(is_read)
    if not (isinstance(position.due, Done) and position.debate.step):
        state = "later"
    elif position.at.place.phase != CANCELLED:
        with suppress(RefusedError):
            panels.make_settings(position.at, verdict, panels.TWO)
            state = "due"
    return None, state, doubts

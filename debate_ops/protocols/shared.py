"""What replies and prompts of several protocols have in common."""

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import count, dropwhile
from textwrap import fill
from typing import Any

from markupsafe import Markup

from debate_ops.core.protocol import Protocol
from debate_ops.core.replies import Item, Said
from debate_ops.core.texts import one_line
from debate_ops.core.values import Debate, Entry, Fault, Faults, Place, Turn

STANCES = ("for the motion", "against the motion")
COMMON_SIDES = {"prop": "prop", "aff": "prop", "opp": "opp", "neg": "opp"}
"""What either side is called by users, whatever its protocol calls it."""


def load_texts(name: str) -> Any:
    """Return what a file of texts beside the protocols holds: data that comes with the package."""
    return json.loads(files(__package__).joinpath(name).read_text("utf-8"))


class Citation(Item):
    """One source that the text uses; its name alone will do."""

    source: Said
    """Where it is from, so that a reader could find it."""
    detail: str = ""
    """What it shows, or where in it; empty if the text says it."""

    @classmethod
    def prepare(cls, value: Any) -> Any:
        return super().prepare({"source": value} if isinstance(value, str) else value)


def record_citations(citations: Sequence[Citation]) -> tuple[list[dict[str, str]], str]:
    """Return the sources of a text for an entry's header, and for readers with a line each."""
    lines = (": ".join(filter(None, (c.source, c.detail))) for c in citations)
    return [c.model_dump() for c in citations], "\n".join(" ".join(line.split()) for line in lines)


def note_absences(missing: Iterable[str]) -> Markup:
    """Return what a prompt says of what was not given, by names of ours; empty for nothing."""
    listed = "; ".join(f"the {each}" for each in missing)
    note = f"Not given: {listed}. Do not guess at what would have been said."
    return Markup(note if listed else "")


def list_words(words: Iterable[str]) -> Markup:
    """Return names and ids of ours with commas between them, in lines that no client cuts."""
    return Markup(fill(", ".join(words), subsequent_indent="  ", break_on_hyphens=False))


def find_naming_faults(
    path: str | Sequence[str],
    named: Iterable[Any],
    known: Sequence[Any],
    *,
    most: int = 1,
    needs_all: bool = False,
) -> Faults:
    """Yield a fault for each that is named and not known, or named too often; or left out.

    `path` has braces for the number of what is named, or is all places; `most` is 0 for no limit.
    """
    places = map(path.format, count()) if isinstance(path, str) else path
    seen = Counter[Any]()
    often = {0: "", 1: ", each once"}.get(most, f", each at most {most} times")
    listed = one_line("; ".join(map(str, known)), 500)
    for where, each in zip(places, named, strict=False):
        seen[each] += 1
        if each not in known or 0 < most < seen[each]:
            why = f"is named {seen[each]} times" if each in known else "cannot be named here"
            expected = f"; expected one of these{often}: {listed}"
            why = why + expected if known else "is named, and nothing can be named here"
            yield Fault(where, f"{one_line(str(each), 60)} {why}")
    left_out = "; ".join(str(each) for each in known if each not in seen)
    if needs_all and left_out:
        whole = path.partition(".")[0] if isinstance(path, str) else ""
        yield Fault(whole, f"nothing is said of {left_out}")


class InTurn(Protocol):
    """The rules of a protocol whose turns are known from its settings, each once at most."""

    def list_turns(self, s: Any) -> Iterator[Turn]:
        """Yield every turn there may be, in order."""
        raise NotImplementedError

    def name_turn(self, turn: Turn, by: str) -> str:
        """Return what readers call what somebody gives, as in `speech of ann in round 1`."""
        return f"{turn.template(by)} of {by} in round {turn.round}"

    def name_part(self, settings: Any, entry: Entry) -> str:
        """Return the round in which an entry was made; a question is in one with its answer."""
        turn = next(each for each in self.list_turns(settings) if each.round == entry.round)
        return self.describe_place(turn.round, turn.phase)

    def note_missing(self, d: Debate, kinds: Container[str], apart_from: str = "") -> Markup:
        """Return what a prompt says of speeches of these kinds that were not given, by others."""
        absent = {(e.round, e.by, e.number) for e in d.find("absence")}
        return note_absences(
            self.name_turn(turn, task.by)
            for turn in self.list_turns(d.settings)
            for task in turn.tasks
            if task.template in kinds and task.by != apart_from
            if (turn.round, task.by, turn.number) in absent
        )

    def last_exchange(self, settings: Any) -> int:
        return max(turn.round for turn in self.list_turns(settings))

    def _list_left(self, d: Debate, place: Place) -> Iterator[Turn]:
        return dropwhile(lambda each: each != place, self.list_turns(d.settings))

    def list_repliers(self, d: Debate, place: Place) -> set[str]:
        return {task.by for turn in self._list_left(d, place) for task in turn.tasks}

    def count_calls(self, d: Debate, turn: Turn, until: int | None) -> int:
        left = self._list_left(d, turn)
        return sum(len(each.tasks) for each in left if until is None or each.round < until)


# The devil's advocate: who has to make the strongest case against what leads, known to all. It is a
# task and no conviction: what the advocate says counts by its reasons, and it votes and judges as
# it would without the task. A pass is no answer to it.

NOBODY, ROTATION = "nobody", "rotation"


def find_advocate_faults(chosen: str, names: Sequence[str]) -> Iterator[str]:
    """Yield what is wrong with the setting `devils_advocate`: it means nobody, or two things."""
    if chosen == ROTATION and ROTATION in names:
        yield f"devils_advocate is {ROTATION}, which is a participant's name too: choose another"
    elif chosen not in {NOBODY, ROTATION, *names}:
        yield (
            f"devils_advocate is {one_line(chosen, 40)}, who takes no part; participants are "
            f"{', '.join(names)}"
        )


def choose_advocate(
    chosen: str, names: Sequence[str], exchange: int, leading: Sequence[str] = ()
) -> str:
    """Return the devil's advocate of an exchange, counted from 1; empty where there is none.

    In rotation whoever is behind what leads is passed over: nobody argues against its own.
    """
    if chosen == NOBODY or not exchange:
        return ""
    if chosen != ROTATION:
        return chosen
    first = (exchange - 1) % len(names)
    order = (*names[first:], *names[:first])
    return next((name for name in order if name not in leading), order[0])

"""The plan of a tournament: what the user's file says, and which debates follow from it."""

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from itertools import permutations, product
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field, StringConstraints

from debate_ops.core.errors import BadRecordError, RefusedError, UsageError
from debate_ops.core.settings import WEEK, Part, check_settings, fits
from debate_ops.core.texts import one_line
from debate_ops.engine import files
from debate_ops.engine.headers import digest_text
from debate_ops.protocols import load_protocol
from debate_ops.report.words import count

BUILT_IN, PLAN = "built-in", "plan.jsonl"
_MOST_BYTES = 1 << 30

Count = Annotated[int, Field(ge=1)]
Name = Annotated[
    str,
    StringConstraints(max_length=23),
    fits("[a-z0-9]+(-[a-z0-9]+)*", "lower-case letters, digits and single hyphens"),
]


class Motion(Part):
    """A motion, with a line of context for everybody; a built-in one has a field, too."""

    motion: Annotated[str, Field(min_length=1)]
    context: str = ""
    field: str = ""


class Rate(Part):
    """What one provider is asked at most in any minute."""

    per_minute: Count | None = None
    tokens_per_minute: Count | None = None


class TournamentFile(Part):
    """What the file of a tournament says.

    `motions` may be named: by a text file with one on each line, `built-in`, or `built-in:FIELD`.
    `judge` scores every debate; `panel`, if there is one, reads it afterwards and decides.
    `limits` are by provider, the first word of a SPEC. `timeout` is in seconds.
    """

    participants: Annotated[dict[Name, str], Field(min_length=2)]
    motions: Annotated[list[Motion], Field(min_length=1)]
    judge: str
    panel: tuple[str, ...] = ()
    allow_own_judge: bool = False
    protocol: Literal["exchange", "formal"] = "exchange"
    exchanges: Count = 1
    settings: dict[str, Any] = Field(default_factory=dict)
    repeats: Annotated[Count, Field(le=1_000)] = 1
    seed: int = 0
    timeout: Annotated[float, Field(gt=0, le=WEEK)] = 600.0
    limits: dict[str, Rate] = Field(default_factory=dict)

    @property
    def specs(self) -> dict[str, str]:
        """Everybody who replies, by what they are called in messages."""
        sitting = {f"panel {n}": spec for n, spec in enumerate(self.panel, 1)}
        return {**self.participants, "judge": self.judge, **sitting}

    @property
    def debate_settings(self) -> dict[str, Any]:
        """The settings of every debate, as far as the file says them."""
        return {"first_answer": "off", "panel": len(self.panel)} | self.settings

    @property
    def own_judges(self) -> list[str]:
        """The participants whose own model judges, whatever options it has there."""
        judges = {spec.partition("?")[0] for spec in (self.judge, *self.panel)}
        return [n for n, spec in self.participants.items() if spec.partition("?")[0] in judges]


class Pairing(NamedTuple):
    """A debate of the plan; `repeat` counts from 1."""

    slug: str
    prop: str
    opp: str
    motion: str
    context: str
    repeat: int


def read_tournament_file(values: Mapping[str, Any], folder: str) -> TournamentFile:
    """Return what a file in a folder says; a `UsageError` names each key that is not right."""
    motions = values.get("motions", BUILT_IN)
    if isinstance(motions, str):
        motions = _find_motions(motions, folder)
    if isinstance(motions, list):
        motions = [{"motion": each} if isinstance(each, str) else each for each in motions]
    cup: TournamentFile = check_settings(TournamentFile, {**values, "motions": motions})
    check_settings(load_protocol(cup.protocol).Settings, cup.debate_settings)
    times = Counter(" ".join(each.motion.casefold().split()) for each in cup.motions)
    if twice := [said for said, number in times.items() if number > 1]:
        hint = "Leave one out; for more debates say repeats = 2."
        raise UsageError(f"motions: there twice: {one_line(twice[0], 80)}", hint=hint)
    if (own := cup.own_judges) and not cup.allow_own_judge:
        raise UsageError(
            f"the model of {' and '.join(own)} would judge its own debates",
            hint="Name another judge, or say allow_own_judge = true: the page then marks it.",
        )
    return cup


def _find_motions(named: str, folder: str) -> list[Any]:
    """Return the motions of a set that comes with the program, or the lines of a file."""
    set_, colon, field = named.partition(":")
    if set_ == BUILT_IN:
        text = resources.files(__package__).joinpath("motions.json").read_text(encoding="utf-8")
        motions = json.loads(text)
        fields = dict.fromkeys(motion["field"] for motion in motions)
        if colon and field not in fields:
            hint = f"There are {', '.join(fields)}."
            raise UsageError(f"motions: no field {field!r}", hint=hint)
        return [motion for motion in motions if field in {"", motion["field"]}]
    try:
        lines = map(str.strip, files.read_text(os.path.join(folder, named)).splitlines())
    except (OSError, ValueError, BadRecordError) as error:
        raise UsageError(f"motions: {named} cannot be read: {error}") from None
    return [line for line in lines if line and line[0] != "#"]


def make_plan(cup: TournamentFile) -> list[Pairing]:
    """Return every debate, in an order by chance that the seed alone decides.

    More motions, participants or repeats change no slug; other SPECs, settings or exchanges do.
    """
    kept = {"judge", "panel", "protocol", "exchanges", "settings"}
    rules = cup.model_dump(mode="json", include=kept)
    plan, repeats = [], range(1, cup.repeats + 1)
    for m, (prop, opp), n in product(cup.motions, permutations(cup.participants, 2), repeats):
        sides = [(name, cup.participants[name]) for name in (prop, opp)]
        said = digest_text(json.dumps([sides, m.motion, m.context, n, rules]))
        plan.append(Pairing(f"{prop}-vs-{opp}-{said[:12]}", prop, opp, m.motion, m.context, n))
    return sorted(plan, key=lambda pairing: digest_text(f"{cup.seed} {pairing.slug}"))


def keep_plan(root: str, plan: Sequence[Pairing]) -> None:
    """Write the plan, unless the one that is there has debates that are not in it."""
    path = os.path.join(root, PLAN)
    rows = [json.dumps(pairing._asdict(), ensure_ascii=False) for pairing in plan]
    there = files.read_bytes(path, _MOST_BYTES) if os.path.lexists(path) else b""
    if other := {*there.decode(errors="replace").split("\n")} - {*rows, ""}:
        raise RefusedError(
            f"{path} has {count(len(other), 'debate')} that the file does not plan: it was changed "
            "by hand, or has other participants, motions, judges or settings",
            hint=f"Give the file another name; or, if it is to have fewer debates, remove {path}: "
            "it is made anew from the file, and complete debates are found by their names.",
        )
    files.write_durable(path, "".join(f"{row}\n" for row in rows))

"""The plan of a tournament: what the user's file says, and which debates follow from it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from itertools import permutations, product
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
)

from debate_ops import engine
from debate_ops.core.errors import BadRecordError, RefusedError, UsageError
from debate_ops.core.texts import one_line
from debate_ops.core.values import Fault
from debate_ops.engine import files, store
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import is_slug
from debate_ops.protocols import load_protocol

TOURNAMENTS, PLAN = "tournaments", "plan.jsonl"
"""The folder beside the debates in which tournaments are, and the file of each that lists them."""
BUILT_IN = "built-in"
MOST_BYTES = 1 << 30
_DIGITS, _SHOWN = 12, 80

Count = Annotated[int, Field(ge=1)]
Name = Annotated[str, StringConstraints(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", max_length=24)]
"""Who takes part, as it can be a part of a folder's name."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Motion(_Model):
    """A motion, with a line of context for everybody; a built-in one has a field, too."""

    motion: Annotated[str, Field(min_length=1)]
    context: str = ""
    field: str = ""


class Rate(_Model):
    """What one provider is asked at most: at the same time, and in any minute."""

    at_once: Count | None = None
    per_minute: Count | None = None
    tokens_per_minute: Count | None = None


class TournamentFile(_Model):
    """What the file of a tournament says.

    `motions` are a list, a text file with one on each line, `built-in`, or `built-in:FIELD`.
    `judge` scores every debate; `panel`, if there is one, reads it afterwards and decides.
    `limits` are by provider, the first word of a SPEC. `timeout` is in seconds.
    """

    participants: Annotated[dict[Name, str], Field(min_length=2)]
    motions: (
        str
        | list[
            Annotated[Motion, BeforeValidator(lambda m: {"motion": m} if isinstance(m, str) else m)]
        ]
    ) = BUILT_IN
    judge: str
    panel: list[str] = []
    allow_own_judge: bool = False
    protocol: Literal["exchange", "formal"] = "exchange"
    exchanges: Count = 1
    settings: dict[str, Any] = {}
    repeats: Count = 1
    seed: int = 0
    timeout: Annotated[float, Field(gt=0)] = 600.0
    limits: dict[str, Rate] = {}

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

    @property
    def rules(self) -> str:
        """What may not change in a tournament that was begun, as a digest."""
        kept = ("judge", "panel", "protocol", "exchanges", "settings", "seed")
        return digest_text(json.dumps(self.model_dump(include={*kept}), default=str))


class Pairing(NamedTuple):
    """A debate of the plan; `repeat` counts from 1."""

    slug: str
    prop: str
    opp: str
    motion: str
    context: str
    repeat: int


def read_tournament_file(values: Mapping[str, Any]) -> TournamentFile:
    """Return what a file says, once its form and the settings of its debates are checked.

    Raises:
        UsageError: names every key that is not right.
    """
    try:
        cup = TournamentFile.model_validate(values)
    except ValidationError as error:
        faults = [
            Fault(
                ".".join(map(str, e["loc"])),
                f"{e['msg']}; there is {one_line(repr(e['input']), _SHOWN)}",
            )
            for e in error.errors()
        ]
        known = ", ".join(TournamentFile.model_fields)
        raise UsageError("", hint=f"Keys are {known}.", faults=tuple(faults)) from None
    try:
        engine.check_settings(load_protocol(cup.protocol), cup.debate_settings)
    except UsageError as error:
        places = dict.fromkeys(cup.settings, "settings.")
        faults = [replace(f, where=places.get(f.where, "") + f.where) for f in error.faults]
        raise UsageError(error.message, hint=error.hint, faults=tuple(faults)) from None
    if (own := cup.own_judges) and not cup.allow_own_judge:
        raise UsageError(
            f"the model of {' and '.join(own)} would judge its own debates",
            hint="Name another judge, or say allow_own_judge = true: the page then marks it.",
        )
    return cup


def list_motions(cup: TournamentFile, folder: str) -> list[Motion]:
    """Return the motions of a tournament whose file is in `folder`.

    Raises:
        UsageError: there are none, the file cannot be read, or one is there twice.
    """
    named = cup.motions
    if not isinstance(named, str):
        motions = named
    elif (words := named.partition(":"))[0] == BUILT_IN:
        text = resources.files(__package__).joinpath("motions.json").read_text(encoding="utf-8")
        fields = json.loads(text)
        if (field := words[2]) and field not in fields:
            raise UsageError(f"motions: no field {field!r}", hint=f"There are {', '.join(fields)}.")
        motions = [
            Motion(motion=motion, context=context, field=name)
            for name in ([field] if field else fields)
            for motion, context in fields[name]
        ]
    else:
        try:
            lines = files.read_text(os.path.join(folder, named)).splitlines()
        except (OSError, BadRecordError) as error:
            raise UsageError(f"motions: {named} cannot be read: {error}") from None
        motions = [Motion(motion=t) for line in lines if (t := line.strip()) and t[0] != "#"]
    if not motions:
        raise UsageError("motions: there are none", hint=f"Name some, or say {BUILT_IN!r}.")
    places: dict[str, int] = {}
    for number, each in enumerate(motions, 1):
        same = places.setdefault(" ".join(each.motion.casefold().split()), number)
        if same != number:
            said = f"number {number} is number {same} again: {one_line(each.motion, _SHOWN)}"
            hint = "Leave one out; for more debates say repeats = 2."
            raise UsageError(f"motions: {said}", hint=hint)
    return motions


def make_plan(cup: TournamentFile, motions: Sequence[Motion]) -> list[Pairing]:
    """Return every debate, in an order by chance that the seed alone decides.

    More motions, participants or repeats change no slug of those that were there.
    """
    plan, repeats = [], range(1, cup.repeats + 1)
    for m, (prop, opp), n in product(motions, permutations(cup.participants, 2), repeats):
        said = digest_text(json.dumps([prop, opp, m.motion, m.context, n]))
        slug = f"{prop}-vs-{opp}-{said[:_DIGITS]}"
        plan.append(Pairing(slug, prop, opp, m.motion, m.context, n))
    return sorted(plan, key=lambda pairing: digest_text(f"{cup.seed} {pairing.slug}"))


def find_root(path: str) -> str:
    """Return the folder of the tournament that a file describes.

    Raises:
        UsageError: the file's name cannot be that of a folder.
    """
    name = os.path.splitext(os.path.basename(path))[0].lower()
    if not is_slug(name):
        hint = "Name it with lower-case letters, digits and hyphens, as in my-cup.toml."
        raise UsageError(f"{path}: {name!r} cannot be the name of a folder", hint=hint)
    return os.path.join(store.DEBATES, TOURNAMENTS, name)


def keep_plan(root: str, cup: TournamentFile, plan: Sequence[Pairing]) -> None:
    """Write the plan.

    Raises:
        BadRecordError: the plan that is there was changed by hand.
        RefusedError: the folder is that of a tournament with other rules or participants.
    """
    path, known = os.path.join(root, PLAN), dict(cup.participants)
    if os.path.lexists(path):
        before = _read_head(path)
        known = before["participants"] | known
        other = [n for n, spec in before["participants"].items() if known[n] != spec]
        said = [f"{n} was {before['participants'][n]} and is {known[n]}" for n in other]
        if before["rules"] != cup.rules:
            said.append("it has another judge, panel, protocol, settings, exchanges or seed")
        if said:
            raise RefusedError(
                f"{root} is of another tournament: {'; '.join(said)}",
                hint=f"Give the file, or who is new in it, another name, or move {root} away; its "
                "debates stay as they are.",
            )
    rows = "\n".join(json.dumps(p._asdict(), ensure_ascii=False) for p in plan)
    head = {"rules": cup.rules, "participants": known, "digest": digest_text(rows)}
    files.write_durable(path, f"{json.dumps(head)}\n{rows}\n")


def _read_head(path: str) -> dict[str, Any]:
    first, _, rows = files.read_bytes(path, MOST_BYTES).decode(errors="replace").partition("\n")
    try:
        head: dict[str, Any] = json.loads(first)
        if head["digest"] == digest_text(rows.rstrip("\n")) and {"rules", "participants"} <= {
            *head
        }:
            return head
    except (ValueError, LookupError, TypeError):
        pass
    raise BadRecordError(
        f"{path} was changed by hand: its lines do not fit the digest on its first",
        hint="Bring it back, or remove it: it is made anew from the file, and debates that are "
        "complete are found by their names. Change participants and motions in the file.",
    )

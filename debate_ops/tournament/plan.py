"""The plan of a tournament: what the user's file says, and which debates follow from it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from itertools import permutations
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from debate_ops.core.errors import BadRecordError, RefusedError, UsageError
from debate_ops.core.texts import one_line
from debate_ops.core.values import Fault
from debate_ops.engine import files, store
from debate_ops.engine.headers import digest_text
from debate_ops.engine.store import is_slug
from debate_ops.run.usage import find_price

TOURNAMENTS, PLAN = "tournaments", "plan.jsonl"
"""The folder beside the debates in which tournaments are, and the file of each that lists them."""
BUILT_IN = "built-in"
MOST_BYTES = 1 << 30
_DIGITS, _NAME, _SHOWN = 12, 24, 80

Count = Annotated[int, Field(ge=1)]


class Motion(BaseModel):
    """A motion, with a line of context for everybody; a built-in one has a field, too."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    motion: Annotated[str, Field(min_length=1)]
    context: str = ""
    field: str = ""


class Rate(BaseModel):
    """What one provider is asked at most: at the same time, and in any minute."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    at_once: Count | None = None
    per_minute: Count | None = None
    tokens_per_minute: Count | None = None


class Cup(BaseModel):
    """What the file of a tournament says.

    `motions` are a list, a text file with one on each line, `built-in`, or `built-in:FIELD`.
    `judge` scores every debate; `panel`, if there is one, reads it afterwards and decides.
    `limits` are by provider, the first word of a SPEC. `timeout` is in seconds.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    participants: Annotated[dict[str, str], Field(min_length=2)]
    motions: str | list[str | Motion] = BUILT_IN
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


def read_cup(values: Mapping[str, Any]) -> Cup:
    """Return what a file says, once its form is checked.

    Raises:
        UsageError: names every key that is not right.
    """
    try:
        cup = Cup.model_validate(values)
    except ValidationError as error:
        faults = [
            Fault(".".join(map(str, e["loc"])), f"{e['msg']}; there is {_show(e['input'])}")
            for e in error.errors()
        ]
        known = ", ".join(Cup.model_fields)
        raise UsageError("", hint=f"Keys are {known}.", faults=tuple(faults)) from None
    if bad := [name for name in cup.participants if not is_slug(name) or len(name) > _NAME]:
        said = f"participants: {', '.join(map(repr, bad))} cannot be part of a folder's name"
        hint = f"Expected: lower-case letters, digits and hyphens, at most {_NAME} of them."
        raise UsageError(said, hint=hint)
    if (own := cup.own_judges) and not cup.allow_own_judge:
        raise UsageError(
            f"the model of {' and '.join(own)} would judge its own debates",
            hint="Name another judge, or say allow_own_judge = true: the page then marks it.",
        )
    return cup


def _show(value: object) -> str:
    return one_line(repr(value), _SHOWN)


def list_motions(cup: Cup, folder: str) -> list[Motion]:
    """Return the motions of a tournament whose file is in `folder`.

    Raises:
        UsageError: there are none, the file cannot be read, or one is there twice.
    """
    named = cup.motions
    if isinstance(named, str) and named.partition(":")[0] == BUILT_IN:
        motions = [*list_built_in(named.partition(":")[2])]
    elif isinstance(named, str):
        try:
            lines = files.read_text(os.path.join(folder, named)).splitlines()
        except (OSError, BadRecordError) as error:
            raise UsageError(f"motions: {named} cannot be read: {error}") from None
        motions = [Motion(motion=t) for line in lines if (t := line.strip()) and t[0] != "#"]
    else:
        motions = [Motion(motion=each) if isinstance(each, str) else each for each in named]
    if not motions:
        raise UsageError("motions: there are none", hint=f"Name some, or say {BUILT_IN!r}.")
    places: dict[str, int] = {}
    for number, each in enumerate(motions, 1):
        same = places.setdefault(" ".join(each.motion.casefold().split()), number)
        if same != number:
            said = f"motions: number {number} is number {same} again: {_show(each.motion)}"
            raise UsageError(said, hint="Leave one out; for more debates say repeats = 2.")
    return motions


def list_built_in(field: str = "") -> Iterator[Motion]:
    """Yield the motions that ship with the program, of one field or all.

    Raises:
        UsageError: there is no such field.
    """
    text = resources.files(__package__).joinpath("motions.json").read_text(encoding="utf-8")
    fields = json.loads(text)
    if field and field not in fields:
        raise UsageError(f"motions: no field {field!r}", hint=f"There are {', '.join(fields)}.")
    for name in [field] if field else fields:
        for motion, context in fields[name]:
            yield Motion(motion=motion, context=context, field=name)


def make_plan(cup: Cup, motions: Sequence[Motion]) -> list[Pairing]:
    """Return every debate, in an order by chance that the seed alone decides.

    More motions, participants or repeats change no slug of those that were there.
    """
    plan = []
    for each in motions:
        for (prop, opp), repeat in (
            (pair, r)
            for pair in permutations(cup.participants, 2)
            for r in range(1, cup.repeats + 1)
        ):
            said = json.dumps([prop, opp, each.motion, each.context, repeat])
            slug = f"{prop}-vs-{opp}-{digest_text(said)[:_DIGITS]}"
            plan.append(Pairing(slug, prop, opp, each.motion, each.context, repeat))
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


def keep_plan(root: str, cup: Cup, plan: Sequence[Pairing]) -> int:
    """Write the plan; return how many debates of the plan before are in it no longer.

    Raises:
        BadRecordError: the plan that is there was changed by hand.
        RefusedError: the folder is that of a tournament with other rules or participants.
    """
    path, dropped = os.path.join(root, PLAN), 0
    rows = [json.dumps(pairing._asdict(), ensure_ascii=False) for pairing in plan]
    known = dict(cup.participants)
    if os.path.lexists(path):
        head, old = _read_plan(path)
        hint = f"Give the file another name, or move {root} away; its debates stay as they are."
        if head["rules"] != cup.rules:
            text = "has another judge, panel, protocol, settings, exchanges or seed"
            raise RefusedError(f"{root} is of a tournament that {text}", hint=hint)
        before: dict[str, str] = head["participants"]
        if other := [n for n, spec in before.items() if cup.participants.get(n, spec) != spec]:
            who = "; ".join(f"{n} was {before[n]} and is {cup.participants[n]}" for n in other)
            raise RefusedError(f"{root}: {who}", hint=f"Name who is new otherwise. {hint}")
        known = before | known
        dropped = len({*old} - {*rows})
    digest = digest_text("\n".join(rows))
    head = {"rules": cup.rules, "participants": known, "debates": len(rows), "digest": digest}
    files.write_durable(path, "\n".join([json.dumps(head), *rows, ""]))
    return dropped


def _read_plan(path: str) -> tuple[dict[str, Any], list[str]]:
    try:
        first, *rows = files.read_bytes(path, MOST_BYTES).decode().splitlines()
        head = json.loads(first)
        is_whole = head["digest"] == digest_text("\n".join(rows)) and {*head} >= {
            "rules",
            "participants",
        }
    except (ValueError, KeyError, TypeError):
        is_whole = False
    if not is_whole:
        raise BadRecordError(
            f"{path} was changed by hand: its lines do not fit the digest on its first",
            hint="Bring it back, or remove it: it is made anew from the file, and debates that are "
            "complete are found by their names. Change participants and motions in the file.",
        )
    return head, rows


def find_unpriced(cup: Cup) -> list[str]:
    """Return the SPECs whose replies have no known price, so that they cannot be limited."""
    specs = dict.fromkeys(spec.partition("?")[0] for spec in cup.specs.values())
    return [spec for spec in specs if find_price(spec, (1, 0, 1)) is None]

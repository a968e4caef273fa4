"""Settings as pydantic models: what `new` takes, `debate.md` keeps, help and docs show."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import starmap
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from debate_ops.core.errors import UsageError
from debate_ops.core.texts import is_blank, one_line, spell_place, suggest_near, trimmed
from debate_ops.core.values import Fault

RESERVED = frozenset({"all", "debater", "judge", "person", "tally"})
"""Names that stand for something else in ids and commands, in every protocol."""
LONGEST_NAME = 32
MOST = 1_000_000_000
WEEK = 7 * 24 * 3600
"""The longest time that anybody may be waited for, in seconds."""


def wrong(message: str) -> PydanticCustomError:
    """Return the error of a value that cannot be one: `message` follows its name."""
    return PydanticCustomError("setting", "{message}", {"message": message})


def fits(pattern: str, expected: str) -> AfterValidator:
    """Return the check that a text fits a pattern; `expected` says to people what fits it."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise wrong(f"is {show_value(text)}, expected {expected}")
        return text

    return AfterValidator(check)


def read_name(text: str) -> str:
    """Return a name that may stand in ids."""
    if len(text) > LONGEST_NAME or not re.fullmatch("[a-z][a-z0-9]*(?:-[a-z0-9]+)*", text):
        rule = "lower-case letters, digits and single hyphens, beginning with a letter"
        raise wrong(f"{text!r} is no name: at most {LONGEST_NAME} {rule}")
    if text in RESERVED:
        raise wrong(f"{text} is reserved")
    return text


def _read_line(text: str) -> str:
    if len(text.splitlines()) > 1:
        raise wrong("has more than one line, expected one")
    if re.search("[\ud800-\udfff]", text):
        raise wrong("has half a character, which no file can have")
    if text and is_blank(text):
        raise wrong("is blank")
    return text


def _no_bool(value: object) -> object:
    if isinstance(value, bool):
        raise wrong(f"is {str(value).lower()}, expected a whole number")
    return value


def _odd(number: int) -> int:
    if number and number % 2 == 0:
        raise wrong("is even: an even number of members can be split in two halves")
    return number


Name = Annotated[str, AfterValidator(read_name)]
Line = Annotated[str, AfterValidator(_read_line)]
Words = Annotated[str, BeforeValidator(lambda v: "" if v is None else v), AfterValidator(trimmed)]
"""What a user says, without the white space around it; null is empty."""
Whole = Annotated[int, BeforeValidator(_no_bool), Field(ge=0, le=MOST)]
Seconds = Annotated[int, BeforeValidator(_no_bool), Field(ge=0, le=WEEK)]


class Part(BaseModel):
    """An object within a setting: it has these keys and no other."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Common(Part):
    """What debates of every protocol have.

    `OLDER` are values of settings that a debate has which was made before there were these
    settings, where they are not what `new` gives. `IDLE` are, by a setting and its value, others
    that then have no effect.
    """

    IDLE: ClassVar[Mapping[tuple[str, object], tuple[str, ...]]] = {}
    OLDER: ClassVar[dict[str, Any]] = {"first_answer": "off"}

    web_search: Literal["allowed", "forbidden"] = "allowed"
    """whether debaters may search the web for evidence, or use the given context alone"""
    language: Annotated[Line, Field(max_length=60)] = ""
    """the language of the debate; empty: the motion's own"""
    first_answer: Literal["on", "off", "debated"] = "on"
    """whether an adviser who sees nothing of the debate answers its question too, beside the first
    turn, for whoever reports on the debate, or to be debated: then debaters are shown the answer"""
    cited_folder: Line = ""
    """a folder of files too large for a prompt, which debaters search and cite, seen from the
    working folder; empty: none"""
    panel: Annotated[Whole, Field(le=25), AfterValidator(_odd)] = 0
    """how many members a panel has, an odd number; it reads the debate once that is complete; 0 is
    no panel"""
    checkpoints: Literal["on", "off"] = "off"
    """whether an agent client stops after each exchange or round, says where the debate stands, and
    asks whether to go on, to say something to the participants, or to end it"""
    word_limits: Literal["warn", "reject"] = "warn"
    """what a text over its word limit does: warn, or reject the reply"""
    history_characters: Annotated[Whole, Field(ge=1_000)] = 90_000
    """how many characters of what was said before a participant is given; what is older is left
    out"""

    @property
    def names(self) -> list[str]:
        """Who takes part, in order, where that is a setting; no office is among them."""
        return [each.name for each in getattr(self, "participants", ())]

    def participant(self, name: str) -> Any:
        """Return what the settings say of the participant of a name."""
        return next(each for each in getattr(self, "participants", ()) if each.name == name)

    def find_clashes(self) -> Iterator[str]:
        """Yield what is wrong with settings together, each after the name of one of them."""
        yield from ()

    @model_validator(mode="after")
    def _check_clashes(self) -> Self:
        idle = (
            f"{name} has no effect where {other} is {value}: leave it out"
            for (other, value), names in self.IDLE.items()
            for name in names
            if getattr(self, other) == value
            if getattr(self, name) != type(self).model_fields[name].default
        )
        if found := [*idle, *self.find_clashes()]:
            raise wrong("\n".join(found))
        return self

    @classmethod
    def draw(cls, given: Mapping[str, Any], pick: Callable[[int], int]) -> Mapping[str, Any]:  # noqa: ARG003
        """Return given settings with what is left to chance decided, once, when a debate is made.

        `pick` returns a number below the one that it is given, by chance.
        """
        return given


class Person(Part):
    """Somebody who takes part: a name, a role, and what this one stands for or knows."""

    name: Name
    role: Name = "member"
    perspective: Words = ""


def split_people(value: Any, second: str = "role", *, is_both: bool = False) -> Any:
    """Return participants as a list of objects: from `ann,ben:expert`, or words and objects.

    `second` is the key of what stands behind a colon. Where a word `is_both`, name and second
    follow from each other, and nulls are left out.
    """
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list | tuple):
        return value
    words = [w for item in items for w in (item.split(",") if isinstance(item, str) else [item])]
    people = [_read_person(word, second, is_both=is_both) for word in words]
    names = [p["name"] for p in people if isinstance(p, dict) and "name" in p]
    if twice := sorted({str(n) for n in names if names.count(n) > 1}):
        raise wrong(f"names {', '.join(twice)} more than once")
    return people


def _read_person(said: Any, second: str, *, is_both: bool) -> Any:
    if isinstance(said, str):
        first, colon, rest = map(str.strip, said.partition(":"))
        said = {"name": first, second: rest} if colon else {"name": first}
    if is_both and isinstance(said, dict):
        said = {key: part for key, part in said.items() if part is not None}
        if isinstance(one := said.get(second, said.get("name")), str):
            said = {"name": one, second: one} | said
            if said["name"] == one:
                said["name"] = one.replace("_", "-")
    return said


People = Annotated[
    tuple[Person, ...], BeforeValidator(split_people), Field(min_length=2, max_length=26)
]


_SHOULD = re.compile(
    r"\w+ should (?:be|have|match) (.+?)"
    r"(?: after validation.*|, (?:unable|got).*| or instance of.*)?"
)


def explain_errors(error: ValidationError) -> Iterator[tuple[str, str]]:
    """Yield where a value is not as its model has it, and a clause on what it is and should be."""
    for each in error.errors():
        where = ".".join(str(part) for part in each["loc"] if not str(part).startswith("["))
        message = each["msg"]
        if each["type"] == "missing":
            message = "is missing"
        elif each["type"] == "extra_forbidden":
            message = "is not known here"
        elif match := _SHOULD.fullmatch(message):
            expected = match[1].replace("tuple", "list").replace("dictionary", "object")
            message = f"is {show_value(each['input'])}, expected {expected}"
        yield where, message


def find_setting_faults(
    error: ValidationError, known: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Yield the name of each setting that is wrong, and a clause that says how.

    Of the `known` ones the nearest is named in the place of one that there is not.
    """
    each = ((where, why) for where, lines in explain_errors(error) for why in lines.split("\n"))
    for where, why in each:
        (name, _, inner), message = where.partition("."), why
        if not name and why.partition(" ")[0] in known:  # a rule about several of them
            name, _, message = why.partition(" ")
        elif why == "is not known here" and not inner:
            message = f"there is no such setting{suggest_near(name, known)}"
        yield name, f"{spell_place(inner)} {message}".strip()


def check_settings(model: type[Part], given: Mapping[str, Any]) -> Any:
    """Return a protocol's settings, or those of a tournament, in full; name all wrong ones."""
    try:
        return model.model_validate(dict(given))
    except ValidationError as error:
        faults = tuple(starmap(Fault, find_setting_faults(error, model.model_fields)))
    raise UsageError(
        "; ".join(fault.sentence() for fault in faults),
        hint=f"Settings: {', '.join(model.model_fields)}."
        + f" 'settings {model.__module__.rpartition('.')[2]}' says what each of them means."
        * issubclass(model, Common),
        faults=faults,
    )


def show_value(value: object) -> str:
    """Return what somebody has given, on a line: a text between quotes, a list by its length."""
    if isinstance(value, list | dict):
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value)}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f'"{one_line(value, 60)}"' if isinstance(value, str) else f"{value}"


def describe_settings(model: type[Common]) -> Iterator[Mapping[str, Any]]:
    """Yield of each setting `name`, `default`, `meaning` and what `values` it has, for help."""
    properties = model.model_json_schema()["properties"]
    for name, info in model.model_fields.items():
        rule, values = properties[name], ""
        if "enum" in rule:
            values = " or ".join(rule["enum"])
        elif rule.get("type") == "integer":
            to = f" to {rule['le']}" if rule["le"] != MOST else ""
            values = f"a whole number from {rule['ge']}{to}"
        default = None if info.is_required() else info.default
        text = " ".join(rule.get("description", "").split())
        yield {"name": name, "default": default, "meaning": text, "values": values}

"""Replies as pydantic models: one declaration for form, JSON Schema, word limits and record.

`prepare` puts what agents write into its one form; `jsonschema` checks that against the schema that
agents are shown, for all faults of form at once; pydantic makes what the rules see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from decimal import Decimal
from functools import cache
from itertools import starmap
from math import inf, isfinite
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, Union, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetPydanticSchema,
    WithJsonSchema,
)
from pydantic import ValidationError as ModelError
from pydantic.fields import FieldInfo
from pydantic_core import core_schema

from debate_ops.core.settings import explain_errors, fits, show_value, wrong
from debate_ops.core.texts import VISIBLE, count, is_blank, split_words
from debate_ops.core.values import Entry, Fault, Faults, Turn

if TYPE_CHECKING:
    from jsonschema import ValidationError

DECIMALS = 3
"""How many a number on record may have: scores are sums of thousandths, exactly."""


def _or_empty(text: object) -> object:
    return "" if text is None or (isinstance(text, str) and is_blank(text)) else text


Said = Annotated[
    str,
    fits(r"(?s).*[^\W_].*", "a text with a letter or a digit"),
    WithJsonSchema({"type": "string", "pattern": VISIBLE}),
]
"""A text that is required: it shows something, and has a letter or a digit."""
Visible = Annotated[
    str, fits(f"(?s).*{VISIBLE}.*", "a text that can be seen"), AfterValidator(str.strip)
]
"""A text that shows something, if only a sign."""
Optional = Annotated[str, BeforeValidator(_or_empty)]
"""A text that may be left out, null or blank; then it is empty."""


def read_exact(least: float = -inf, most: float = inf, *, decimals: int = DECIMALS) -> Any:
    """Return what makes a `Decimal` of a number, as it stands on record: no zeros at its end."""

    def read(value: object) -> Decimal:
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
            raise wrong("is no number")
        number = value if isinstance(value, Decimal) else Decimal(str(value))
        exponent = number.normalize().as_tuple().exponent
        if not isinstance(exponent, int) or -exponent > decimals:
            raise wrong(f"has too many decimals, expected at most {decimals}")
        if not least <= number <= most:
            raise wrong(f"is {number}, expected {least} to {most}")
        return Decimal(int(number)) if number == int(number) else number.normalize()

    bounds = {"minimum": least, "maximum": most}
    schema = {"type": "number"} | {k: v for k, v in bounds.items() if isfinite(v)}
    return GetPydanticSchema(
        lambda *_: core_schema.no_info_plain_validator_function(read), lambda *_: schema
    )


def text(section: str = "", *, words: int | str | tuple[int, int] = 0, **more: Any) -> Any:
    """Return a field that people read: its heading on disk, and its limit or the name of one."""
    return Field(json_schema_extra={"words": words, "section": section}, **more)  # type: ignore[dict-item]


def as_list(value: object) -> object:
    """Return a text or an object alone as a list of it; null or a blank text as an empty one."""
    if isinstance(value, list | tuple | int | float | Decimal):
        return value
    return [] if _or_empty(value) == "" else [value]


def _extra(info: FieldInfo, key: str) -> Any:
    extra = info.json_schema_extra
    return extra.get(key) if isinstance(extra, dict) else None


class Item(BaseModel):
    """A part of a reply that becomes an entry, or stands in one.

    `KEYS` are those under which fields stand in an entry's header, where they are not their names,
    or functions that read them back from an entry.
    """

    KEYS: ClassVar[Mapping[str, str | Callable[[Entry], Any]]] = {}
    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        populate_by_name=True,
        defer_build=True,
        use_attribute_docstrings=True,
    )

    @classmethod
    def prepare(cls, value: Any) -> Any:
        """Return a value in the one form that the schema describes, as far as that is plain.

        Nulls of optional keys go; what a `BeforeValidator` of a field puts right is put right.
        """
        if not isinstance(value, dict):
            return value
        known = {info.alias or name: info for name, info in cls.model_fields.items()}
        for name, info in cls.model_fields.items():
            if name not in known and name in value and info.alias not in value:
                value = {info.alias if k == name else k: v for k, v in value.items()}
        return {
            key: _prepared(known[key].annotation, known[key].metadata, part)
            if key in known
            else part
            for key, part in value.items()
            if part is not None or key not in known or known[key].is_required()
        }

    def record(self) -> tuple[dict[str, Any], dict[str, str]]:
        """Return what stands in the header of an entry, and what under headings."""
        data, texts = self.model_dump(), dict[str, str]()
        for name, info in type(self).model_fields.items():
            if section := _extra(info, "section"):
                texts[section] = data.pop(name)
        return data, texts

    @classmethod
    def from_entry(cls, entry: Entry) -> Self:
        """Return what became an entry: the fields, read back from where they stand."""
        values = dict[str, Any]()
        for name, info in cls.model_fields.items():
            section, key = _extra(info, "section"), cls.KEYS.get(name, name)
            if callable(key):
                values[name] = key(entry)
            else:
                values[name] = entry.texts.get(section, "") if section else entry.data.get(key)
        return cls.model_validate(cls.prepare(values))


class Reply(Item):
    """A whole reply. `LIST` is the key of a list that may be given alone, or as one item alone.

    `NO_REPLY` is why there is none, where an empty list is a pass and gives no reason.
    """

    LIST: ClassVar[str] = ""
    NO_REPLY: ClassVar[str] = ""

    @classmethod
    def prepare(cls, value: Any) -> Any:
        """Return a reply in its one form: an object. Whose it is may stand in an item alone."""
        if isinstance(value, list):
            is_one = len(value) == 1 and isinstance(value[0], dict)
            value = value[0] if is_one else {cls.LIST: value} if cls.LIST else value
        if not cls.LIST or not isinstance(value, dict):
            return super().prepare(value)
        item = get_args(cls.model_fields[cls.LIST].annotation)[0].model_fields
        if cls.LIST in value:
            value = {**value, cls.LIST: as_list(value[cls.LIST])}
        elif item.keys() & value.keys():
            own = {k: part for k, part in value.items() if k in {*cls.model_fields, *NAMING}}
            alone = {k: part for k, part in value.items() if k in item or k not in own}
            value = {cls.LIST: [alone], **own}
        return super().prepare(value)

    def become(self, seen: Any, turn: Turn, by: str) -> Iterator[Entry]:
        """Yield what it becomes on record; `seen` is what `Protocol.find_view` returns."""
        raise NotImplementedError

    @classmethod
    def recall(cls, entries: Sequence[Entry]) -> Self:
        """Return what became these entries: one, or one for each item of its list."""
        if not cls.LIST or any(cls.LIST in e.data for e in entries):
            return cls.from_entry(entries[0])
        item = get_args(cls.model_fields[cls.LIST].annotation)[0]
        listed = sorted(entries, key=lambda e: (e.letter, e.number))
        return cls.model_validate({cls.LIST: [item.from_entry(e) for e in listed]})

    def find_faults(self, seen: Any, turn: Turn, by: str) -> Faults:
        """Yield what the rules have against it, beyond its form."""
        yield from ()

    def explain_pass(self) -> str | None:
        """Return why it says nothing, where it may; None where it says something."""
        if not self.NO_REPLY or getattr(self, self.LIST):
            return None
        return getattr(self, "pass_reason", "") or self.NO_REPLY


def _prepared(annotation: Any, metadata: Iterable[Any], value: Any) -> Any:
    for each in metadata:
        if isinstance(each, BeforeValidator):
            value = each.func(value)  # type: ignore[call-arg]
    if annotation is str:
        return value
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _prepared(parts[0], parts[1:], value)
    if origin in {list, tuple} and isinstance(value, list):
        return [_prepared(parts[0], (), part) for part in value]
    if origin in {Union, UnionType}:
        kinds = [part for part in parts if part is not NoneType]
        return _prepared(kinds[0], (), value) if len(kinds) == 1 and value is not None else value
    if isinstance(annotation, type) and issubclass(annotation, Item):
        return annotation.prepare(value)
    return value


NAMING = ("participant", "exchange", "phase")
"""Keys by which a reply may say which task it is for; each is then what the prompt gave."""


@cache
def schema_of(model: type[Reply]) -> dict[str, Any]:
    """Return the JSON Schema of a reply, as agents are shown it (draft 2020-12)."""
    schema = model.model_json_schema(by_alias=True)
    for each in (schema, *schema.get("$defs", {}).values()):
        for rule in each.get("properties", {}).values():
            rule.pop("section", None)
    naming = {
        "participant": {"type": "string", "description": "Your name, as the prompt gives it."},
        "exchange": {"type": "integer", "description": "The exchange, as the prompt gives it."},
        "phase": {"type": "string", "description": "The phase, as the prompt gives it."},
    }
    return {**schema, "properties": naming | schema.get("properties", {})}


_NAMES = {"object": "an object", "array": "a list", "string": "text", "number": "a number"}
_NAMES |= {"integer": "a whole number", "boolean": "true or false", "null": "null"}
MOST_FAULTS = 20
"""Faults that are named of a reply without its form; more help nobody."""


def find_form_faults(model: type[Reply], value: Any) -> Faults:
    """Yield what in a prepared reply is not as its schema has it, each with its path."""
    from jsonschema import Draft202012Validator  # only a command that reads replies loads it

    errors, faults = Draft202012Validator(schema_of(model)).iter_errors(value), dict[str, Fault]()
    for error in sorted(errors, key=lambda e: [(isinstance(p, str), f"{p:>8}") for p in e.path]):
        for inner in _causes(error):
            where = ".".join(str(part) for part in inner.absolute_path)
            if inner.validator == "required":
                where = ".".join(filter(None, (where, inner.message.split("'")[1])))
            faults.setdefault(where, Fault(where, _explain(inner)))
    yield from faults.values()


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """Yield what is behind a value that fits none of two forms, one of which is null."""
    if error.validator != "anyOf":
        yield error
        return
    for inner in error.context or ():
        if inner.schema != {"type": "null"}:
            yield from _causes(inner)


def _explain(error: ValidationError) -> str:
    value: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    said, right, kind = show_value(value), rule, str(error.validator)
    if kind == "required":
        others = [key for key in value if key not in schema.get("properties", {})]
        names = ", ".join(map(show_value, others))
        known = f"the key {names} is" if len(others) == 1 else f"the keys {names} are"
        return f"is missing{f'; {known} not known here' if others else ''}"
    if kind == "pattern" and is_blank(value):
        return "is blank: a text is expected"
    if kind == "type":
        right = " or ".join(_NAMES[each] for each in (rule if isinstance(rule, list) else [rule]))
    elif kind == "enum":
        right = " or ".join(map(str, rule))
    elif kind.startswith(("min", "max")):
        said = f"{len(value)} characters long" if kind.endswith("Length") else said
        right = f"{'at least' if kind.startswith('min') else 'at most'} {rule}"
    return f"is {said}, expected {right}"


def parse_reply(
    model: type[Reply], value: Any, check: Callable[[Any], Iterable[Fault]] = lambda _: ()
) -> tuple[Any, list[Fault]]:
    """Return a reply as its model, or None; and all its faults, with unknown keys noted.

    `check` yields what the rules have against a reply. Where parts have not their form, it is asked
    twice, with something else in their places: what it says both times is so whatever stands there.
    """
    prepared, schema = model.prepare(value), schema_of(model)
    faults = list(find_form_faults(model, prepared))
    replies, places = list[Any](), tuple[str, ...]()
    while not replies and len(faults) < MOST_FAULTS and all(fault.where for fault in faults):
        try:
            if not faults:
                replies = [model.model_validate(prepared)]
                unknown = _find_unknown_keys(prepared, schema, schema)
                note = "is not known here and is left out"
                noted = [Fault(path, note, is_warning=True) for path in unknown]
                return replies[0], [*noted, *check(replies[0])]
            filled = [_fill(prepared, faults, schema, is_last=last) for last in (False, True)]
            replies = [model.model_validate(each) for each, _ in filled]
            places = tuple(f"{place}." for place in filled[0][1])
        except ModelError as error:  # what no schema can say
            known = tuple(f"{fault.where}." for fault in faults)
            errors = starmap(Fault, explain_errors(error))
            more = [fault for fault in errors if not f"{fault.where}.".startswith(known)]
            if not more:
                break
            faults += more
    first, second = (list(check(reply)) for reply in replies) if replies else ([], [])
    for fault in (fault for fault in first if fault in second):
        where = f"{fault.where}."
        if not where.startswith(places) and not any(p.startswith(where) for p in places):
            faults.append(fault)
    return None, faults[:MOST_FAULTS]


def _fill(value: Any, faults: list[Fault], schema: Any, *, is_last: bool) -> tuple[Any, list[str]]:
    """Return a reply with something of the right form where there is a fault, and these places."""
    value, places = deepcopy(value), list[str]()
    for fault in reversed(faults):  # the items of a list before the list
        *way, key = (int(part) if part.isdigit() else part for part in fault.where.split("."))
        at, rule = value, resolve(schema, schema)
        for part in way:
            at, rule = at[part], resolve(_step(rule, part), schema)
        rule = resolve(_step(rule, key), schema)
        old = at.get(key) if isinstance(at, dict) else at[key]
        if isinstance(old, list) and rule.get("type") == "array":
            missing = rule.get("minItems", 0) - len(old)
            new = [*old, *[_make_example(rule["items"], schema, is_last=is_last)] * missing]
            at[key] = new[: rule.get("maxItems")]
            places += [f"{fault.where}.{n}" for n in range(*sorted((len(old), len(at[key]))))]
        else:
            at[key] = _make_example(rule, schema, is_last=is_last)
            places.append(fault.where)
    return value, places


def resolve(rule: Any, schema: Any) -> Any:
    """Return what a rule of a schema refers to, or what it is where it is not null."""
    while "$ref" in rule or "anyOf" in rule:
        kinds = rule.get("anyOf") or [schema["$defs"][rule["$ref"].rpartition("/")[2]]]
        rule = next(kind for kind in kinds if kind != {"type": "null"})
    return rule


def _step(rule: Any, part: int | str) -> Any:
    return rule["items"] if isinstance(part, int) else rule["properties"][part]


def _make_example(rule: Any, schema: Any, *, is_last: bool) -> Any:
    """Return what has the form of a rule: with least and first, or with all and last."""
    rule = resolve(rule, schema)
    match rule.get("type"):
        case "object":
            parts = rule.get("properties", {})
            keys = parts if is_last else rule.get("required", ())
            return {key: _make_example(parts[key], schema, is_last=is_last) for key in keys}
        case "array":
            items = _make_example(rule["items"], schema, is_last=is_last)
            return [items] * rule.get("minItems", 0)
        case "boolean":
            return is_last
        case "number" | "integer":
            return rule.get("maximum" if is_last else "minimum", rule.get("minimum", 0))
    return rule.get("enum", ["something else"])[-is_last]


def _find_unknown_keys(value: Any, rule: Any, schema: Any, where: str = "") -> Iterator[str]:
    rule = resolve(rule, schema)
    if isinstance(value, dict) and "properties" in rule:
        for key, part in value.items():
            if key not in rule["properties"]:
                yield f"{where}{key}"
            else:
                yield from _find_unknown_keys(part, _step(rule, key), schema, f"{where}{key}.")
    elif isinstance(value, list) and "items" in rule:
        for number, part in enumerate(value):
            yield from _find_unknown_keys(part, _step(rule, 0), schema, f"{where}{number}.")


def find_long_texts(value: BaseModel, limits: Mapping[str, int], where: str = "") -> Faults:
    """Yield which texts have more words than they may, or fewer; `limits` are the settings."""
    for name, info in type(value).model_fields.items():
        part, path = getattr(value, name), f"{where}{info.alias or name}"
        limit = _extra(info, "words") or 0
        least, most = limit if isinstance(limit, tuple | list) else (0, limit)
        most = limits[most] if isinstance(most, str) else most
        listed = enumerate(part) if isinstance(part, list) else ()
        for at, item in [(path, part), *((f"{path}.{place}", item) for place, item in listed)]:
            words = len(split_words(item)) if most and isinstance(item, str) else 0
            if words > most or 0 < words < least:
                span = f"{least} to {most}" if least else f"at most {most}"
                yield Fault(at, f"{info.alias or name} has {count(words, 'word')}, expected {span}")
            if isinstance(item, BaseModel):
                yield from find_long_texts(item, limits, f"{at}.")

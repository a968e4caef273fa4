"""An unknown setting is refused, and every known one has an effect (PX-08)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given

from debate_ops import engine
from debate_ops.engine import RepliesRefusedError
from debate_ops.errors import UsageError
from debate_ops.formats import headers
from debate_ops.model.turn import Absent
from debate_ops.protocols.settings import LANGUAGE, Setting
from debate_ops.protocols.table import rules_of
from tests.builders import put, record_of
from tests.every_protocol.scripts import ROWS, Effect
from tests.every_protocol.stage import (
    EVENTS,
    MOST_STEPS,
    RICH,
    Moment,
    aside,
    begun,
    every_protocol,
    go,
    here,
)
from tests.strategies import json_values

if TYPE_CHECKING:
    from debate_ops.storage.folder import Folder

EFFECTS = [(protocol, name) for protocol, row in ROWS.items() for name in row.effects]


@pytest.mark.parametrize("protocol", ROWS)
def test_the_scripts_know_an_effect_of_every_setting(protocol: str) -> None:
    assert list(ROWS[protocol].effects) == [s.name for s in rules_of(protocol).SETTINGS] or set(
        ROWS[protocol].effects
    ) == {setting.name for setting in rules_of(protocol).SETTINGS}


@pytest.mark.slow
@pytest.mark.parametrize(("protocol", "name"), EFFECTS)
def test_every_setting_has_an_effect(protocol: str, name: str) -> None:
    """PX-08: a debate held by the same script is another one where the row says so."""
    effect = ROWS[protocol].effects[name]
    usual = usual_transcript(protocol, effect)
    changed = transcript(protocol, effect, {name: effect.value}, unlike=usual)
    assert usual[effect.seen_in] != changed[effect.seen_in]
    assert usual["settings"][name] != changed["settings"][name]
    others = {key: value for key, value in usual["settings"].items() if key != name}
    assert {key: changed["settings"][key] for key in others} == others


@pytest.mark.parametrize("protocol", ROWS)
def test_a_debate_without_a_change_is_the_same_debate(protocol: str) -> None:
    """Without this the test above could not fail."""
    effect = next(iter(ROWS[protocol].effects.values()))
    default = transcript(protocol, effect, {})
    assert transcript(protocol, effect, default["settings"]) == default


_usual: dict[str, dict[str, Any]] = {}


def usual_transcript(protocol: str, effect: Effect) -> dict[str, Any]:
    """Return what is seen of a debate that the setting was not changed in; each is held once."""
    key = f"{protocol} {effect.name} {effect.beside}"
    if key not in _usual:
        _usual[key] = transcript(protocol, effect, {})
    return _usual[key]


def transcript(
    protocol: str,
    effect: Effect,
    settings: Mapping[str, Any],
    unlike: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Hold a debate by its script, and return what could be seen of it, apart from its settings.

    Where the effect is seen during the debate, it is held until it is `unlike` another.
    """
    variant = ROWS[protocol].variants[effect.name]
    seen: dict[str, Any] = {"turns": [], "prompts": [], "checks": [], "states": [], "entries": []}
    with aside():
        folder = begun(protocol, effect.name, settings={**effect.beside, **settings})
        has_end = engine.preview(folder).calls_left is not None
        seen["calls"] = [engine.preview(folder, None if has_end else 1).calls_left]
        for _ in range(MOST_STEPS):
            moment = here(folder, variant)
            seen["settings"] = dict(moment.position.debate.settings)
            seen["turns"].append(moment.due)
            seen["prompts"].append(moment.prompts)
            seen["states"].append(moment.position.debate.state)
            so_far = seen[effect.seen_in] if unlike and effect.seen_in in seen else []
            if (not moment.texts and moment.act is None) or (
                unlike and so_far != unlike[effect.seen_in][: len(so_far)]
            ):
                break
            try:
                outcome = _gone_on(folder, moment, effect.away)
            except RepliesRefusedError as refused:
                seen["checks"].append([fault.code for fault in refused.faults])
                break
            seen["checks"].append([w.sentence() for w in outcome.warnings])
        for name, data in record_of(folder).items():
            if name not in {"debate.md", EVENTS}:
                header, body, _ = headers.parse(data.decode(), name)
                header.pop("from")
                seen["entries"].append((name, header, body))
        seen["transcript"] = _transcript(folder.slug)
    return seen


def _gone_on(folder: Folder, moment: Moment, away: str) -> engine.Outcome:
    """Do what comes next; who is `away` is absent."""
    if away not in moment.texts:
        return go(folder, moment)
    for name, text in moment.texts.items():
        if name != away:
            put(folder, name, text, moment.step)
    return engine.submit(folder, moment.step, absent={away: Absent(away, "skip", "It is away.")})


def _transcript(slug: str) -> str:
    """Return the transcript for readers, with what the debate's settings show of it."""
    from tests.every_protocol.stage import transcript_of

    return transcript_of(slug)


@every_protocol
def test_an_unknown_setting_is_refused_by_name(protocol: str, name: str) -> None:
    with pytest.raises(UsageError) as refused:
        begun(protocol, name, settings={"strict_mode": True})
    assert [fault.where for fault in refused.value.faults] == ["strict_mode"]
    assert not Path("debates").exists()


@every_protocol
def test_every_bad_value_of_a_setting_is_refused_by_name(protocol: str, name: str) -> None:
    for setting in rules_of(protocol).SETTINGS:
        bad_ones: list[Any] = [[None], -1, [], {"a": None}, 1.5, True]
        refused_ones = [bad for bad in bad_ones if not _is_read(setting, bad)]
        assert refused_ones
        for bad in refused_ones:
            with pytest.raises(UsageError) as refused:
                begun(protocol, name, settings={setting.name: bad})
            assert [fault.where for fault in refused.value.faults] == [setting.name]


@pytest.mark.parametrize("protocol", ROWS)
@given(json_values)
def test_whatever_a_setting_is_given_is_read_or_refused(protocol: str, value: Any) -> None:
    """Also inside of a list of objects, where a protocol has one."""
    for setting in rules_of(protocol).SETTINGS:
        inside = [{key: value} for key in ("name", "role", "framework", "text")]
        for one in (value, [value], ["a", value], *([each, "b"] for each in inside)):
            if _is_read(setting, one):
                assert setting.read(setting.read(one)) == setting.read(one)


@pytest.mark.parametrize("protocol", ["chairs", "consensus", "design"])
def test_nobody_is_named_as_those_who_file_what_no_participant_does(protocol: str) -> None:
    second = {"chairs": ":pragmatic", "consensus": "", "design": ":testing"}[protocol]
    for reserved in ("tally", "person"):
        with pytest.raises(UsageError, match=f"{reserved} is reserved"):
            engine.checked_settings(rules_of(protocol), {"participants": f"{reserved}{second}"})


@pytest.mark.parametrize("protocol", ["chairs", "consensus", "design"])
def test_every_fault_of_many_participants_is_told_to_the_last(protocol: str) -> None:
    """Also where one of the values is long: it is shown in short, and hides no other fault."""
    names = [f"Nobody-{number}" for number in range(26)]
    given_ = [{"name": "ann", "colour": 1}, {"name": ["x" * 5_000]}, *names, 5]
    with pytest.raises(UsageError) as refused:
        engine.checked_settings(rules_of(protocol), {"participants": given_})
    (result,) = refused.value.sentences()
    assert "colour is no part of a" in result
    assert '["xxx' in result
    assert "5 is no participant" in result
    assert all(f"'{name}' is no " in result for name in names)
    assert len(result) < 6_000


def test_a_language_is_one_short_line_or_empty() -> None:
    assert all(LANGUAGE in rules_of(protocol).SETTINGS for protocol in ROWS)
    for good in ("", "French", "x" * 60):
        assert LANGUAGE.read(good) == good
    for bad in (" ", "\u200b", "x" * 61, "French\n# Now obey", "French\u2028and more", "a\rb"):
        assert not _is_read(LANGUAGE, bad)


def _is_read(setting: Setting, value: Any) -> bool:
    try:
        setting.read(value)
    except ValueError:
        return False
    return True


@every_protocol
def test_a_setting_unknown_in_debate_md_stops_every_command(protocol: str, name: str) -> None:
    folder = begun(protocol, name)
    path = Path(folder.debate_file)
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace('"settings": {', '"settings": {\n    "strict_mode": true,'), "utf-8"
    )
    from debate_ops.errors import BadRecordError

    for command in (engine.look, engine.next_turn):
        with pytest.raises(BadRecordError, match="strict_mode"):
            command(folder)


@pytest.mark.parametrize(("protocol", "name"), RICH)
def test_what_is_stored_of_a_setting_is_read_as_the_same_again(protocol: str, name: str) -> None:
    """A debate's own settings are a good settings file."""
    folder = begun(protocol, name)
    settings = engine.look(folder).debate.settings
    header = json.loads(Path(folder.debate_file).read_text("utf-8").split("---\n")[1])
    again = engine.checked_settings(rules_of(protocol), header["settings"])
    assert again == settings

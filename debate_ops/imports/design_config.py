"""The settings file `debate-config.json` of an older program for design debates, as ours.

What has no counterpart here is left out with a note. Texts in files become objects with `file`,
which whoever reads the settings fills in.
"""

from collections.abc import Collection, Mapping
from typing import Any

from debate_ops.core.errors import UsageError
from debate_ops.core.settings import LONGEST_NAME, RESERVED
from debate_ops.core.texts import one_line
from debate_ops.engine.store import spell_slug
from debate_ops.protocols.design import ROLES

Data = dict[str, Any]
PARTS = {"agents": list, "judge": dict, "debate": dict}
_ROLES = {"kiss": "simplicity", "datamodeling": "data-modelling"}
_NO_CHANGE = {"synthesisMethod": "judge", "includeFullHistory": True, "method": "length-based"}
"""Values that say what is so here too, which needs no note."""


def read_design_config(values: Mapping[str, Any]) -> tuple[Data, dict[str, str], list[str]]:
    """Return what a file of the older program says: settings, SPECs of `run` by name, and notes."""
    for name, kind in PARTS.items():
        _check_kind(name, values.get(name, kind()), kind)
    debate, notes, people = dict(values.get("debate", {})), list[str](), dict[str, Data]()
    shared = debate.get("summarization", {})
    _check_kind("debate.summarization", shared, dict)
    settings, voices = _read_debate(debate, notes), {"judge": values.get("judge", {})}
    for number, agent in enumerate(values.get("agents", ())):
        _check_kind(f"agents.{number}", agent, dict)
        if agent.get("enabled") is not False:
            person = _read_agent(f"agents.{number}", agent, shared, people, notes)
            people[person["name"]], voices[person["name"]] = person, agent
    if people:
        settings["participants"] = [*people.values()]
    if voices["judge"] and (voice := _read_voice("judge", voices["judge"], shared, notes)):
        settings["judge"] = voice
    models = {}
    for name, own in voices.items():
        if own.get("provider") and own.get("model"):
            heat = f"?temperature={own['temperature']}" if "temperature" in own else ""
            models[name] = f"{own['provider']}:{own['model']}{heat}"
    return settings, models, notes


def _check_kind(where: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        expected = "a list" if kind is list else "an object"
        raise UsageError(
            f"{where} is {one_line(str(value), 60)}, expected {expected}",
            hint="A debate-config.json has 'agents' (a list), 'judge' and 'debate' (objects).",
        )


def _read_debate(debate: Data, notes: list[str]) -> Data:
    rounds, end = debate.pop("rounds", None), debate.pop("terminationCondition", {})
    _check_kind("debate.terminationCondition", end, dict)
    settings: Data = {} if rounds is None else {"max_exchanges": rounds}
    if rounds != 1:
        settings["stop_when_nothing_new"] = "no"  # there it goes on
        if end.get("type", "fixed") != "fixed":
            least = end.get("threshold", 90)  # what the older program took, as below
            is_share = isinstance(least, int | float) and 0 < least <= 1
            settings["stop_at_confidence"] = round(least * 100) if is_share else least
    questions = debate.pop("clarificationsMaxPerAgent", 5)
    most = debate.pop("clarificationsMaxIterations", None)
    if debate.pop("interactiveClarifications", False):
        settings["clarifying_questions"] = questions
        settings |= {"clarifying_rounds": most} if most else {}
    settings |= _read_limits(debate.pop("summarization", {}))
    _note_rest("debate", debate, notes)
    return settings


def _read_limits(summarization: Data) -> Data:
    if summarization.get("enabled") is False:
        return {"summary_threshold": 0}
    names = {"threshold": "summary_threshold", "maxLength": "summary_characters"}
    return {ours: summarization[key] for key, ours in names.items() if key in summarization}


def _read_voice(where: str, agent: Data, shared: Data, notes: list[str]) -> Data:
    """Return what an agent or the judge has of its own; the rest is noted."""
    known = {"id", "name", "role", "enabled", "model", "provider", "temperature"}
    rest = {key: value for key, value in agent.items() if key not in known}
    voice: Data = {}
    if path := rest.pop("systemPromptPath", ""):
        voice["description"] = {"file": path}
    summarization = rest.pop("summarization", {})
    _check_kind(f"{where}.summarization", summarization, dict)
    summary = summarization.get("promptPath") or shared.get("promptPath")
    prompts = {"summary": rest.pop("summaryPromptPath", "") or summary}
    if where != "judge":
        prompts["questions"] = rest.pop("clarificationPromptPath", "")
    if given := {task: {"file": path} for task, path in prompts.items() if path}:
        voice["prompts"] = given
    _note_rest(where, rest, notes)
    return voice | _read_limits(summarization)


def _read_agent(
    where: str, agent: Data, shared: Data, taken: Collection[str], notes: list[str]
) -> Data:
    voice = _read_voice(where, agent, shared, notes)
    there = str(agent.get("role", ""))
    role = _ROLES.get(there, _spell_name(there))
    if role not in ROLES and not (role and "description" in voice):
        notes.append(f"{where}: there is no role {one_line(there, 40)!r} here: it is an architect")
        role = "architect"
    there = str(agent.get("id") or agent.get("name") or agent.get("role") or "")
    name = _spell_name(there)
    if not name or name in RESERVED or name in taken:
        name = where.replace("s.", "-")
    if name != there:
        notes.append(f"{where}: {one_line(there, 40)!r} is called {name} here")
    return {"name": name, "role": role, **voice}


def _spell_name(there: str) -> str:
    return spell_slug(there, LONGEST_NAME).lstrip("-0123456789")


def _note_rest(where: str, rest: Data, notes: list[str]) -> None:
    for key, value in rest.items():
        if _NO_CHANGE.get(key, ...) != value:
            notes.append(f"{where}: {one_line(key, 40)} is left out: it has no counterpart here")

"""Small builders: replies, debates at any turn, and the command line as a function.

All of them work in the current folder; the fixture `work` gives each test one of its own.
"""

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from debate_ops import engine
from debate_ops.engine import Framing, inbox
from debate_ops.engine.store import Folder
from tests.cli.stage import say

Data = dict[str, Any]
T = TypeVar("T")

ROOT = Path(__file__).resolve().parent.parent
SLUG = "x-debate"
MOTION = "This house would X"
ARGUING = "awaiting_arguments"
JUDGING = "awaiting_judgment"

OPENING_IDS = ("prop_000a", "prop_000b", "prop_000c", "opp_000a", "opp_000b", "opp_000c")
OPENING_SCORES = dict(zip(OPENING_IDS, (0.3, 0.4, 0.05, -0.1, 0.15, -0.8), strict=True))


def argument(**changes: Any) -> Data:
    """Return a good argument; a change to None leaves its key out."""
    good = {
        "title": "Five words make a title",
        "claim": "One sentence.",
        "grounds": [ground()],
        "warrant": "w",
    }
    return {key: value for key, value in (good | changes).items() if value is not None}


def ground(**changes: Any) -> Data:
    return {"source": "s", "content": "c", "relevance": "r"} | changes


def attack(target_id: str, attack_type: str = "claim_attack", content: str = "No.") -> Data:
    return {"target_id": target_id, "attack_type": attack_type, "content": content}


def defence(target_id: str, defense_type: str = "reinforce", content: str = "Yes.") -> Data:
    return {"target_id": target_id, "defense_type": defense_type, "content": content}


def opening(participant: str, *arguments: Data) -> Data:
    """Return an opening: the arguments given, or three good ones."""
    return {
        "participant": participant,
        "exchange": 0,
        "arguments": list(arguments)
        or [
            argument(title=f"Argument {n} of {participant} here", claim=f"{participant} says {n}.")
            for n in ("one", "two", "three")
        ],
    }


def rebuttal(participant: str, exchange: int, **changes: Any) -> Data:
    named = {"participant": participant, "exchange": exchange}
    own = {"claim": f"{participant} says more in {exchange}."}
    return named | {"arguments": [argument(**own | changes)]}


def judgment(
    exchange: int, scores: Mapping[str, Any], rescores: Iterable[Data] = (), **more: Any
) -> Data:
    return {
        "participant": "judge",
        "exchange": exchange,
        "scores": [score(argument_id, number) for argument_id, number in scores.items()],
        "rescores": list(rescores),
    } | more


def score(argument_id: str, number: Any) -> Data:
    return {"argument_id": argument_id, "score": number, "reasoning": "r"}


def effect(
    attacker_id: str, target_id: str, effect: str = "landed", component: str = "claim"
) -> Data:
    return {
        "attacker_id": attacker_id,
        "target_id": target_id,
        "component": component,
        "effect": effect,
        "reasoning": "It shows that.",
    }


def rescore(argument_id: str, new: Any, old: Any = None) -> Data:
    change = {"argument_id": argument_id, "new_score": new, "reasoning": "the cause"}
    return change if old is None else change | {"old_score": old}


def scores_of(exchange: int) -> dict[str, float]:
    """Return good scores for all new arguments of an exchange."""
    if exchange == 0:
        return dict(OPENING_SCORES)
    return {f"prop_{exchange:03d}": 0.35, f"opp_{exchange:03d}": -0.35}


def good_reply(participant: str, exchange: int) -> Data:
    if participant == "judge":
        return judgment(exchange, scores_of(exchange))
    return rebuttal(participant, exchange) if exchange else opening(participant)


def new_debate(slug: str = SLUG, **settings: Any) -> Folder:
    settings = {"first_answer": "off", **settings}
    return engine.create(slug, Framing(MOTION), settings=settings).folder


def debate_at(exchange: int, phase: str = ARGUING, **settings: Any) -> Folder:
    """Return a debate that waits at this exchange and phase, all before it run by the engine."""
    folder = Folder(f"debates/{SLUG}")
    for name, data in _files_at(exchange, phase, tuple(sorted(settings.items()))).items():
        path = Path(folder.path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


@cache
def _files_at(exchange: int, phase: str, settings: tuple[tuple[str, Any], ...]) -> dict[str, bytes]:
    with TemporaryDirectory() as apart, contextlib.chdir(apart):
        folder = new_debate(**dict(settings))
        hold_until(folder, exchange, phase)
        return record_of(folder)


def hold_until(folder: Folder, exchange: int, phase: str = ARGUING) -> None:
    """Hold turns with good replies until the debate waits there."""
    while where(folder) != (exchange, phase):
        hold(folder)


def hold(folder: Folder, **replies: Data) -> engine.Position:
    """Hold the turn that is due through the inbox: the replies given, good ones for the rest."""
    position = engine.next_turn(folder)
    for item in position.tasks:
        name = item.task.by
        if name == "adviser" and name not in replies:
            continue
        put(folder, name, replies.get(name) or good_reply(name, position.at.place.round))
    return engine.submit(folder, position.debate.step)


def put(folder: Folder, participant: str, reply: Data | str, step: int | None = None) -> Path:
    """Write a participant's reply into the inbox, as an agent would."""
    at = engine.load(folder).debate.step if step is None else step
    path = Path(inbox.find_slot(folder, at, participant).reply)
    path.parent.mkdir(exist_ok=True)
    path.write_text(reply if isinstance(reply, str) else json.dumps(reply), encoding="utf-8")
    return path


def where(folder: Folder) -> tuple[int, str]:
    place = engine.load(folder).at.place
    return place.round, place.phase


def header_of(folder: Folder, name: str) -> Data:
    """Return the header of a file of ours, read by `json` alone."""
    text = Path(folder.path, name).read_text(encoding="utf-8")
    header: Data = json.JSONDecoder().raw_decode(text.removeprefix("---\n"))[0]
    return header


def events_of(folder: Folder) -> list[Data]:
    lines = Path(folder.path, "events.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def prompt_of(folder: Folder, participant: str) -> str:
    tasks = engine.next_turn(folder).tasks
    (slot,) = [item.slot for item in tasks if item.task.by == participant]
    return Path(slot.prompt).read_text(encoding="utf-8")


def record_of(folder: Folder) -> dict[str, bytes]:
    """Return every file that is part of the debate, by its name in the folder."""
    beside = (".pending/", "inbox/", "set-aside/")
    return {n: data for n, data in read_folder(folder.path).items() if not n.startswith(beside)}


def read_folder(folder: str | Path) -> dict[str, bytes]:
    """Return every file in a folder, by its name there."""
    files = [path for path in sorted(Path(folder).rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


class Answer(NamedTuple):
    """What a command answered: its exit code, its JSON object, its remarks."""

    code: int
    result: Data
    remarks: str

    @property
    def messages(self) -> list[str]:
        return [fault["message"] for fault in self.result["faults"]]

    @property
    def places(self) -> list[tuple[str, str]]:
        """Whose and where its faults are, in their order."""
        faults = self.result["faults"]
        return [(fault.get("participant", ""), fault.get("where", "")) for fault in faults]


def run(*argv: object) -> Answer:
    said = say(*argv, *(["--json"] if argv[0] in {"show", "status"} else []))
    return Answer(said.code, json.loads(said.out), said.err)


def process_exchange(exchange: int, prop: Any, opp: Any) -> Answer:
    """Run `process-exchange` on two files with these replies: data, or text as it stands."""
    files = {"--prop-file": written("prop.json", prop), "--opp-file": written("opp.json", opp)}
    options = [word for pair in files.items() for word in pair]
    return run("process-exchange", SLUG, exchange, *options)


def process_judge(reply: Any) -> Answer:
    return run("process-judge", SLUG, "--json-file", written("judge.json", reply))


def written(name: str, content: Any = "text\n") -> str:
    """Write a file, of JSON unless it is a text or bytes; return its name."""
    file = Path(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return name


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """Return at most so many of these, evenly from the first to the last."""
    if len(items) <= most:
        return items
    return [items[place * (len(items) - 1) // (most - 1)] for place in range(most)]

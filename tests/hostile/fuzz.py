"""Replies and headers that nobody thought of: changed at random, and read by the whole program.

    python -m tests.hostile.fuzz --minutes 60 --seed 1

Every step follows from the seed and its number alone: `--replay 1:4711` does that one again. The
steps run in child processes, so that one which kills its process, hangs or eats up the memory is
a finding, and not the end.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from copy import deepcopy
from multiprocessing import get_context
from pathlib import Path
from tempfile import gettempdir
from typing import Any, NamedTuple

from debate_ops.storage.folder import Folder
from tests.builders import SLUG, put
from tests.every_protocol.stage import RICH, Moment, aside, data_of, history, restore
from tests.hostile.holding import Printed, printed
from tests.hostile.laws import record, unseen
from tests.hostile.texts import CONTROLS, HOST, TEXTS

SECONDS = 20
"""Processor time of one step, at most: a step has up to five commands."""
MEMORY = 1024**3
"""Bytes that one step may need beyond those of the test itself."""
STEPS_OF_A_CHILD = 200
LONGEST = 256 * 1024
"""Characters that a command may print about a reply."""
FOREIGN = re.compile(rf"zq\d|{re.escape(HOST)}")
"""What stands in the texts of the scripts, and in the corpus, and never in the program's words."""
ALIVE = re.compile(r"<(?!h[123]>|blockquote>)|link to (?!a file)|\$formula")
"""Parts that no file of the record has: a tag, a link that leads out, a formula."""
AS_DOCUMENTED = frozenset({0, 1, 2, 5, 7, 8, 75})

WORDS: tuple[str, ...] = (
    *TEXTS.values(),
    *CONTROLS.values(),
    *("", " ", "\u3164", "null", "NaN", "1e999", "-0", "9" * 5000, "\ud800", "[" * 5000, "{" * 900),
    *("prop_000a", "../../x", "/etc/passwd", "judge", "person_001-decision", "r1", "all", "a" * 70),
    *("- " * 500, "*a" * 500, "`" * 999, "~~~\n" * 200, " " * 5000, "\n" * 500, "\t" * 900),
    *("> " * 99, "&a [*a,*a]", "<<: *a", "!!binary x", "---\n", "+++\n", "{}", "[]", '"', "\\"),
    *("\ufeff", "\r"),
)
RAW = {
    "a long number": "9" * 5000,
    "many digits": f"0.{'3' * 5000}",
    "deep": "[" * 900 + "]" * 900,
    "very deep": "[" * 100_000 + "]" * 100_000,
    "deep keys": '{"a":' * 900 + "1" + "}" * 900,
    "not a number": "NaN",
    "too much": "1e999",
    "twice": '{"id": 1, "id": 2}',
    "not closed": '["',
}
"""What stands in JSON that no value of ours can be, by the text that is put there."""
VALUES: tuple[Any, ...] = (
    *(*RAW, None, True, False, 0, -1, 1, 0.5, 0.001, 1e300, 10**30, [], {}, "", [[]]),
)
COMMANDS = [
    command.split()
    for command in (
        *("status", "next", "show --json", "validate", "transcript", "flow --format json"),
        "export --to jsonl",
    )
]


class Step(NamedTuple):
    """One thing to try: a moment of a debate, and what one of its files holds instead."""

    number: int
    moment: Moment
    name: str
    """A participant, or a file of the record."""
    data: bytes
    is_reply: bool


class Fault(Exception):  # noqa: N818  (what is found is at fault, not the fuzzer)
    """What should not have been."""


def step_of(seed: int, number: int) -> Step:
    """Return a step; the same seed and number give the same step."""
    chance = random.Random(f"{seed}:{number}")  # noqa: S311  (it is to be repeated)
    moments = history(*chance.choice(RICH))
    if chance.random() < 0.75:
        moment = chance.choice([m for m in moments if m.texts])
        name = chance.choice(sorted(moment.texts))
        return Step(number, moment, name, _reply(moment.texts[name], chance), is_reply=True)
    moment = chance.choice(moments)
    files = [n for n in moment.record if n.endswith(".md")]
    name = chance.choice(["debate.md", *files])
    return Step(number, moment, name, _file(moment.record[name], chance), is_reply=False)


def _reply(good: str, chance: random.Random) -> bytes:
    """Return a reply that was changed: mostly in its values, at times in its bytes."""
    if chance.random() < 0.2:
        return _bytes(good.encode(), chance)
    value: Any = data_of(good)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        value = changed(value, chance)
    return _written(value, ensure_ascii=chance.random() < 0.5)


def _file(good: bytes, chance: random.Random) -> bytes:
    """Return a file of the record that was changed: in its header or anywhere."""
    text = good.decode()
    if chance.random() < 0.5 or not text.startswith("---\n{"):
        return _bytes(good, chance)
    header, end = json.JSONDecoder().raw_decode(text, 4)
    for _ in range(chance.choice((1, 1, 2))):
        header = changed(header, chance)
    form = chance.random()
    if form < 0.15 and isinstance(header, dict):
        lines = [f"{json.dumps(key)}: ".encode() + _written(v) for key, v in header.items()]
        return b"\n".join([b"---", *lines, text[end:].lstrip("\n").encode()])
    if form < 0.25 and isinstance(header, dict):
        lines = [f"{json.dumps(key)} = ".encode() + _written(v) for key, v in header.items()]
        return b"\n".join([b"+++", *lines, b"+++", text[end:].partition("---")[2].encode()])
    return b"---\n" + _written(header) + text[end:].encode()


def _written(value: Any, *, ensure_ascii: bool = False) -> bytes:
    """Write a value as JSON, with what no value can be in its place."""
    text = json.dumps(value, ensure_ascii=ensure_ascii)
    for name, raw in RAW.items():
        text = text.replace(f'"{name}"', raw)
    return text.encode("utf-8", "surrogatepass")


def changed(value: Any, chance: random.Random) -> Any:
    """Return a value with one place of it changed."""
    places = list(_places(value, ()))
    if not places:
        return deepcopy(chance.choice(VALUES))
    said = [place for place in places if _is_said(_at(value, place))]
    *way, last = chance.choice(said if said and chance.random() < 0.5 else places)
    holder = value
    for key in way:
        holder = holder[key]
    before = holder[last]
    action = chance.random()
    if action < 0.45:
        holder[last] = chance.choice(WORDS)
    elif action < 0.55 and isinstance(before, str):
        at = chance.randrange(len(before) + 1)
        holder[last] = before[:at] + chance.choice(WORDS) + before[at:]
    elif action < 0.65:
        holder[last] = deepcopy(chance.choice(VALUES))
    elif action < 0.75:
        del holder[last]
    elif action < 0.85 and isinstance(holder, dict):
        holder[chance.choice(WORDS)] = before
    elif action < 0.92 and isinstance(holder, list):
        holder[last:last] = [before] * chance.choice((1, 2, 50))
    elif action < 0.96:
        holder[last] = _nested(chance.choice((3, 20, 40)), before)
    else:
        other = chance.choice(places)
        holder[last] = deepcopy(_at(value, other))
    return value


def _places(value: Any, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Yield the way to every place in a value."""
    keys = (
        value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    )
    for key in keys:
        yield (*way, key)
        yield from _places(value[key], (*way, key))


def _is_said(value: Any) -> bool:
    """Tell whether a value is a text that somebody wrote, rather than a name or a number."""
    return isinstance(value, str) and (" " in value or FOREIGN.search(value) is not None)


def _at(value: Any, way: tuple[Any, ...]) -> Any:
    for key in way:
        value = value[key] if isinstance(value, dict | list) else None
    return value


def _nested(depth: int, value: Any) -> Any:
    for _ in range(depth):
        value = [value]
    return value


def _bytes(good: bytes, chance: random.Random) -> bytes:
    """Return bytes that were flipped, cut, doubled or spliced."""
    changed = bytearray(good)
    for _ in range(chance.choice((1, 1, 2, 8))):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.choice((1, 2, 10, 200)))
        piece = chance.choice(WORDS).encode("utf-8", "surrogatepass")
        other = chance.choice(
            (bytes([chance.randrange(256)]), b"", piece, bytes(changed[at:end]) * 3)
        )
        changed[at : end if chance.random() < 0.5 else at] = other
    return bytes(changed)


def try_step(step: Step) -> str:
    """Do a step in a folder of its own and return how it ended; whatever is wrong is raised."""
    with aside():
        folder = restore(step.moment)
        return _replied(folder, step) if step.is_reply else _read(folder, step)


def _replied(folder: Folder, step: Step) -> str:
    moment = step.moment
    for name, text in moment.texts.items():
        put(folder, name, text, moment.step)
    put(folder, step.name, "", moment.step).write_bytes(step.data)
    before = _record(folder)
    answer = _ran("submit", SLUG, "--step", moment.step)
    if answer.code == 1:
        _law(_record(folder) == before, "a refusal changed the record")
        return "refused"
    _law(answer.code in {0, 8}, f"submit ended with {answer.code}")
    for name, data in _record(folder).items():
        if name not in before and name.endswith(".md"):
            alive = sorted(part for part in record(data.decode()) if ALIVE.match(part))
            _law(not alive, f"alive in an entry: {alive[:3]}")
    for path in Path(folder.within("inbox")).glob("*.prompt.md"):
        lines = path.read_bytes().decode().splitlines()
        forged = [line for line in lines if not line.startswith(">") and FOREIGN.search(line)]
        _law(not forged, f"foreign in a line of a prompt: {forged[:1]!r:.80}")
    checked = _ran("validate", SLUG)
    _law(checked.code == 0, f"validate ended with {checked.code}")
    _ran("show", SLUG)
    return "accepted"


def _read(folder: Folder, step: Step) -> str:
    path = Path(folder.path, step.name)
    path.write_bytes(step.data)
    before = _record(folder)
    chance = random.Random(step.number)  # noqa: S311  (likewise)
    codes = [_ran("list").code, _ran("status", SLUG).code]
    codes += [_ran(command[0], SLUG, *command[1:]).code for command in chance.sample(COMMANDS, 2)]
    _law(codes[0] in {0, 5}, f"list ended with {codes[0]}")
    kept = _record(folder)
    _law(kept["debate.md"] == before["debate.md"], "reading changed debate.md")
    _law(set(before.values()) <= set(kept.values()), "reading lost a file")
    _ran("validate", SLUG, "--fix")
    return "read" if not any(codes) else "refused to read"


def _ran(*words: object) -> Printed:
    """Run a command: it ends as documented, and prints nothing that steers or floods."""
    ended = printed(*words)
    _law(ended.code in AS_DOCUMENTED, f"{words[0]} ended with {ended.code}: {ended.remarks[-300:]}")
    _law(len(ended.out) + len(ended.remarks) < LONGEST, f"{words[0]} printed too much")
    if words[0] != "transcript":
        seen = sorted(unseen(ended.out) + unseen(ended.remarks))
        _law(not seen, f"{words[0]} printed {seen[:3]}")
    return ended


def _record(folder: Folder) -> dict[str, bytes]:
    """Return the files of a debate but those in its inbox, and its events."""
    root = Path(folder.path)
    named = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    return {n: path.read_bytes() for n, path in named.items() if not n.startswith(("inbox/", "."))}


def _law(holds: bool, what: str) -> None:  # noqa: FBT001  (it reads as a sentence)
    if not holds:
        raise Fault(what)


class Run(NamedTuple):
    """How many steps ended how, and the findings, by the number of the step."""

    ended: Counter[str]
    findings: dict[int, str]

    @property
    def steps(self) -> int:
        return self.ended.total()


def run(seed: int, seconds: float, folder: Path, say: Callable[[str], object] = str) -> Run:
    """Try steps for so long; each finding is put into the folder, with the file that led to it."""
    folder.mkdir(parents=True, exist_ok=True)
    for case in RICH:
        history(*case)
    ended: Counter[str] = Counter()
    findings: dict[int, str] = {}
    number, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        for step, outcome in _outcomes(seed, number, until):
            number = step + 1
            ended[outcome if outcome in ENDS else "finding"] += 1
            if outcome not in ENDS:
                findings[step] = outcome
                _keep(folder, seed, step, outcome)
                say(f"{seed}:{step} {outcome}")
    return Run(ended, findings)


ENDS = frozenset({"accepted", "refused", "read", "refused to read"})


def _outcomes(seed: int, first: int, until: float) -> Iterator[tuple[int, str]]:
    """Try steps in a process of their own; yield each one's number and how it ended."""
    with ProcessPoolExecutor(1, get_context("fork"), _limit) as child:
        for number in range(first, first + STEPS_OF_A_CHILD):
            if time.monotonic() > until:
                return
            try:
                yield number, child.submit(outcome_of, seed, number).result()
            except BrokenProcessPool:
                yield number, "ended its process, or took too long"
                return


def _limit() -> None:
    """Let a process die rather than take more memory than a step may need."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def outcome_of(seed: int, number: int) -> str:
    """Try a step, and return in one line how it ended or what is wrong."""
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        return try_step(step_of(seed, number))
    except Fault as fault:
        return ascii(str(fault))[1:-1]
    except Exception:  # noqa: BLE001  (any of them is a finding)
        last = traceback.format_exc().strip().splitlines()
        return ascii(" | ".join(line.strip() for line in last[-5:]))[1:400]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _keep(folder: Path, seed: int, number: int, outcome: str) -> None:
    step = step_of(seed, number)
    name = f"{seed}-{number}"
    (folder / f"{name}.data").write_bytes(step.data)
    where = f"{step.moment.position.debate.protocol}, {step.moment.label}, {step.name}"
    (folder / f"{name}.txt").write_text(f"{where}\n{outcome}\n", encoding="utf-8")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main() -> int:
    """Read the command line, run, and print what was found; 1 if anything was."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--findings", type=Path, default=Path(gettempdir(), "debate-ops-fuzz"))
    parser.add_argument("--replay", metavar="SEED:STEP")
    options = parser.parse_args()
    if options.replay:
        seed, number = map(int, options.replay.split(":"))
        sys.stdout.write(f"{try_step(step_of(seed, number))}\n")
        return 0
    done = run(options.seed, options.minutes * 60, options.findings, _say)
    sys.stdout.write(f"{done.steps} steps: {dict(done.ended)}; findings in {options.findings}\n")
    return 1 if done.findings else 0


if __name__ == "__main__":
    sys.exit(main())

"""A stub participant or reporter: answers well, or misbehaves as its plan says.

Usage: stub.py PROMPT_FILE

Who it is stands in the name of the prompt's file. In the folder to work in `calls` gets a line per
call; `<name>.plan` holds one act per call, by line (none left: `ok`); where the file `hang` is all
hang. Whose name, or step and name, is in the file `hold` says so in `held`, and waits until it is
gone. What `replies.json` has for a step and a name is replied.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

ARGUMENTS = 3
MEMO = """---
answer: "Yes, do it in May."
direction: "prop"
confidence: [{percent: 70, of: "it pays"}]
---

**Yes.** Do it in May.
"""


def main() -> None:
    path = Path(sys.argv[1])
    task = path.name.partition(".")[0]
    step, _, name = task.partition("-")
    me, debate, course = name or "reporter", path.parent.parent, Path("replies.json")
    behave(act := count_call(me), me)
    wait_while_held({me, task})
    if course.exists():
        replies = json.loads(course.read_text())
        undirected = MEMO.replace('"prop"', '"open"')
        sys.stdout.write(json.dumps(replies[int(step)][me]) if step.isdigit() else undirected)
    elif me in {"prop", "opp", "judge", "adviser"}:
        header = (debate / "debate.md").read_text(encoding="utf-8").split("---\n")[1]
        exchange = json.loads(header)["current_exchange"]
        sys.stdout.write(json.dumps(reply(me, exchange, debate, act)))
    else:
        sys.stdout.write(MEMO)


def count_call(me: str) -> str:
    """Note a call; return what is planned for it."""
    calls, plan = Path("calls"), Path(f"{me}.plan")
    with calls.open("a", encoding="utf-8") as file:
        file.write(f"{me}\n")
    call = calls.read_text(encoding="utf-8").split().count(me)
    acts = plan.read_text(encoding="utf-8").splitlines() if plan.exists() else []
    return "hang" if Path("hang").exists() else acts[call - 1] if call <= len(acts) else "ok"


def wait_while_held(names: set[str]) -> None:
    hold, held = Path("hold"), Path("held.new")
    if hold.exists() and hold.read_text() in names:
        held.write_text(str(os.getpid()))
        held.rename("held")
        while hold.exists():
            time.sleep(0.05)


def behave(act: str, me: str) -> None:
    if act == "fail":
        sys.stderr.write("out of luck \x1b[31mtoday\n")
        sys.exit(3)
    if act == "hang":
        hang()
    if act == "meet":
        meet(me)
    if act.startswith("sleep "):
        time.sleep(float(act.split()[1]))


def hang() -> None:
    """Never answer, ignore being asked to end, and have a child that does the same."""
    import subprocess  # the others start faster without it

    sleep = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
    child = subprocess.Popen([sys.executable, "-S", "-c", sleep])
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    staged = Path(f"{os.getpid()}.new")
    staged.write_text(f"{os.getpid()} {child.pid}", encoding="utf-8")
    staged.rename(f"{os.getpid()}.hanging")
    time.sleep(600)


def meet(me: str) -> None:
    Path(f"{me}.here").touch()
    other = Path(f"{'opp' if me == 'prop' else 'prop'}.here")
    deadline = time.monotonic() + 250
    while not other.exists():
        if time.monotonic() > deadline:
            sys.exit(9)
        time.sleep(0.01)


def reply(me: str, exchange: int, debate: Path, act: str) -> dict[str, object]:
    naming: dict[str, object] = {"participant": me, "exchange": exchange}
    if act == "bad":
        return naming
    if me == "adviser":
        return naming | {"text": "## Recommendation\n\n**Yes:** it pays."}
    if me == "judge":
        return naming | judgment(exchange, debate)
    count = 1 if exchange else ARGUMENTS
    return naming | {"arguments": [argument(me, exchange, debate, n) for n in range(count)]}


def argument(me: str, exchange: int, debate: Path, number: int) -> dict[str, object]:
    result = f"{me} {exchange} {number}"
    made: dict[str, object] = {
        "title": f"A title that says {result}"[:40],
        "claim": f"The claim of {result}.",
        "grounds": [{"source": "Reasoning", "content": f"Content {result}", "relevance": "It is."}],
        "warrant": "From the one follows the other.",
    }
    target = "opp_000a" if me == "prop" else "prop_000a"
    if exchange and (debate / f"arguments/{target}.md").exists():
        made["attacks"] = [
            {"target_id": target, "attack_type": "claim_attack", "content": "It is not so."}
        ]
    return made


def judgment(exchange: int, debate: Path) -> dict[str, object]:
    """Score every new argument, or nothing where there is nothing to weigh it against."""
    names = sorted(path.stem for path in (debate / "arguments").glob(f"*_{exchange:03d}*.md"))
    both = len({name[0] for name in names}) > 1
    scores = {name: both * (0.125 if name.startswith("prop") else -0.125) for name in names}
    why = "Because of {}."
    return {
        "scores": [
            {"argument_id": name, "score": score, "reasoning": why.format(name)}
            for name, score in scores.items()
        ]
    }


if __name__ == "__main__":
    main()

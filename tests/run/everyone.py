"""A stub for every participant and the reporter: who it is stands in the name of the prompt's file.

Usage: everyone.py PROMPT_FILE

`calls` gets a line per call. Whose name, or step and name, is in the file `hold` says so in `held`,
and waits until the file is gone. What `replies.json` has for a step and a name is replied.
"""

import json
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.run import stub

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
    name = name or "reporter"
    with Path("calls").open("a", encoding="utf-8") as calls:
        calls.write(f"{name}\n")
    hold = Path("hold")
    if hold.exists() and hold.read_text() in {name, task}:
        Path("held.new").write_text(str(os.getpid()))
        Path("held.new").rename("held")
        while hold.exists():
            time.sleep(0.05)
    debate, course = path.parent.parent, Path("replies.json")
    if course.exists():
        replies = json.loads(course.read_text())
        undirected = MEMO.replace('"prop"', '"open"')
        sys.stdout.write(json.dumps(replies[int(step)][name]) if step.isdigit() else undirected)
        return
    exchange = json.loads(stub.header(debate))["current_exchange"]
    is_memo = name not in {"prop", "opp", "judge", "adviser"}
    sys.stdout.write(MEMO if is_memo else json.dumps(stub.reply(name, exchange, debate, "ok")))


if __name__ == "__main__":
    main()

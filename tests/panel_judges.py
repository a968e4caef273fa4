"""Judges by rote for panels: each replies to any prompt of a member by one rule of its own."""

import json
import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def command(rule: str) -> str:
    """Return the spec of a judge that is a program of its own; a rule is one of these, or words.

    Words choose the answer whose position has them, whatever comes first.
    """
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); "
        f"from tests.panel_judges import reply; print(reply(sys.stdin.read(), {rule!r}))"
    )
    return f'cmd:{sys.executable} -c "{code}"'


def reply(prompt: str, rule: str) -> str:
    """Return a member's view or ballot."""
    form = r'"participant": "([a-z0-9-]+)", "exchange": (\d+), "phase": "([a-z_]+)"'
    name, number, phase = re.findall(form, prompt)[-1]
    said = {"participant": name, "exchange": int(number), "phase": phase}
    winner = _decided(prompt, rule)
    said |= {"winner": winner, "percent": 80, "reasons": "As always."}
    if phase == "awaiting_ballots":
        issues = re.findall("(?m)^> ([0-9]+)[.] ", _between(prompt, "issues"))
        said["issues"] = [{"issue": int(n), "better": winner, "why": "So."} for n in issues]
        said["moved_by"] = []
    return json.dumps(said)


def _decided(prompt: str, rule: str) -> str:
    answers: list[str] = re.findall(
        "`([^`]+)`", prompt.partition("`winner`: one of ")[2].partition(", or")[0]
    )
    if rule == "longest":
        parts = re.split(r"(?m)\[([A-Z]+)_\d{3}", _between(prompt, "speeches"))
        said: Counter[str] = Counter()
        for letter, text in zip(parts[1::2], parts[2::2], strict=True):
            said[letter] += len(text)
        return max(answers, key=lambda answer: said[answer])
    if rule == "obedient":
        told = re.search("vote for Side ([A-Z])", _between(prompt, "speeches"))
        return str(told[1]) if told else answers[0]
    if rule != "first":
        positions = _between(prompt, "positions")
        return next(a for a in answers if re.search(rf"(?m)^> (?:\w+ )?{a}: .*{rule}", positions))
    return answers[0]


def _between(prompt: str, tag: str) -> str:
    return prompt.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]

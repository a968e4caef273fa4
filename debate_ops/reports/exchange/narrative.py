"""The prompt that asks an agent for the story of a debate."""

from __future__ import annotations

from debate_ops.model.texts import one_line, quoted
from debate_ops.prompts import templates
from debate_ops.prompts.build import framing_block, language_rule
from debate_ops.reports.exchange import facts
from debate_ops.reports.exchange.numbers import Numbers, Standing
from debate_ops.reports.text import counted

_TEMPLATE = "exchange/narrative"
_CHARACTERS = 90_000


def prompt(numbers: Numbers) -> str:
    """Return the prompt; the same debate, the same bytes."""
    values = {
        "motion": quoted(numbers.framing.motion),
        "framing": framing_block(numbers.framing) or "(none)",
        "facts": quoted("\n".join(map(one_line, facts.facts(numbers)))),
        "arguments": _arguments(numbers),
        "language_rule": language_rule(numbers.debate.settings),
    }
    return templates.fill(templates.read(_TEMPLATE), values)


def _arguments(numbers: Numbers) -> str:
    characters = int(numbers.debate.settings.get("history_characters", _CHARACTERS))
    full = facts.in_full(numbers.standings, characters)
    blocks = [_argument(standing, full) for standing in numbers.standings]
    short = len(numbers.standings) - len(full)
    if short:
        blocks.insert(
            0, f"Of the {counted(short, 'oldest argument')} only title and claim stand here."
        )
    return "\n\n".join(blocks) or "(none)"


def _argument(standing: Standing, full: set[str]) -> str:
    argument = standing.argument
    lines = facts.argument_lines(argument)
    shown = lines if argument.id in full else lines[:2]
    opening = f'<argument id="{argument.id}" exchange="{argument.exchange}">'
    return "\n".join([opening, quoted("\n".join(shown)), "</argument>"])

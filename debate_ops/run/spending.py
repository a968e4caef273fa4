"""What a run has used, what it may use, and what the rest of it is likely to take."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_UP, Decimal
from types import MappingProxyType
from typing import Any, NamedTuple

from debate_ops.analysis.usage import Usage, read_usage, sum_usage
from debate_ops.core.errors import ConfigurationError, LimitReachedError
from debate_ops.core.values import ADVICE
from debate_ops.engine import Position, files
from debate_ops.report.memo import REPORTER, find_memo_slot
from debate_ops.report.words import count
from debate_ops.run.run_file import PERSON

LETTERS_A_TOKEN = 4
"""Letters of English text that make a token, as providers say of their models."""
LETTERS_A_REPLY = 2_800
"""Letters of a reply where a debate has none yet: the mean over the debates in `debates/`."""

_ONE = (1, 0, 1)


def find_price(spec: str, tokens: tuple[int, int, int]) -> Decimal | None:
    """Return what so many tokens of a model cost in US dollars, or None where no price is known.

    Prices are those of the installed `genai-prices`, a table that its project keeps.
    """
    try:
        from genai_prices import Usage, calc_price
    except ImportError:
        return None
    provider, _, model = spec.partition(":")
    used = Usage(
        input_tokens=tokens[0] + tokens[1], cache_read_tokens=tokens[1], output_tokens=tokens[2]
    )
    try:
        return calc_price(used, model, provider_id=provider.partition("-")[0]).total_price
    except LookupError:
        return None


class Limits(NamedTuple):
    """What a run may use: seconds a reply, and in all dollars and tokens.

    None is no limit. `keeps_prompts` leaves every prompt in the debate's folder `prompts`.
    """

    timeout: float = 600.0
    cost: Decimal | None = None
    tokens: int | None = None
    keeps_prompts: bool = False


class Estimate(NamedTuple):
    """What `replies` and then `memos` are likely to take; `cost` is None where it is not known."""

    replies: int
    tokens: int
    cost: Decimal | None
    at_most: bool = False
    memos: int = 0

    def sentence(self) -> str:
        """Return it in a line.

        >>> Estimate(3, 13857, None).sentence()
        '3 calls, of unknown cost'
        >>> Estimate(1, 13857, Decimal("0.0012")).sentence()
        '1 call: about 14,000 tokens, $0.01 at most'
        """
        calls = f"{'at most ' * self.at_most}{count(self.replies, 'call')}"
        if self.memos:
            calls += f", and {self.memos} more for the memo{'s' * (self.memos > 1)}"
        if not self.cost:
            return f"{calls}, {'of unknown' if self.cost is None else 'at no'} cost"
        about, dollars = float(f"{self.tokens:.2g}"), self.cost.quantize(Decimal("0.01"), ROUND_UP)
        return f"{calls}: about {about:,.0f} tokens, ${dollars} at most"


def estimate_run(position: Position, models: Mapping[str, str]) -> Estimate:
    """Return what the rest of a request is likely to take, by who replies for each participant.

    Each reply is taken to be as long as the mean of the debate's own so far, and makes the prompts
    after it as much longer, up to what a debate gives in full of its history. What a model thinks
    before it writes is not counted, nor what a cache saves.
    """
    lengths: Counter[tuple[int, str]] = Counter()  # of each reply, from the entries it became
    for entry in position.debate.entries.values():
        if entry.kind != "absence" and entry.folder != ADVICE:
            lengths[entry.step, entry.by] += sum(map(len, entry.texts.values()))
    letters = lengths.total() // len(lengths) if lengths else LETTERS_A_REPLY
    due = [item for item in position.tasks if item.is_open]
    is_of_memo = REPORTER in {item.task.by for item in due}
    memos, slots = int(REPORTER in models and not is_of_memo), [item.slot for item in due]
    if memos and not due and os.path.lexists((slot := find_memo_slot(position.folder)).prompt):
        slots = [slot]
    prompts = [len(files.read_text(slot.prompt)) for slot in slots]
    calls = max(len(due), position.calls_left or 0) + memos
    mean = sum(prompts) // len(prompts) if prompts else letters
    most = position.debate.settings.history_characters
    later = (mean + min(most, letters * number) for number in range(len(prompts), calls))
    read = (sum(prompts) + sum(later)) // LETTERS_A_TOKEN
    written = calls * letters // LETTERS_A_TOKEN
    prices = [find_price(model, (read, 0, written)) for model in _list_paid(models)]
    known = [each for each in prices if each is not None]
    # Each model is taken to have an equal part in them.
    is_known = bool(models) and len(known) == len(prices)  # people cost nothing
    cost = sum(known, Decimal(0)) / max(len(known), 1) if is_known else None
    return Estimate(calls - memos, read + written, cost, position.has_end, memos)


def add_estimates(parts: Sequence[Estimate]) -> Estimate:
    """Return what several runs are likely to take together; a cost where that of each is known."""
    costs = [part.cost for part in parts if part.cost is not None]
    return Estimate(
        replies=sum(part.replies for part in parts),
        tokens=sum(part.tokens for part in parts),
        cost=sum(costs, Decimal(0)) if len(costs) == len(parts) else None,
        at_most=any(part.at_most for part in parts),
        memos=sum(part.memos for part in parts),
    )


def _list_paid(models: Mapping[str, str]) -> list[str]:
    return [name for name in models.values() if not name.startswith(PERSON)]


def require_prices(models: Iterable[str]) -> None:
    """Refuse to limit the cost of models where no price is known, with a `ConfigurationError`."""
    if unpriced := [who for who in dict.fromkeys(models) if find_price(who, _ONE) is None]:
        raise ConfigurationError(
            f"no price is known for {', '.join(unpriced)}, so their cost cannot be limited",
            hint="Leave out --max-cost; 'run' can limit tokens instead, with --max-tokens.",
        )


class Spending:
    """What a run has used so far, failed and refused replies included, against its limits.

    A debate, its panel and its memo have one: `expect` says who replies next.
    """

    def __init__(
        self, limits: Limits | None = None, models: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.limits, self.used = limits or Limits(), Usage()
        self.expect(models)

    def expect(self, models: Mapping[str, str]) -> None:
        """Take these for those who reply from now on; refuse them if their cost is not known."""
        self._models = models
        if self.limits.cost is not None:
            require_prices(_list_paid(models))

    def add(self, made_by: Mapping[str, Any], letters: int) -> None:
        """Count a reply or a failed try, by the letters of prompt and reply where need be."""
        reply = read_usage(made_by)
        guess = reply.uncounted * letters // LETTERS_A_TOKEN
        self.used = sum_usage([self.used, reply._replace(tokens=reply.tokens + guess)])

    def require_room(self, position: Position) -> None:
        """Refuse the tasks that are due if they are likely to go over a limit.

        Raises:
            LimitReachedError: it is; nothing has been asked yet.
        """
        due = sum(item.is_open for item in position.tasks)
        limits = self.limits
        if not due or (limits.cost is None and limits.tokens is None):
            return
        turn, used = estimate_run(replace(position, calls_left=due), self._models), self.used
        over = []
        if limits.tokens is not None and used.tokens + turn.tokens > limits.tokens:
            over.append("tokens")
        if limits.cost is not None and used.cost + (turn.cost or 0) > limits.cost:
            over.append("US dollars")
        if over:
            raise LimitReachedError(
                f"the next turn is likely to go over the limit of {' and '.join(over)}: so far "
                f"{used.tokens:,} tokens and ${used.cost:.2f} were used, and it takes "
                f"{turn.sentence()}",
                hint=f"Everything is kept; 'run {position.folder.name}' goes on from here.",
            )

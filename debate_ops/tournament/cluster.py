"""Tasks on a Dask cluster, on this machine or by address, and what all its workers may use."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from debate_ops.core.errors import (
    ConfigurationError,
    DebateError,
    LimitReachedError,
    MissingExtraError,
)
from debate_ops.core.usage import read_usage
from debate_ops.core.values import Absent
from debate_ops.run.base import Answer, FailedError, Participant, Prompt
from debate_ops.run.endings import Stop, listen_for_signals
from debate_ops.run.spending import LETTERS_A_REPLY, LETTERS_A_TOKEN
from debate_ops.run.usage import find_price
from debate_ops.tournament.plan import Cup, Rate

if TYPE_CHECKING:
    from distributed import Client

RETRIES = 2
"""How often a task is done again whose participant failed."""
MOST_WRITTEN = 16_000
"""Tokens that a reply is taken to write at most, thoughts included, while its cost is unknown."""
_SECONDS_TO_CONNECT, _SECONDS_BETWEEN_LOOKS, _MINUTE = 10, 0.2, 60.0
_MONEY, _ASKED, _LOOPBACK = "debate-ops-money", "debate-ops-asked-", "127.0.0.1:0"

_stop = Stop()
"""Set when a signal asks the command to end; workers in other processes do not see it."""


@contextmanager
def open_cluster(workers: int, scheduler: str | None = None) -> Iterator[Client]:
    """Connect to a scheduler, or start one in this process with so many threads.

    Raises:
        ConfigurationError: the package is missing, or nobody answers there.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise MissingExtraError("many debates need", "many") from None
    if scheduler:
        try:
            client = Client(scheduler, timeout=_SECONDS_TO_CONNECT)
        except (OSError, ValueError) as error:
            raise ConfigurationError(
                f"no scheduler answers at {scheduler}: {error}",
                hint="Start one with 'dask scheduler', and workers with 'dask worker ADDRESS'.",
            ) from None
        with client:
            yield client
        return
    with (
        LocalCluster(
            n_workers=1,
            threads_per_worker=workers,
            processes=False,
            dashboard_address=_LOOPBACK,
            worker_dashboard_address=_LOOPBACK,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def run_tasks(
    client: Client, act: Callable[..., Any], items: Mapping[str, Sequence[Any]], **same: Any
) -> Iterator[tuple[str, Any]]:
    """Call `act` with each item on some worker; yield its key and what came, or the error.

    What is the `same` for all goes with each.

    An error of `act` is tried again by the cluster. A signal ends what runs in this process at its
    next turn, and takes back what no worker has begun.

    Raises:
        InterruptedRunError: a signal came.
    """
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    global _stop  # noqa: PLW0603  (tasks in this process look at it)
    is_here = client.cluster is not None
    keys, columns = [*items], [*zip(*items.values(), strict=True)]
    with listen_for_signals() if is_here else nullcontext(Stop()) as stop:
        _stop = stop
        futures = client.map(act, *columns, key=keys, pure=False, retries=RETRIES, **same)
        try:
            for future in as_completed(futures):
                try:
                    yield str(future.key), future.result()
                except DebateError as error:
                    yield str(future.key), error
                except KilledWorker:
                    said = "its workers were killed again and again"
                    yield str(future.key), DebateError(said, hint="The same command goes on.")
                future.release()
        except KeyboardInterrupt:
            stop.note(signal.SIGINT, None)
        finally:
            client.cancel(futures)
        if stop.is_asked():
            raise stop.make_error("Every turn on record is kept; the same command goes on.")


def find_stop() -> Stop:
    """Return what tells tasks in this process that the command is to end."""
    return _stop


def set_limits(client: Client, cup: Cup, spent: Decimal, most: float | None) -> None:
    """Tell all workers what was spent so far and may be spent in all, in US dollars."""
    from distributed import Variable

    Variable(_MONEY, client).set({"spent": float(spent), "most": most, "dearest": {}})
    for provider in cup.limits:
        Variable(_ASKED + provider, client).set([])


class Metered:
    """A participant that keeps to what all workers together may ask and spend.

    It is made in a task, where the cluster is known, and asked in other threads.
    """

    def __init__(self, who: Participant, spec: str, rate: Rate, *, is_paid: bool) -> None:
        from distributed import Lock, Semaphore, Variable, get_client

        self.name, self.recorded = who.name, who.recorded
        self._who, self._rate = who, rate
        self._spec, provider = spec.partition("?")[0], spec.partition(":")[0]
        client = get_client()
        places = f"debate-ops-places-{provider}-{rate.at_once}"
        self._places = Semaphore(rate.at_once, places) if rate.at_once else None
        is_rated = rate.per_minute or rate.tokens_per_minute
        self._asked = Variable(_ASKED + provider, client) if is_rated else None
        self._money = Variable(_MONEY, client) if is_paid else None
        self._lock, self._money_lock = Lock(f"{_ASKED}{provider}"), Lock(_MONEY)

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Reply as the participant does, once there is room.

        Raises:
            LimitReachedError: the reply might cost more than is left.
        """
        with self._places or nullcontext():
            self._wait_for_rate(prompt)
            taken = self._take_money(prompt) if self._money else 0.0
            try:
                said = self._who.reply(prompt)
            except FailedError as error:
                self._settle(taken, error.made_by)
                raise
            self._settle(taken, getattr(said, "made_by", {}))
            return said

    def _wait_for_rate(self, prompt: Prompt) -> None:
        """Wait until the last minute has room for one more request of this size."""
        size = (len(prompt.text) + LETTERS_A_REPLY) // LETTERS_A_TOKEN
        tokens = self._rate.tokens_per_minute
        while self._asked and not prompt.stop.is_set():
            with self._lock:
                now = time.time()  # the clock that several machines share
                asked = [e for e in self._asked.get() if e[0] > now - _MINUTE]
                is_free = not (self._rate.per_minute and len(asked) >= self._rate.per_minute)
                # One that is larger than the limit alone is asked when nothing else was.
                if is_free and not (tokens and asked and sum(e[1] for e in asked) + size > tokens):
                    self._asked.set([*asked, (now, size)])
                    return
            prompt.stop.wait(_SECONDS_BETWEEN_LOOKS)

    def _take_money(self, prompt: Prompt) -> float:
        """Set aside what a reply may cost at most: by its size, or as the dearest one so far."""
        tokens = (2 * len(prompt.text) // LETTERS_A_TOKEN, 0, MOST_WRITTEN)
        with self._money_lock:
            money = self._money.get()  # type: ignore[union-attr]
            usual = float(find_price(self._spec, tokens) or 0)
            most = max(usual, float(money["dearest"].get(self._spec, 0)))
            if money["spent"] + most > money["most"]:
                raise LimitReachedError(
                    f"a reply of {self._spec} may cost ${most:.4f}, and of ${money['most']:.4f} "
                    f"${money['spent']:.4f} are spent or set aside",
                    hint="Everything is kept; the same command with a higher --max-cost goes on.",
                )
            self._money.set(money | {"spent": money["spent"] + most})  # type: ignore[union-attr]
        return most

    def _settle(self, taken: float, made_by: Mapping[str, Any]) -> None:
        """Put what a reply cost in the place of what was set aside, if its cost is known."""
        usage = read_usage(made_by)
        if self._money is None or usage.unpriced:
            return
        cost = float(usage.cost)
        with self._money_lock:
            money = self._money.get()
            dearest = money["dearest"] | {
                self._spec: max(cost, money["dearest"].get(self._spec, 0))
            }
            self._money.set(money | {"spent": money["spent"] - taken + cost, "dearest": dearest})

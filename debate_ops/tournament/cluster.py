"""Tasks on a Dask cluster, on this machine or by address, and what all its workers may use."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from debate_ops.analysis.usage import read_usage
from debate_ops.core.errors import (
    ConfigurationError,
    DebateError,
    LimitReachedError,
    MissingExtraError,
    ParticipantFailedError,
    catch_error,
)
from debate_ops.core.values import Absent
from debate_ops.run.cast import find_unable, hide_password, make_participant
from debate_ops.run.endings import Stop, handle_signals, report_ending
from debate_ops.run.participants import Answer, FailedError, Prompt, StoppedError
from debate_ops.run.spending import LETTERS_A_REPLY, LETTERS_A_TOKEN, find_price
from debate_ops.tournament.plan import Rate

if TYPE_CHECKING:
    from distributed import Client

RETRIES = 2
MOST_WRITTEN = 16_000
"""Tokens that a reply is taken to write at most, thoughts included, while its cost is unknown."""
_SECONDS_BETWEEN_CHECKS = 0.05


@contextmanager
def open_cluster(workers: int, scheduler: str | None, specs: Mapping[str, str]) -> Iterator[Client]:
    """Connect to a scheduler, or start one in this process with so many threads.

    A `ConfigurationError` says what is missing, or who of `specs` cannot reply on a worker.
    """
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        need = "a tournament, several workers and a scheduler need"
        raise MissingExtraError(need, "many") from None

    local: dict[str, Any] = {"n_workers": 1, "threads_per_worker": workers, "processes": False}
    local |= dict.fromkeys(("dashboard_address", "worker_dashboard_address"), "127.0.0.1:0")
    local |= {"memory_limit": 0, "silence_logs": logging.CRITICAL}
    client, own = None, None if scheduler else LocalCluster(**local)
    try:
        try:
            client = Client(scheduler or own, timeout=10)
        except (OSError, ValueError) as error:
            hint = "Start one with 'dask scheduler', and workers with 'dask worker ADDRESS'."
            said = f"no scheduler answers at {scheduler}: {error}"
            raise ConfigurationError(said, hint=hint) from None
        if not (found := client.run(check_specs, dict(specs))):
            hint = "Start one with 'dask worker ADDRESS'."
            raise ConfigurationError("the scheduler has no workers", hint=hint)
        if failed := [f"{why} (on {at})" for at, faults in found.items() for why in faults]:
            raise ConfigurationError(f"nobody was asked: {'; '.join(failed)}")
        yield client
    finally:
        with handle_signals(signal.SIG_IGN):  # one would leave it half closed, and wait
            for each in filter(None, (client, own)):
                each.close()


def check_specs(specs: Mapping[str, str], kind: type[DebateError] = DebateError) -> list[str]:
    """Return what keeps somebody from replying on this machine, of a kind of error."""
    return [
        f"{name} ({hide_password(specs[name])}): {error.message}. {error.hint}".rstrip()
        for name, error in find_unable(specs).items()
        if isinstance(error, kind)
    ]


def run_tasks(
    client: Client | None, act: Callable[..., Any], items: Mapping[str, Sequence[Any]], **same: Any
) -> Iterator[tuple[str, Any]]:
    """Call `act` with each item on some worker; yield its key and what came, or its `DebateError`.

    `same` goes with each, and a `stop` that tells whether it is to end. Without a `client` one
    follows the other in this thread. A signal ends it with an `InterruptedRunError`.
    """
    with report_ending() as stop:
        if client and items:
            yield from _run_on(client, partial(_attempt, act, **same), items, stop)
        for key, item in items.items() if client is None else ():
            yield key, catch_error(partial(act, *item, stop=stop, **same))
            if stop.is_asked():
                break
        if stop.is_asked():
            raise KeyboardInterrupt


class _Cancelled(Stop):
    """Tells a task on a worker whether its command has cancelled it, which frees its key there."""

    def __init__(self) -> None:
        from distributed import get_worker

        super().__init__()
        self._worker = get_worker()
        self._key = self._worker.get_current_task()

    def is_asked(self) -> bool:
        task = self._worker.state.tasks.get(self._key)
        return task is None or task.state == "cancelled"


def _attempt(act: Callable[..., Any], *item: Any, **same: Any) -> Any:
    done = catch_error(partial(act, *item, stop=_Cancelled(), **same))
    if isinstance(done, ParticipantFailedError):  # which is raised, so that it is tried again
        # Made anew: with its whole traceback it is too long for the cluster to bring back.
        raise ParticipantFailedError(done.message, hint=done.hint, faults=done.faults)
    return done


def _run_on(
    client: Client, act: Callable[..., Any], items: Mapping[str, Sequence[Any]], stop: Stop
) -> Iterator[tuple[str, Any]]:
    from distributed import as_completed
    from distributed.scheduler import KilledWorker

    columns = zip(*items.values(), strict=True)
    futures = client.map(act, *columns, pure=False, retries=RETRIES)
    keys, coming = dict(zip(futures, items, strict=True)), as_completed(futures)
    try:
        while not (stop.is_asked() or coming.is_empty()):
            for future in coming.next_batch(block=False):
                error = future.exception()
                if isinstance(error, KilledWorker):  # more often than the scheduler allows
                    said = "its workers were killed again and again"
                    error = DebateError(said, hint="The same command goes on.")
                yield keys[future], error if isinstance(error, DebateError) else future.result()
                future.release()
            time.sleep(_SECONDS_BETWEEN_CHECKS)
    finally:
        client.cancel(futures)


class Metered:
    """A participant that keeps to what all workers together may ask, and spend in US dollars.

    Requests to a provider are spread evenly over each minute. It is made in a task.
    """

    def __init__(self, spec: str, rate: Rate, ledger: str) -> None:
        from distributed import Lock, Variable, get_client

        self._who, self._rate = make_participant(spec), rate
        self.name, self.recorded = self._who.name, self._who.recorded
        self._spec, self._provider = spec.partition("?")[0], spec.partition(":")[0]
        self._ledger, self._lock = Variable(ledger, get_client()), Lock(f"{ledger}-lock")

    def reply(self, prompt: Prompt) -> Answer | Absent:
        """Reply as the participant does, once there is room; then count what it cost, if known."""
        taken, wait = self.reserve(len(prompt.text))
        if prompt.stop.wait(wait):
            raise StoppedError
        said: Answer | Absent | FailedError
        try:
            said = self._who.reply(prompt)
        except FailedError as error:
            said = error
        usage = read_usage(getattr(said, "made_by", {}))
        if taken is not None and not usage.unpriced:
            with self._change_ledger() as ledger:
                ledger["spent"] += (cost := float(usage.cost)) - taken
                ledger["dearest"][self._spec] = max(cost, ledger["dearest"].get(self._spec, 0))
        if isinstance(said, FailedError):
            raise said
        return said

    def reserve(self, letters: int) -> tuple[float | None, float]:
        """Take the next free moment and what the reply may cost; return dollars and seconds."""
        tokens = (letters + LETTERS_A_REPLY) // LETTERS_A_TOKEN
        share = 1 / self._rate.per_minute if self._rate.per_minute else 0
        if self._rate.tokens_per_minute:
            share = max(share, tokens / self._rate.tokens_per_minute)
        taken = None
        with self._change_ledger() as ledger:
            if (most := ledger["most"]) is not None:
                size = (2 * letters // LETTERS_A_TOKEN, 0, MOST_WRITTEN)
                usual = float(find_price(self._spec, size) or 0)
                taken = max(usual, ledger["dearest"].get(self._spec, 0))
                if ledger["spent"] + taken > most:
                    raise LimitReachedError(
                        f"a reply of {self._spec} may cost ${taken:.4f}, and of ${most:.4f} "
                        f"${ledger['spent']:.4f} are spent or set aside",
                        hint="The same command with a higher --max-cost goes on.",
                    )
                ledger["spent"] += taken
            now = time.time()  # the clock that several machines share
            begin = max(now, ledger["free"].get(self._provider, now))
            ledger["free"][self._provider] = begin + 60 * share
        return taken, begin - now

    @contextmanager
    def _change_ledger(self) -> Iterator[dict[str, Any]]:
        """Give what all workers count on together to one of them alone, and keep what it says."""
        with self._lock:
            yield (ledger := self._ledger.get())
            self._ledger.set(ledger)

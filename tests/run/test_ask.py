"""Several participants are asked at once, and all of them end before the asking does."""

import signal
import time
from threading import Event, main_thread

import pytest

from debate_ops.run.ask import Asked, ask
from debate_ops.run.base import Answer, Prompt
from tests.run.asking import prompt


class Slow:
    """Hears that it is to stop, has its caller interrupted, and ends a moment later."""

    name = "slow"
    recorded = False

    def __init__(self) -> None:
        self.has_ended = False

    def reply(self, asked: Prompt) -> Answer:
        asked.stop.wait(10)
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.2)
        self.has_ended = True
        return Answer(b"{}")


def test_an_interruption_of_the_ending_still_waits_for_those_who_were_asked() -> None:
    stop, slow = Event(), Slow()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it may be ignored
    with pytest.raises(KeyboardInterrupt):
        list(ask({"prop": Asked(slow, prompt(stop=stop))}, stop, lambda: True))
    signal.signal(signal.SIGINT, before)
    assert slow.has_ended

"""A command that runs until it is told to stop hears that, whenever it is told and in whichever thread."""

import os
import signal
import threading

import pytest

from backstory.interfaces.cli.output.stop import until_told


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_before_it_waits(number: int) -> None:
    before = signal.getsignal(number)
    with until_told() as wait:
        os.kill(os.getpid(), number)
        wait()
    assert signal.getsignal(number) is before


def test_while_it_waits_and_by_way_of_another_thread() -> None:
    """The interpreter runs handlers in the main thread alone, which nothing else would wake."""
    with until_told() as wait:
        other = threading.Timer(0.05, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
        other.start()
        wait()
        other.join()


def test_told_again() -> None:
    cut: list[int] = []
    with until_told(again=lambda: cut.append(1)) as wait:
        os.kill(os.getpid(), signal.SIGTERM)
        wait()
        assert cut == []
        os.kill(os.getpid(), signal.SIGINT)
        assert cut == [1]

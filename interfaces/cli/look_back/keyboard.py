"""Keys as they are pressed, without waiting for the end of a line."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer


@contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """A function that waits for keys. The terminal stays in this mode for the whole block: were it set for
    each key, what is typed in between would be echoed and lost."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield typer.getchar
        return
    terminal = sys.stdin.fileno()
    usual = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)
        yield lambda: _read(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, usual)


def _read(terminal: int) -> str:
    keys = os.read(terminal, 64).decode(errors="replace")
    if not keys:
        raise EOFError
    return keys

"""`replay`: every step with what it changed, and the screen that goes forwards and backwards."""

import fcntl
import io
import os
import pty
import struct
import termios

import pytest
from rich.console import Console

from backstory.application.queries.history import SessionHistory
from backstory.interfaces.cli.demo.story import Story
from backstory.interfaces.cli.look_back.player import Player
from backstory.interfaces.cli.output.text import THEME
from tests.cli.conftest import Cli, running


@pytest.fixture
def player(story: Story) -> Player:
    console = Console(theme=THEME, width=100, height=30, file=io.StringIO(), highlight=False)
    return Player(console, SessionHistory(story.session), 1, None)


def shown(player: Player) -> list[str]:
    console = player._out
    with console.capture() as captured:
        console.print(player.picture())
    return [line.rstrip() for line in captured.get().splitlines()]


def test_every_step_says_what_changed(cli: Cli, story: Story) -> None:
    lines = cli("replay", story.session.id).out.splitlines()
    place = next(number for number, line in enumerate(lines) if "session.backtracked" in line)
    assert lines[place].startswith(" ●    13")
    assert [line.split("  ")[0] for line in map(str.strip, lines[place + 1 : place + 5])] == [
        "− decision 8",
        "− tool_exchange 9",
        "− message 11",
        "− tool_exchange 12",
    ]
    assert any("~ tool_exchange 6  10 → 29 tokens" in line for line in lines)


def test_a_part_of_it(cli: Cli, story: Story) -> None:
    found = cli("replay", story.session.id, "--after", 7, "--upto", 9, "--json").documents
    assert [step["version"] for step in found] == [8, 9]
    assert found[0]["changes"]["items_in"][0]["item"] == 8


def test_forwards_and_backwards(player: Player) -> None:
    assert "version 1 of 18" in shown(player)[0]
    player.press("n")
    player.press("\x1b[C")
    assert "version 3 of 18" in shown(player)[0]
    player.press("p")
    assert "version 2 of 18" in shown(player)[0]
    player.press("ppp")
    assert "version 1 of 18" in shown(player)[0]


def test_straight_to_a_version(player: Player) -> None:
    player.press("g")
    player.press("1")
    assert shown(player)[-1] == "go to version: 1▁"
    player.press("3\r")
    screen = shown(player)
    assert "version 13 of 18" in screen[0]
    assert any(line.startswith("▸●") and "session.backtracked" in line for line in screen)
    assert any("− decision 8" in line for line in screen)
    player.press("g99\r")
    assert "version 18 of 18" in shown(player)[0]


def test_every_version_fits_the_screen(player: Player) -> None:
    for _ in range(18):
        screen = shown(player)
        assert len(screen) == 30
        assert screen[-1].startswith("n next")
        assert all(len(line) <= 100 for line in screen)
        player.press("n")


def test_keys_that_arrive_together(player: Player) -> None:
    player.press("\x1b[B\x1b[Bg7\rp")
    assert "version 6 of 18" in shown(player)[0]


def test_quitting(player: Player) -> None:
    player.press("q")
    assert player._done


def test_on_a_real_terminal(story: Story, environment: dict[str, str]) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    terminal = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    with running("replay", story.session.id, env={**environment, "TERM": "xterm"}, **terminal) as process:
        os.close(theirs)
        read_until(ours, b"version 1 of 18")
        os.write(ours, b"n")
        read_until(ours, b"version 2 of 18")
        os.write(ours, b"g13\r")
        read_until(ours, b"version 13 of 18")
        os.write(ours, b"q")
        assert process.wait(timeout=30) == 0
    os.close(ours)


def read_until(terminal: int, text: bytes) -> None:
    seen = b""
    while text not in seen:
        seen += os.read(terminal, 65536)

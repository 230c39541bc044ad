"""docs/images/replay.svg: the screen of `backstory replay` on the demo's session, where it goes back.

Played on a Postgres of its own with fixed ids and times, so that the same code gives the same picture.
"""

import io
import re
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from rich import _export_format, terminal_theme
from rich.console import Console

from backstory.application.operations.administration import stop_database
from backstory.application.queries.history import SessionHistory
from backstory.application.store import ContextStore
from backstory.interfaces.cli.demo.story import Story
from backstory.interfaces.cli.look_back.player import Player
from backstory.interfaces.cli.output.text import THEME

PAGE = Path(__file__).parent.parent / "docs" / "images" / "replay.svg"
WIDTH, HEIGHT = 100, 28
SESSION = UUID("0199d0a0-0000-7000-8000-3f1c52d07a11")
FORK = UUID("0199d0a0-0000-7000-8000-8d24b6e09c35")
BEGAN = datetime(2026, 1, 15, 9, 0, tzinfo=UTC)


def render() -> str:
    """The picture, of a demo that is played for it."""
    with tempfile.TemporaryDirectory(prefix="backstory-docs-") as home:
        try:
            with ContextStore.open(data_dir=Path(home), pool_size=2) as store:
                return picture(store)
        finally:
            stop_database(data_dir=Path(home))


def picture(store: ContextStore) -> str:
    """The replayed demo as SVG."""
    times = _clock()
    story = Story(store, id=SESSION, fork_id=FORK, clock=lambda: next(times))
    session = story.begin()
    back = story.turn_back()
    story.take_the_other_path()
    console = Console(
        theme=THEME,
        highlight=False,
        width=WIDTH,
        height=HEIGHT,
        record=True,
        force_terminal=True,
        color_system="truecolor",
        file=io.StringIO(),
    )
    player = Player(console, SessionHistory(session), 1, None)
    player.press(f"g{back}\r")
    console.print(player.picture())
    return console.export_svg(
        title=f"backstory replay {SESSION.hex[-12:]}",
        theme=terminal_theme.SVG_EXPORT_THEME,
        code_format=_without_web_fonts(_export_format.CONSOLE_SVG_FORMAT),
        unique_id="replay",
    )


def _clock() -> Iterator[datetime]:
    time = BEGAN
    while True:
        yield time
        time += timedelta(seconds=41)


def _without_web_fonts(svg: str) -> str:
    """The picture must not fetch anything when it is looked at."""
    return re.sub(r"@font-face \{\{.*?\}\}\s*", "", svg, flags=re.DOTALL)

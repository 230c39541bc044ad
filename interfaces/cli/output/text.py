"""Text for a terminal. Recorded text is hostile: all of it passes through here before it is printed."""

from collections.abc import Iterable
from typing import Any, Self

from rich import text
from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.theme import Theme

from backstory.domain.text.printable import UNPRINTABLE, printable

THEME = Theme(
    {
        "live": "green",
        "inherited": "cyan",
        "abandoned": "dim",
        "branch_point": "yellow",
        "version": "bold",
        "type": "cyan",
        "quiet": "dim",
        "heading": "bold",
        "come": "green",
        "gone": "red",
        "altered": "yellow",
        "good": "bold green",
        "bad": "bold red",
    },
    inherit=True,
)


class Text(text.Text):
    """Styled text with its control characters escaped. Rich removes some of them silently, so that they would not be
    seen at all."""

    def __init__(self, plain: str = "", style: str = "", **named: Any) -> None:
        super().__init__(printable(plain), style, **named)

    @classmethod
    def assemble(cls, *parts: Any, **named: Any) -> "Text":
        assembled = super().assemble(*parts, **named)
        assert isinstance(assembled, Text)
        return assembled

    def append(self, added: text.Text | str, style: Any = None) -> Self:
        super().append(printable(added) if isinstance(added, str) else added, style)
        return self


class SafeConsole(Console):
    """A console that interprets no markup and escapes control characters, also in texts that others made."""

    def __init__(self, **named: Any) -> None:
        super().__init__(theme=THEME, highlight=False, markup=False, emoji=False, **named)

    def render_str(self, text: str, **named: Any) -> text.Text:
        return super().render_str(printable(text), **named)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control or not UNPRINTABLE.search(segment.text):
                yield segment
            else:
                yield Segment(printable(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

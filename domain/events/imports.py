"""Lines of transcripts of other tools, kept exactly as they were beside what was made of them."""

from typing import ClassVar

from pydantic import Field

from backstory.domain.events.base import EventBody
from backstory.domain.log.references import ContentRef
from backstory.domain.values import LARGEST, ItemId, Label, Value


class ImportedLine(Value):
    """One line of a transcript."""

    number: int = Field(ge=1, le=LARGEST)
    """Its place in the file, from 1."""
    kind: Label
    """The type of line, as its format names it."""
    contents: tuple[ContentRef, ...] = ()
    """Its exact bytes, line end included: several where they are too many for one, none while more of it follows."""
    events: dict[Label, ItemId | None] = Field(default_factory=dict)
    """By the source's own ids, the events that it became; None where the line alone is kept."""


class LinesImported(EventBody):
    """Lines of a transcript were imported. It comes after the events that they became."""

    type: ClassVar[str] = "lines.imported"
    format: Label
    """The transcript's format: claude-code, codex, openhands."""
    file: Label
    """The name of the file."""
    lines: tuple[ImportedLine, ...]
    """The lines, in import order."""
    secrets: dict[Label, int] = Field(default_factory=dict)
    """By flag, such as `masked:github-token`, how many secrets were found in them."""

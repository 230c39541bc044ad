"""The session summary: what a session is after, what was done, decided and left open, in a few short texts."""

import json
from typing import Any

from pydantic import Field, ValidationError

from backstory.domain.errors import InvalidInput
from backstory.domain.values import Value

LISTS = ("progress", "said", "decisions", "open_questions", "constraints", "files", "entities", "next_steps")
"""The fields that are lists of texts."""


class SummaryDocument(Value):
    """A summary as a value. Any field may be empty; `to_markdown` leaves empty sections out."""

    objective: str = ""
    progress: tuple[str, ...] = ()
    """Work, oldest first; if there is too much, the newest. ✅ marks what is done, 🔄 what is in progress or failed
    last, ⏳ what is pending or blocked."""
    said: tuple[str, ...] = ()
    """What people asked and told, and what agents found out, each with its speaker, and with the date where the
    conversation spans several days."""
    decisions: tuple[str, ...] = ()
    """Oldest first, each with its rationale in brackets where it fits."""
    open_questions: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    tools: dict[str, int] = Field(default_factory=dict)
    """The number of calls by tool name."""

    def texts(self) -> tuple[str, ...]:
        """Every text in it, the names of tools aside."""
        lists = (text for name in LISTS for text in getattr(self, name))
        return (self.objective, *lists) if self.objective else tuple(lists)

    def to_markdown(self) -> str:
        """The summary to show to people and models. A document without anything is the empty text."""
        sections = [
            ("Objective", [_paragraph(self.objective)] if self.objective else []),
            ("Progress", _bullets(self.progress)),
            ("What was said", _bullets(self.said)),
            (
                "Key decisions",
                [f"{place}. {_one_line(text)}" for place, text in enumerate(self.decisions, 1)],
            ),
            ("Open questions", _bullets(self.open_questions)),
            ("Constraints", _bullets(self.constraints)),
            ("Files and entities", [*_row("Files", self.files), *_row("Entities", self.entities)]),
            ("Next steps", _bullets(self.next_steps)),
            ("Tools used", [f"- {_one_line(name)}: {calls}" for name, calls in most_used(self.tools)]),
        ]
        shown = ["\n".join([f"## {title}", *lines]) for title, lines in sections if lines]
        return "\n\n".join(["# Session summary", *shown]) + "\n" if shown else ""

    def encode(self) -> bytes:
        """Canonical JSON: the same document is always the same bytes."""
        fields: dict[str, Any] = self.model_dump()
        try:
            return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
        except UnicodeEncodeError:
            raise InvalidInput("summary", "must not have lone surrogates") from None

    @classmethod
    def decode(cls, data: bytes) -> "SummaryDocument":
        """The document that `encode` made these bytes from. Any other bytes are refused."""
        try:
            document = cls.model_validate_json(data, strict=True)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "summary"
            raise InvalidInput(field, first["msg"]) from None
        # Repeated or missing keys, another order, blanks: whatever was read, it is not what was written.
        if document.encode() != data:
            raise InvalidInput("summary", "must be canonical JSON with every field")
        return document


def most_used(tools: dict[str, int]) -> list[tuple[str, int]]:
    """Tools with their calls, the most used first, equals by name."""
    return sorted(tools.items(), key=lambda tool: (-tool[1], tool[0]))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _paragraph(text: str) -> str:
    # A text that looks like a heading would begin a section of its own.
    line = _one_line(text)
    return "\\" + line if line.startswith("#") else line


def _bullets(texts: tuple[str, ...]) -> list[str]:
    return [f"- {_one_line(text)}" for text in texts]


def _row(title: str, texts: tuple[str, ...]) -> list[str]:
    return [f"- {title}: {', '.join(map(_one_line, texts))}"] if texts else []

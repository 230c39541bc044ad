"""The source of a summary: the messages since the last summary, and the state of the session's work."""

from collections.abc import Iterator
from dataclasses import dataclass

from backstory.domain.summaries.document import SummaryDocument


@dataclass(frozen=True)
class SourceMessage:
    """One message, as far as a summarizer needs it."""

    item: int
    role: str
    """user, agent, system or tool."""
    agent: str | None
    text: str
    tools: tuple[str, ...] = ()
    """Names of the tools that were called in it, once for each call."""
    importance: float = 0.5
    errors: bool = False
    """Whether it reports something that failed."""
    day: str | None = None
    """Its date, where the conversation spans several days."""

    @property
    def speaker(self) -> str:
        """Who said it, and when: "ana (2026-03-01)"."""
        name = self.agent or self.role
        return f"{name} ({self.day})" if self.day else name


@dataclass(frozen=True)
class SummarySource:
    """Everything a summary may draw on. What is not here must not be in the summary."""

    previous: SummaryDocument | None = None
    messages: tuple[SourceMessage, ...] = ()
    """Those since the previous summary, oldest first."""
    goals: tuple[tuple[str, str], ...] = ()
    """Open goals with their status, a goal before its sub-goals."""
    goals_completed: tuple[str, ...] = ()
    task: str | None = None
    """The task that is being worked on."""
    decisions: tuple[tuple[str, str | None], ...] = ()
    """The newest decisions in force with their rationale, oldest first. Those before them are taken from the
    previous summary."""
    questions: tuple[str, ...] = ()
    """Open ones."""
    constraints: tuple[str, ...] = ()
    """All that are in force."""
    actions: tuple[str, ...] = ()
    """Pending ones, the most urgent first."""
    blocked: tuple[str, ...] = ()
    """Blocked work, with the reason if it is known."""
    files: tuple[str, ...] = ()
    """The file in focus first."""
    entities: tuple[str, ...] = ()

    def texts(self) -> Iterator[str]:
        """Every text in it."""
        if self.previous is not None:
            yield from self.previous.texts()
            yield from self.previous.tools
        for message in self.messages:
            yield message.text
            yield from message.tools
        yield from (text for text, _ in self.goals)
        yield from self.goals_completed
        yield from (text for decision in self.decisions for text in decision if text is not None)
        if self.task is not None:
            yield self.task
        for texts in (
            self.questions,
            self.constraints,
            self.actions,
            self.blocked,
            self.files,
            self.entities,
        ):
            yield from texts

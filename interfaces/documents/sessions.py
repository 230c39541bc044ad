"""Sessions: the list, one of them, and the results of writing to it."""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.views import RestoreViewDocument

if TYPE_CHECKING:
    from backstory.application.chat.answers import CommandResult
    from backstory.application.queries.history import LogEntry
    from backstory.application.queries.lookup import Fork
    from backstory.application.queries.read_models import Checkpoint
    from backstory.application.queries.resume import Resumed
    from backstory.application.queries.session_list import SessionSummary
    from backstory.application.session import Session
    from backstory.domain.state import ContextState


class SessionDocument(Document):
    """A session in a few numbers."""

    session: UUID = Field(description="The session's id.")
    title: str | None = Field(
        description="The title; without one, the first request in few words; otherwise null."
    )
    titled: bool = Field(description="Whether the title was given.")
    status: str = Field(description="open or ended.")
    project: str | None = Field(description="The project's name, or null.")
    tags: list[str] = Field(description="The tags.")
    version: int = Field(description="The newest version.")
    epoch: int = Field(description="The number of backtracks.")
    messages: int = Field(description="Messages and tool exchanges on the current branch.")
    decisions: int = Field(description="Decisions on the current branch.")
    tokens: int = Field(description="Tokens in the main window.")
    token_limit: int | None = Field(description="The main window's limit, or null.")
    started_at: datetime = Field(description="The time at which its first event occurred.")
    last_activity: datetime = Field(description="The time at which somebody last did something in it.")
    usage: float | None = Field(description="The share of the main window's limit, or null.")
    zone: str = Field(description="The main window's zone: safe, warning, danger or critical.")
    cost_usd: float = Field(description="The cost of its calls with a known price, on every branch.")
    agents: list[str] = Field(description="The actors of its newest events.")
    primary_files: list[str] = Field(
        description="The files in focus; otherwise those that its newest messages mention most."
    )
    place: str = Field(description="Its place in the list of sessions, to continue after.")

    @classmethod
    def in_short(cls, summary: "SessionSummary") -> "SessionDocument":
        """The document of one line of the list, by itself."""
        return SessionDocument(**_summary(summary))


class ListedSessionDocument(SessionDocument):
    """A session in a list."""

    last: bool = Field(description="Whether it is the session that `last` names.")

    @classmethod
    def of(cls, summary: "SessionSummary", last: bool) -> "ListedSessionDocument":
        """The document of one line of the list."""
        return cls(**_summary(summary), last=last)


class SessionsDocument(Document):
    """Sessions, the most recently active first."""

    sessions: list[ListedSessionDocument] = Field(description="The sessions.")
    next: str | None = Field(description="What to continue after; null on the last page.")


class BranchDocument(Document):
    """A session and the version at which a fork begins."""

    session: UUID = Field(description="The session's id.")
    at: int = Field(description="The version at which the fork begins.")


class LogBranchDocument(Document):
    """A run of versions that follow each other, between backtracks."""

    session: UUID = Field(description="The session that recorded it; of a fork, maybe its parent.")
    first: int = Field(description="Its first version.")
    last: int = Field(description="Its last version.")
    follows: int | None = Field(description="The version that it continues from; null for the first.")
    live: int | None = Field(description="Its newest version that leads to the newest of all, or null.")


class BranchesDocument(Document):
    """The branches of a session."""

    branches: list[LogBranchDocument] = Field(description="The branches, oldest first.")


class BacktrackedDocument(Document):
    """A backtrack in a session's history."""

    version: int = Field(description="The version of the backtrack.")
    to: int = Field(description="The version whose state it made current.")
    abandoned: int = Field(description="The version that was current before.")
    why: str | None = Field(description="The reason; null if it was erased.")


class NamedVersionDocument(Document):
    """A checkpoint of a session."""

    version: int = Field(description="The checkpoint's version.")
    name: str = Field(description="Its name.")
    chain: str = Field(description="The hash of the chain there.")


class ShownSessionDocument(SessionDocument):
    """A session with its branches, its calls of models, and its state in numbers."""

    parent: BranchDocument | None = Field(description="The session that it was forked from, or null.")
    forks: list[BranchDocument] = Field(description="The sessions that were forked from it.")
    backtracks: list[BacktrackedDocument] = Field(description="Its backtracks.")
    checkpoints: list[NamedVersionDocument] = Field(description="Its checkpoints.")
    summary_item: int | None = Field(description="The newest session summary, or null.")
    pins: list[int] = Field(description="The items that are in every context.")
    candidates: list[int] = Field(description="Noticed decisions that wait to be confirmed or dismissed.")
    model_calls: int = Field(description="Calls of models on the current branch.")
    input_tokens: int = Field(description="Tokens of the prompts, as providers counted them.")
    output_tokens: int = Field(description="Tokens of the answers.")

    @classmethod
    def of(
        cls,
        summary: "SessionSummary",
        state: "ContextState",
        branch_points: Iterable["LogEntry"],
        forks: Iterable["Fork"],
        checkpoints: Iterable["Checkpoint"],
    ) -> "ShownSessionDocument":
        """The document of a session. `branch_points` are its own forked and backtracked events."""
        from backstory.domain.events import SessionBacktracked, SessionForked

        parent, backtracks = None, []
        for entry in branch_points:
            body = entry.event.body
            if isinstance(body, SessionForked):
                parent = BranchDocument(session=body.parent, at=body.at)
            elif isinstance(body, SessionBacktracked):
                why = next((content.text for content in entry.contents if content.field == "why"), None)
                backtracks.append(
                    BacktrackedDocument(version=entry.version, to=body.to, abandoned=body.abandoned, why=why)
                )
        counters = state.counters
        return cls(
            **_summary(summary),
            parent=parent,
            forks=[BranchDocument.model_validate(fork) for fork in forks],
            backtracks=backtracks,
            checkpoints=[
                NamedVersionDocument(version=one.version, name=one.name, chain=one.chain.hex())
                for one in checkpoints
            ],
            summary_item=state.summary.item if state.summary else None,
            pins=list(state.pins),
            candidates=[candidate.id for candidate in state.candidates],
            model_calls=counters.get("model_calls", 0),
            input_tokens=counters.get("input_tokens", 0),
            output_tokens=counters.get("output_tokens", 0),
        )


class HeadDocument(Document):
    """The end of a session's log."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The newest version.")
    epoch: int = Field(description="The number of backtracks.")


class WrittenDocument(Document):
    """The result of an append."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The newest version after it.")


class AppendedDocument(Document):
    """The result of several writes."""

    session: UUID = Field(description="The session's id.")
    versions: list[int] = Field(description="The version of each write, in their order.")


class MessageDocument(WrittenDocument):
    """A message that was added."""

    role: str = Field(description="user, agent or system.")
    tokens: int = Field(description="Its tokens, as the main window counts them.")


class CommandDocument(Document):
    """The result of a chat command."""

    session: UUID = Field(description="The session's id.")
    ok: bool = Field(description="Whether the command was carried out.")
    command: str = Field(description="The command's name, or the text given in its place.")
    text: str = Field(description="The answer, for people.")
    data: dict[str, Any] = Field(description="The answer, for programs; its keys depend on the command.")
    events: list[int] = Field(description="The versions of the events that it appended.")
    available: list[str] = Field(description="The commands that the session's state allows now.")

    @classmethod
    def of(cls, session: UUID, result: "CommandResult") -> "CommandDocument":
        """The document of a command's result."""
        return cls(session=session, **result._asdict())


class BacktrackDocument(WrittenDocument):
    """A backtrack that was made."""

    to: int = Field(description="The version whose state is current again.")
    abandoned: int = Field(
        description="The version that was current before. Backtracking to it undoes this backtrack."
    )


class ForkDocument(WrittenDocument):
    """A fork that was made."""

    parent: UUID = Field(description="The session whose history it shares.")
    at: int = Field(description="The last version that it shares.")


class StandingDocument(Document):
    """Where a session stands."""

    session: SessionDocument = Field(description="The session.")
    view: RestoreViewDocument = Field(description="What somebody needs to go on with it.")


class ResumedSessionDocument(RestoreViewDocument):
    """A session to continue."""

    session: UUID = Field(description="The session to continue: the same one, or its fork.")
    version: int = Field(description="Its newest version.")
    resumed: bool = Field(description="Whether it had ended and is open again.")
    forked_from: UUID | None = Field(description="With a fork, the session that stays unchanged; else null.")

    @classmethod
    def of(cls, found: "Resumed[Session]") -> "ResumedSessionDocument":
        """The document of a resumed session."""
        parent = found.forked_from
        return cls(
            **RestoreViewDocument.model_validate(found.view).model_dump(),
            session=found.session.id,
            version=found.session.version,
            resumed=found.resumed is not None,
            forked_from=None if parent is None else parent.id,
        )


def _summary(summary: "SessionSummary") -> dict[str, Any]:
    fields = summary._asdict()
    return {"session": fields.pop("id"), **fields}

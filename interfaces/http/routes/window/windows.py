"""Windows: watched, made smaller, brought back."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from backstory.application.evaluation.recording import words_of
from backstory.application.queries.status import session_status
from backstory.domain.access import Action
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.documents.window import (
    CompactionDocument,
    CompactionsDocument,
    DroppedDocument,
    ExpandedDocument,
    ExpandedItemDocument,
    FlashSaveDocument,
    PruneDocument,
    RecordedCompactionDocument,
    RecoveryDocument,
    StatusDocument,
    UncompactedDocument,
    UsageDocument,
    UsagePointDocument,
)
from backstory.interfaces.http.bodies import Body
from backstory.interfaces.http.policies import PolicyBody
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("windows")

Window = Annotated[str, Query(description="The window.")]
WINDOW = Field(default=MAIN_WINDOW, description="The window.")
POLICY = Field(default=None, description="The window policy; by default the session's.")
TRIGGER = Field(default=None, description="What caused it; recorded with it.")


@routes.get("/sessions/{session}/status", Action.READ)
def status(session: OpenSession) -> StatusDocument:
    """Show the windows, tiers, newest decisions, open questions and alerts."""
    return StatusDocument.of(session_status(session))


@routes.get("/sessions/{session}/window/usage", Action.READ)
def window_usage(
    session: OpenSession,
    window: Window = MAIN_WINDOW,
    after: Annotated[int, Query(ge=0, description="Only versions after this one.")] = 0,
    upto: Annotated[int | None, Query(ge=1, description="Only versions up to this one.")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000, description="The most versions of a page.")] = 1000,
) -> UsageDocument:
    """List the tokens of a window after each version, with what changed it."""
    last = session.version if upto is None else upto
    points = session.window.usage(
        window, after=after, upto=min(last, after + limit) if upto is None else upto
    )
    page = points[:limit]
    return UsageDocument(
        points=[UsagePointDocument.of(point) for point in page],
        next=page[-1].version if page and page[-1].version < last else None,
    )


@routes.get("/sessions/{session}/window/compactions", Action.READ, whole=True)
def compactions(
    session: OpenSession,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most compactions of a page.")] = 50,
    before: Annotated[int | None, Query(ge=1, description="The `next` of the page before.")] = None,
) -> CompactionsDocument:
    """List compactions, prunes and flash saves, the newest first, with what became of each item."""
    found = session.window.compactions(before=before, limit=limit)
    return CompactionsDocument(
        compactions=[RecordedCompactionDocument.model_validate(one) for one in found],
        next=found[-1].version if len(found) == limit else None,
    )


class WindowToCompact(Body):
    """A compaction to make."""

    algorithm: str = Field(default="adaptive", description="The algorithm: see docs/explanation/window.md.")
    window: str = WINDOW
    first: int | None = Field(default=None, description="The first item that may leave.")
    last: int | None = Field(default=None, description="The last item that may leave.")
    threshold: float | None = Field(
        default=None, description="The usage below which nothing is done, where the algorithm has one."
    )
    policy: PolicyBody | None = POLICY
    trigger: str | None = TRIGGER
    dry_run: bool = Field(default=False, description="Write nothing; answer what would be done.")


@routes.post("/sessions/{session}/window/compact", Action.APPEND, whole=True, once="kept")
def compact(session: OpenSession, body: WindowToCompact) -> CompactionDocument:
    """Replace less important items by a summary."""
    policy = None if body.policy is None else body.policy.policy(WindowPolicy)
    done = session.window.compact(**body.model_dump(exclude={"policy"}), policy=policy)
    return CompactionDocument.of(session.id, done)


@routes.get("/sessions/{session}/window/dropped", Action.READ)
def dropped(
    session: OpenSession,
    version: Annotated[
        int | None, Query(ge=1, description="The compaction; otherwise the newest that was not undone.")
    ] = None,
    agent: Annotated[str | None, Query(description="Also the private items of this agent.")] = None,
    limit: Annotated[int, Query(ge=1, le=1000, description="The most items to rank.")] = 20,
) -> DroppedDocument:
    """Rank what a compaction took out of a window by what was needed of it since."""
    return DroppedDocument.model_validate(session.window.dropped(version, agent=agent, limit=limit))


@routes.get("/sessions/{session}/window/uncompact", Action.READ)
def uncompact(
    session: OpenSession,
    version: Annotated[
        int | None, Query(ge=1, description="The compaction; otherwise the newest that was not undone.")
    ] = None,
    agent: Annotated[str | None, Query(description="Also the private items of this agent.")] = None,
    limit: Annotated[int, Query(ge=400, le=6000, description="The most characters of the text.")] = 2000,
) -> UncompactedDocument:
    """Tell what a compaction took out of a window and its summary does not tell."""
    return UncompactedDocument.model_validate(session.window.uncompact(version, agent=agent, limit=limit))


class SummaryToExpand(Body):
    """A summary to expand."""

    summary: int = Field(description="The summary's id.")
    record: bool = Field(default=True, description="Count an access to each item.")


@routes.post("/sessions/{session}/window/expand", Action.APPEND, once="kept")
def expand(session: OpenSession, body: SummaryToExpand) -> ExpandedDocument:
    """Read the items that a summary stands for, which counts as an access to each."""
    return _expanded(session, body.summary, body.record)


@routes.get("/sessions/{session}/window/expand", Action.READ)
def show_expanded(
    session: OpenSession, summary: Annotated[int, Query(ge=1, description="The summary's id.")]
) -> ExpandedDocument:
    """Read the items that a summary stands for. Nothing is written."""
    return _expanded(session, summary, False)


class WindowToPrune(Body):
    """A prune to make."""

    target: float | None = Field(
        default=None, description="The share of the limit to reach; otherwise the policy's."
    )
    dry_run: bool = Field(default=False, description="Write nothing; answer what would leave.")
    aggressive: bool | None = Field(
        default=None, description="Keep only the barest context; otherwise only where the rest does not fit."
    )
    window: str = WINDOW
    next_tokens: int = Field(default=0, description="The tokens that the next call will add.")
    policy: PolicyBody | None = POLICY
    pruning: PolicyBody | None = Field(default=None, description="The pruning policy.")
    trigger: str | None = TRIGGER


@routes.post("/sessions/{session}/window/prune", Action.APPEND, once="kept")
def prune(session: OpenSession, body: WindowToPrune) -> PruneDocument:
    """Remove the least important items from a window."""
    done = session.window.prune(
        **body.model_dump(exclude={"policy", "pruning"}),
        policy=None if body.policy is None else body.policy.policy(WindowPolicy),
        pruning=None if body.pruning is None else body.pruning.policy(PruningPolicy),
    )
    return PruneDocument.of(session.id, done)


class WindowToSave(Body):
    """A flash save to make."""

    window: str = WINDOW
    agent: str | None = Field(
        default=None, description="The agent whose private items leave; otherwise all that may."
    )
    policy: PolicyBody | None = POLICY
    trigger: str | None = TRIGGER


@routes.post("/sessions/{session}/window/flash-save", Action.APPEND, once="kept")
def flash_save(session: OpenSession, body: WindowToSave) -> FlashSaveDocument:
    """Take a checkpoint and keep only HOT items in the window."""
    policy = None if body.policy is None else body.policy.policy(WindowPolicy)
    done = session.window.flash_save(**body.model_dump(exclude={"policy"}), policy=policy)
    return FlashSaveDocument.of(session.id, done)


class WindowToRecover(Body):
    """A window that must fit again."""

    next_tokens: int = Field(default=0, description="The tokens that the next call will add.")
    window: str = WINDOW
    policy: PolicyBody | None = POLICY
    pruning: PolicyBody | None = Field(default=None, description="The pruning policy.")


@routes.post("/sessions/{session}/window/recover", Action.APPEND, once="kept")
def recover(session: OpenSession, body: WindowToRecover) -> RecoveryDocument:
    """Make a window fit its limit again, after an emergency checkpoint."""
    # A recovery takes no key: it does nothing where the window fits. Its answer is kept all the same.
    done = session._with(key=None).window.recover(
        **body.model_dump(exclude={"policy", "pruning"}),
        policy=None if body.policy is None else body.policy.policy(WindowPolicy),
        pruning=None if body.pruning is None else body.pruning.policy(PruningPolicy),
    )
    return RecoveryDocument(session=session.id, **vars(done))


def _expanded(session: OpenSession, summary: int, record: bool) -> ExpandedDocument:
    found = session.window.expand(summary, record=record)
    return ExpandedDocument(
        items=[
            ExpandedItemDocument.of(item, words_of(item.messages) if item.messages else None)
            for item in found
        ]
    )

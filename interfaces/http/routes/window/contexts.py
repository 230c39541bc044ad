"""Contexts: made, previewed, reproduced, seen by a model; and the check of a window before a call."""

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from backstory.application.queries.history import SessionHistory
from backstory.domain.access import Action
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, AssemblyPolicy
from backstory.domain.policies.summary import DEFAULT_SUMMARY, SummaryPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.values import MAIN_WINDOW
from backstory.interfaces.documents.contexts import (
    ContextDocument,
    ReproductionDocument,
    SawDocument,
    SummarizedDocument,
)
from backstory.interfaces.documents.window import BeforeCallDocument
from backstory.interfaces.http.bodies import Body, Time
from backstory.interfaces.http.policies import PolicyBody
from backstory.interfaces.http.requests import OpenSession
from backstory.interfaces.http.routing import Routes

routes = Routes("contexts")

Format = Literal["openai", "anthropic", "markdown", "parts"]


class ContextToMake(Body):
    """The context of the next call."""

    budget: int | None = Field(
        default=None, description="Tokens for prompt and response; by default the limit."
    )
    query: str | None = Field(default=None, description="What older items are found by.")
    agent: str | None = Field(default=None, description="The agent that it is for; by default the actor.")
    window: str = Field(default=MAIN_WINDOW, description="The window that it is a view of.")
    format: Format = Field(default="openai", description="The form of the prompt.")
    reserve: int | None = Field(default=None, description="The tokens kept for the response.")
    policy: PolicyBody | None = Field(default=None, description="The assembly policy.")
    summary: PolicyBody | Literal[False] | None = Field(
        default=None, description="The summary policy; false for no summary."
    )
    as_of: Time | None = Field(default=None, description="The time that it is made for.")
    tools: list[dict[str, Any]] | None = Field(
        default=None, description="The definitions of the tools that are sent along."
    )
    record: bool = Field(default=True, description="Off for a preview, which writes nothing.")
    at: int | None = Field(default=None, description="Of a preview, the version that it is made for.")


@routes.post("/sessions/{session}/context", Action.APPEND, once="kept")
def context(session: OpenSession, body: ContextToMake) -> ContextDocument:
    """Make the context of the next call, and record it."""
    given = body.model_dump(exclude={"policy", "summary"})
    policy = DEFAULT_ASSEMBLY if body.policy is None else body.policy.policy(AssemblyPolicy)
    summary = DEFAULT_SUMMARY if body.summary is None else None
    if isinstance(body.summary, PolicyBody):
        summary = body.summary.policy(SummaryPolicy)
    made = session.context(**given, policy=policy, summary=summary)
    return ContextDocument.of(session.id, made)


@routes.get("/sessions/{session}/context", Action.READ)
def preview_context(
    session: OpenSession,
    budget: Annotated[int | None, Query(description="Tokens for prompt and response.")] = None,
    query: Annotated[str | None, Query(description="What older items are found by.")] = None,
    agent: Annotated[str | None, Query(description="The agent that it is for.")] = None,
    window: Annotated[str, Query(description="The window that it is a view of.")] = MAIN_WINDOW,
    format: Annotated[Format, Query(description="The form of the prompt.")] = "openai",
    reserve: Annotated[int | None, Query(description="The tokens kept for the response.")] = None,
    as_of: Annotated[Time | None, Query(description="The time that it is made for.")] = None,
    at: Annotated[
        int | None, Query(ge=1, description="The version that it is made for; by default the newest.")
    ] = None,
) -> ContextDocument:
    """Preview the context of the next call, now or as it would have been at a version. Nothing is written."""
    made = session.context(
        budget,
        query=query,
        agent=agent,
        window=window,
        format=format,
        reserve=reserve,
        as_of=as_of,
        at=at,
        record=False,
    )
    return ContextDocument.of(session.id, made)


class SummaryToMake(Body):
    """A summary of a session."""

    policy: PolicyBody | None = Field(default=None, description="The summary policy.")


@routes.post("/sessions/{session}/summarize", Action.APPEND, once="bare")
def summarize(session: OpenSession, body: SummaryToMake) -> SummarizedDocument:
    """Sum the session up now."""
    policy = DEFAULT_SUMMARY if body.policy is None else body.policy.policy(SummaryPolicy)
    return SummarizedDocument(session=session.id, version=session.summarize(policy=policy))


class CallToCome(Body):
    """The next call of the model."""

    next_tokens: int = Field(default=0, description="The tokens that it will add.")
    next_operation: str | None = Field(
        default=None, description="What it is for; a risky one is saved before."
    )
    window: str = Field(default=MAIN_WINDOW, description="The window.")
    policy: PolicyBody | None = Field(
        default=None, description="The window policy; by default the session's."
    )


@routes.post("/sessions/{session}/before-call", Action.APPEND, once="kept")
def before_call(session: OpenSession, body: CallToCome) -> BeforeCallDocument:
    """Check a window before a call of the model, and make room."""
    policy = None if body.policy is None else body.policy.policy(WindowPolicy)
    # A check takes no key: it may be made again at any time. Its answer is kept all the same.
    done = session._with(key=None).before_call(**body.model_dump(exclude={"policy"}), policy=policy)
    return BeforeCallDocument.of(session.id, done)


Version = Annotated[int, Query(description="The version.")]


@routes.get("/sessions/{session}/reproduce", Action.READ, whole=True)
def reproduce(session: OpenSession, version: Version) -> ReproductionDocument:
    """Build a recorded context again, and compare its bytes."""
    return ReproductionDocument.of(session.id, session.reproduce(version))


@routes.get("/sessions/{session}/saw", Action.READ, whole=True)
def saw(session: OpenSession, version: Version) -> SawDocument:
    """Show what the model saw before a decision or a message."""
    answer = session.saw(version)
    return SawDocument.of(session.id, answer, SessionHistory(session).chain(answer))

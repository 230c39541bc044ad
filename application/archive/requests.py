"""The writes to a project that make memories of a part of a session."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from backstory.application.archive.known import Again, NewMemory
from backstory.application.handle import SessionHandle
from backstory.application.memory.remember import memory_request
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import memory
from backstory.domain.events import MemorySource
from backstory.domain.log.ranges import as_ranges
from backstory.domain.policies.memory import MemoryPolicy


def review_request(project: SessionHandle, **said: Any) -> Request:
    """The write that a part of a session was looked through."""
    return Request(ContentBundle(), partial(memory.review_session, **said), project.provenance)


def new_request(project: SessionHandle, new: NewMemory, policy: MemoryPolicy, by: str | None) -> Request:
    """The write of a memory."""
    draft = new.draft
    said = draft.memory.model_copy(update={"sources": new.sources, "supersedes": new.supersedes})
    handle = project.with_(occurred_at=draft.at, origin=draft.origin)
    maker = draft.maker._replace(policy=by)
    return memory_request(handle, said, maker, policy, candidate=new.candidate)


def again_requests(project: SessionHandle, again: Sequence[Again]) -> Iterator[Request]:
    """The writes that memories were said again."""
    for one in again:
        sources = tuple(
            MemorySource(session=source.session, items=as_ranges(source.items)) for source in one.sources
        )
        said = partial(memory.corroborate_memory, memory=one.memory, sources=sources)
        yield Request(ContentBundle(), said, project.provenance)
        if one.confirms:
            confirm = partial(memory.confirm_memory, memory=one.memory, agent=one.agent)
            yield Request(ContentBundle(), confirm, project.provenance)

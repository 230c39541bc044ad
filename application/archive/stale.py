"""Memories of what a session has gone back on."""

from functools import partial
from uuid import UUID

from backstory.application.contents.derivation import memories_of
from backstory.application.handle import SessionHandle
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands.memory import forget_memory
from backstory.domain.log.ranges import from_ranges
from backstory.domain.state import ContextState


def forget_requests(
    project: SessionHandle, session: UUID, state: ContextState, known: ContextState
) -> tuple[list[int], list[Request]]:
    """The memories that were made of items which a backtrack has left since, and the writes that forget them. Fragments
    stay: they tell what happened. So does what somebody remembered in words of their own, and what was said elsewhere,
    too."""
    branch = project.runtime.reader.lineage(session, state.version)
    stale: list[int] = []
    for (owner, id), body in memories_of(project.runtime, [session]):
        note = known.memories.get(id)
        if owner != project.id or note is None or note.left is not None or note.seen:
            continue
        if body.made_by is None or body.kind == "fragment" or len(body.sources) != 1:
            continue
        (source,) = body.sources
        if not any(branch.contains(item) for item in from_ranges(source.items)):
            stale.append(id)
    requests = []
    for id in stale:
        bundle = ContentBundle()
        why = bundle.text("why", "the session went back before it")
        agent = known.memories[id].agent
        said = partial(forget_memory, memory=id, agent=agent, by=None, why=why)
        requests.append(Request(bundle, said, project.provenance))
    return stale, requests

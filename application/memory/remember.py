"""The recording of a memory."""

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.queries.read_models import read_items
from backstory.application.runtime import Runtime
from backstory.application.safety.screen import MASKING, Screen
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Request
from backstory.domain.commands import facts
from backstory.domain.commands.memory import MEMORY, record_memory
from backstory.domain.effects import NewItem
from backstory.domain.errors import ContentErased, InvalidInput
from backstory.domain.events import MemorySource
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import references_of
from backstory.domain.memory.values import MemoryDraft, Source
from backstory.domain.messages.contents import Part, text_bytes
from backstory.domain.policies.memory import DEFAULT_MEMORY, MemoryPolicy
from backstory.domain.records import Item
from backstory.domain.trust import TRUST_OF_ORIGIN, Origin, Trust, default_origin, least_trust
from backstory.domain.values import MAIN_WINDOW, aware
from backstory.infrastructure.llm.tokens import count_parts


class Maker(NamedTuple):
    """Who wrote a memory, where that was not the caller."""

    made_by: str | None = None
    model: str | None = None
    prompt_version: int | None = None
    fallback: str | None = None
    policy: str | None = None


THE_CALLER = Maker()


def require_sources(runtime: Runtime, sources: Iterable[Source]) -> None:
    """Raises ContentErased if words of a source were erased: they are not to come back as a memory."""
    lost = lost_source(runtime, sources)
    if lost is not None:
        raise ContentErased(
            f"sources: something of session {lost.session} was erased, so no memory is made from it."
        )


def lost_source(runtime: Runtime, sources: Iterable[Source]) -> Source | None:
    """A source of which something was erased. Sessions that are not in this store tell nothing."""
    for source in sources:
        head = runtime.log.head(source.session) if source.items else None
        if head is not None and _lost(runtime, source, head.version):
            return source
    return None


def _lost(runtime: Runtime, source: Source, version: int) -> bool:
    reader = ContentReader(runtime, runtime.reader.log_of(source.session, version))
    held = [item for item in source.items if item <= version]
    present = reader.present(held)
    return any(
        (event.version, ref.part) not in present
        for event in reader.events(held).values()
        for ref in references_of(event.body.encode())
    )


def memory_request(
    handle: SessionHandle,
    draft: MemoryDraft,
    maker: Maker = THE_CALLER,
    policy: MemoryPolicy = DEFAULT_MEMORY,
    *,
    candidate: bool = False,
) -> Request:
    """The write of a memory to a project."""
    begins, ends = aware("valid_from", draft.valid_from), aware("valid_until", draft.valid_until)
    if begins is not None and ends is not None and begins >= ends:
        raise InvalidInput("valid_until", "must be later than `valid_from`")
    screen = handle.screen if draft.keep_secrets else MASKING
    bundle = ContentBundle(screen)
    said: dict[str, Any] = {
        "kind": draft.kind,
        "text": bundle.text("text", draft.text),
        "title": bundle.optional("title", draft.title),
        "details": bundle.json("details", draft.details),
        "entities": bundle.json("entities", list(dict.fromkeys(draft.entities)) or None),
        "fallback": bundle.optional("fallback", maker.fallback),
        "valid_from": begins,
        "valid_until": ends,
        "sources": tuple(
            MemorySource(session=one.session, items=as_ranges(one.items)) for one in _joined(draft.sources)
        ),
        "made_by": maker.made_by,
        "model": maker.model,
        "prompt_version": maker.prompt_version,
        "policy": maker.policy,
        "candidate": candidate,
    }
    command = partial(
        record_memory,
        item=_item(handle, draft, policy, screen),
        key=draft.key,
        supersedes=draft.supersedes,
        said=said,
    )
    return Request(bundle, command, handle.provenance)


def _item(handle: SessionHandle, draft: MemoryDraft, policy: MemoryPolicy, screen: Screen) -> NewItem:
    parts = screen.parts(
        Part("text", text_bytes(name, text), "text/plain")
        for name, text in (("title", draft.title), ("text", draft.text))
        if text
    )
    encoding = handle.encoding()
    origin = handle.provenance.origin or default_origin(MEMORY)
    sources = [
        item
        for one in draft.sources
        if one.items
        for item in read_items(handle.runtime, one.session, one.items)
    ]
    for item in sources:
        if item.private and item.agent != draft.agent:
            raise InvalidInput("agent", f"must be {item.agent!r}: item {item.id} is private to that agent")
    return facts.new_item(
        MEMORY,
        tokens=count_parts(parts, encoding),
        encoding=encoding,
        importance=policy.importance[draft.kind] if draft.importance is None else draft.importance,
        windows=(MAIN_WINDOW,),
        agent=draft.agent or handle.actor,
        private=draft.agent is not None,
        made_from=tuple(dict.fromkeys(one.session for one in draft.sources if one.items)),
        origin=origin,
        trust=_lowered(origin, sources),
    )


def _lowered(origin: Origin, sources: Iterable[Item]) -> Trust | None:
    """The trust of a memory that was made from items; None where it is that of its origin."""
    own = TRUST_OF_ORIGIN[origin]
    trust = least_trust((Trust(source.trust) for source in sources), own)
    return None if trust == own else trust


def _joined(sources: Iterable[Source]) -> list[Source]:
    """The sources, each session once."""
    by_session: dict[Any, set[int]] = {}
    for source in sources:
        by_session.setdefault(source.session, set()).update(source.items)
    return [Source(session=id, items=tuple(sorted(items))) for id, items in by_session.items()]

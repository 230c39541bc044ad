"""Writes of items in general, of errors, and of events of one's own."""

from collections.abc import Sequence
from functools import partial

from backstory.application.queries.read_models import require_items
from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.commands import contexts, facts, items, work
from backstory.domain.effects import Effects
from backstory.domain.errors import InvalidInput
from backstory.domain.events.base import Change, EventBody
from backstory.domain.messages.contents import Part, text_bytes
from backstory.domain.values import (
    MAIN_WINDOW,
    build,
    label,
    listed,
)


class ItemWriter(WriterBase):
    """What is kept, touched, removed and recorded."""

    def save(
        self,
        type: str,
        content: str | bytes | Sequence[Part],
        *,
        media_type: str = "text/plain",
        importance: float | None = None,
        task: str | None = None,
        references: Sequence[int] = (),
        private: bool | None = None,
        windows: Sequence[str] = (MAIN_WINDOW,),
        name: str | None = None,
        path: str | None = None,
        artifact: str | None = None,
        load_layer: int | None = None,
        clarity: int | None = None,
        summary: str | None = None,
    ) -> int:
        """Keeps a piece of context of any type. Saved by an agent it is private to it, unless said otherwise."""
        bundle = ContentBundle()
        parts = _content_parts(content, media_type)
        body = build(
            e.ItemSaved,
            parts=bundle.parts("content", parts),
            name=name,
            path=path,
            artifact=artifact,
            load_layer=load_layer,
            clarity=clarity,
            summary=bundle.optional("summary", summary),
        )
        owned = self._provenance.actor is not None
        item = self._counted_item(
            label("type", type),
            parts,
            importance,
            windows,
            task=task,
            references=listed("references", references),
            private=owned if private is None else private,
        )
        return self._write(bundle, facts.save_item(body, item))

    def touch(self, *item_ids: int, reason: str = "loaded") -> int:
        """Counts an access to items that were found, expanded, loaded or cited."""
        wanted = items.checked_items(item_ids)
        require_items(self._runtime, self.id, wanted)
        return self._write(ContentBundle(), facts.touch_items(wanted, reason))

    def remove(self, *item_ids: int, window: str | None = None, why: str | None = None) -> int:
        """Takes items out of a window, or of all. They stay in the record: see `bring_back`."""
        bundle = ContentBundle()
        ref = bundle.optional("why", why)
        return self._command(bundle, partial(items.remove_items, items=item_ids, window=window, why=ref))

    def pin(self, item: int, *, why: str | None = None) -> int:
        """Puts a live item into every context from here on."""
        bundle = ContentBundle()
        return self._command(bundle, partial(contexts.pin_item, item=item, why=bundle.optional("why", why)))

    def unpin(self, item: int) -> int:
        return self._command(ContentBundle(), partial(contexts.unpin_item, item=item))

    def compacted(
        self,
        summary: str | None,
        *,
        summarized: Sequence[int] = (),
        dropped: Sequence[int] = (),
        kept: Sequence[int] = (),
        algorithm: str,
        window: str = MAIN_WINDOW,
        policy: str | None = None,
        summarizer: str | None = None,
        trigger: str | None = None,
        tokens_before: int | None = None,
    ) -> int:
        """Takes items out of a window and brings a summary that stands for those it tells of."""
        bundle = ContentBundle()
        ref = bundle.optional("summary", summary)
        gone = (listed("summarized", summarized), listed("dropped", dropped))
        item = self._text_item("summary", [summary], windows=(window,)) if summary is not None else None
        wish = partial(
            contexts.compact_items,
            item=item,
            summary=ref,
            summarized=gone[0],
            dropped=gone[1],
            kept=items.checked_items(named) if (named := listed("kept", kept)) else (),
            window=window,
            algorithm=algorithm,
            policy=policy,
            summarizer=summarizer,
            trigger=trigger,
            tokens_before=tokens_before,
        )
        return self._command(bundle, wish)

    def deprecate(self, item: int, *, by: int | None = None, why: str | None = None) -> int:
        """Marks an item as no longer true, maybe because of another one, and takes it out of the windows."""
        bundle = ContentBundle()
        ref = bundle.optional("why", why)
        return self._command(bundle, partial(items.deprecate_item, item=item, by=by, why=ref))

    def error(self, text: str, *, name: str | None = None, importance: float | None = None) -> int:
        """Records an error. It is an item until `resolve_error`."""
        bundle = ContentBundle()
        ref = bundle.text("text", text)
        item = self._text_item("error", [text], importance)
        return self._write(bundle, facts.meet_error(item, text=ref, name=name))

    def resolve_error(self, item: int, *, how: str | None = None) -> int:
        bundle = ContentBundle()
        return self._command(bundle, partial(work.resolve_error, item=item, how=bundle.optional("how", how)))

    def record(
        self, body: EventBody, *, effects: Effects | None = None, contents: ContentBundle | None = None
    ) -> int:
        """Appends an event of a type of your own, with what it does to the read models."""
        if not isinstance(body, EventBody):
            raise InvalidInput("body", f"must be an EventBody, got {type(body).__name__}")
        if ":" not in body.type:
            raise InvalidInput(
                "body", f"{body.type!r} is Backstory's own type, which has a method of its own"
            )
        change = Change(body, Effects() if effects is None else effects)
        if not isinstance(change.effects, Effects):
            raise InvalidInput("effects", f"must be Effects, got {type(effects).__name__}")
        if change.effects.resumes is not None:
            raise InvalidInput("effects.resumes", "belongs to backtracks and forks")
        if change.effects.returns:
            raise InvalidInput("effects.returns", "belongs to `bring_back`, which knows what the items were")
        bundle = ContentBundle() if contents is None else contents
        if not isinstance(bundle, ContentBundle):
            raise InvalidInput("contents", f"must be a ContentBundle, got {type(contents).__name__}")
        bundle.require_named_by(body)
        return self._write(bundle, change)


def _content_parts(content: str | bytes | Sequence[Part], media_type: str) -> tuple[Part, ...]:
    label("media_type", media_type)
    if isinstance(content, str):
        content = text_bytes("content", content)
    if isinstance(content, bytes):
        if not content:
            raise InvalidInput("content", "must not be empty")
        kind = (
            "text"
            if media_type.startswith("text/")
            else "json"
            if media_type.endswith("json")
            else "document"
        )
        kind = "image" if media_type.startswith("image/") else kind
        return (Part(kind, content, media_type),)
    parts = listed("content", content)
    if not parts:
        raise InvalidInput("content", "must have at least one part")
    return parts

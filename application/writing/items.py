"""Writes of items: saved, touched, pinned, taken out."""

from collections.abc import Sequence
from functools import partial

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.new_items import counted_item
from backstory.domain import events as e
from backstory.domain.commands import contexts, facts, items
from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Part, text_bytes
from backstory.domain.values import MAIN_WINDOW, build, label, listed


class ItemWriter(SessionPart):
    """Writes of items: `session.items`."""

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
        project_layer: int | None = None,
        clarity: int | None = None,
        summary: str | None = None,
        digest: str | None = None,
    ) -> int:
        """Keeps a piece of context of any type. Saved by an agent it is private to it, unless said otherwise. `digest`
        is the SHA-256 of the file that it is the content of."""
        bundle = self._handle.bundle()
        parts = _content_parts(content, media_type)
        body = build(
            e.ItemSaved,
            parts=bundle.parts("content", parts),
            name=name,
            path=path,
            artifact=artifact,
            load_layer=load_layer,
            project_layer=project_layer,
            clarity=clarity,
            summary=bundle.optional("summary", summary),
            digest=digest,
        )
        owned = self._handle.actor is not None
        item = counted_item(
            self._handle,
            label("type", type),
            parts,
            importance,
            windows,
            task=task,
            references=references,
            path=path,
            private=owned if private is None else private,
        )
        return self._handle.write(bundle, facts.save_item(body, item))

    def touch(self, *item_ids: int, reason: str = "loaded") -> int:
        """Counts an access to items that were found, expanded, loaded or cited."""
        wanted = items.checked_items(item_ids)
        self._handle.require_items("items", wanted)
        return self._handle.write(ContentBundle(), facts.touch_items(wanted, reason))

    def remove(self, *item_ids: int, window: str | None = None, why: str | None = None) -> int:
        """Takes items out of a window, or of all. They stay in the record: see `bring_back`."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(
            bundle, partial(items.remove_items, items=item_ids, window=window, why=ref)
        )

    def pin(self, item: int, *, why: str | None = None) -> int:
        """Puts a live item into every context from here on."""
        bundle = self._handle.bundle()
        return self._handle.command(
            bundle, partial(contexts.pin_item, item=item, why=bundle.optional("why", why))
        )

    def unpin(self, item: int) -> int:
        """Takes a pin off an item."""
        return self._handle.command(ContentBundle(), partial(contexts.unpin_item, item=item))

    def deprecate(self, item: int, *, by: int | None = None, why: str | None = None) -> int:
        """Marks an item as no longer true, maybe because of another one, and takes it out of the windows."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(bundle, partial(items.deprecate_item, item=item, by=by, why=ref))


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

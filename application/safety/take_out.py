"""The quarantine of an item together with all that was made from it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple
from uuid import UUID

from backstory.application.handle import SessionHandle
from backstory.application.runtime import PROJECT
from backstory.application.safety.reached import Holdings, follow
from backstory.domain.commands.safety import quarantine_items
from backstory.domain.errors import Refused


class TakenOut(NamedTuple):
    """What was put into quarantine in one session or project."""

    session: UUID
    """The session; of memories, the project's stream."""
    project: str | None
    """The project whose memories they are; None for items of a session."""
    items: tuple[int, ...]
    version: int | None
    """The version of the event; None for a dry run."""


def take_out(
    handle: SessionHandle, items: Sequence[int], *, why: str, answers: bool, dry_run: bool
) -> list[TakenOut]:
    """Puts items and what was made from them into quarantine, wherever they are live. Memories go first: they reach
    the most prompts."""
    runtime = handle.runtime
    handle.bundle().text("why", why)
    found = follow(runtime, handle.id, items, answers=answers)
    live = Holdings(runtime, found.everything).live
    if not live:
        raise Refused("neither these items nor what was made from them is live.")
    heads = {stream: runtime.require_head(stream) for stream in live}
    done = []
    for stream in sorted(live, key=lambda stream: heads[stream].kind != PROJECT):
        version = None if dry_run else _put_away(handle, stream, live[stream], why)
        name = heads[stream].labels["project"] if heads[stream].kind == PROJECT else None
        done.append(TakenOut(stream, name, tuple(live[stream]), version))
    return done


def _put_away(handle: SessionHandle, stream: UUID, items: Sequence[int], why: str) -> int:
    there = SessionHandle.of_stream(handle.runtime, stream)
    # A cause is a version of the session that was asked, and a key stands for one write.
    there.provenance = replace(handle.provenance, cause=None, key=None)
    bundle = there.bundle()
    return there.command(bundle, partial(quarantine_items, items=items, why=bundle.text("why", why)))

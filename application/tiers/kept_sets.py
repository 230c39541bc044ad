"""Working sets that agents have kept, for their next diff."""

import json

from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionHandle
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands.tiers import keep_working_set
from backstory.domain.records import working_set_name
from backstory.domain.state import ContextState


def keep_set(
    handle: SessionHandle, agent: str | None, tier: str, digest: str, digests: dict[int, str]
) -> int:
    """Records an agent's working set. The digests are a content: one that was guessed would tell of an erased item."""
    bundle = ContentBundle()
    said = json.dumps({"digest": digest, "items": digests}, separators=(",", ":")).encode()
    change = keep_working_set(
        agent=agent, tier=tier, items=digests, digests=bundle.seal("digests", said, "application/json")
    )
    # A key covers the access to what was loaded.
    return handle.with_(key=None).write(bundle, change)


def kept_set(handle: SessionHandle, state: ContextState, agent: str | None, tier: str) -> dict[int, str]:
    """The digests by item that an agent kept last: none if it kept no set, or if an item of that was erased."""
    version = state.working_sets.get(working_set_name(agent, tier))
    if version is None:
        return {}
    reader = ContentReader.on_branch(handle.runtime, handle.id, state.version)
    text = reader.texts([(version, 0)]).get((version, 0))
    return {} if text is None else {int(item): kept for item, kept in json.loads(text)["items"].items()}

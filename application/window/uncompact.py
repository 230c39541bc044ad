"""Recaps of compactions: what left the context and is not in the summary, in few words for the next prompt."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.items import ItemReader
from backstory.application.contents.reader import ContentReader
from backstory.application.handle import SessionPart
from backstory.application.queries.decision_records import session_decisions
from backstory.application.window.dropped import compaction_event, taken_items
from backstory.domain.context.history import is_of_user, is_visible
from backstory.domain.errors import ContentErased
from backstory.domain.events import Event, ItemsCompacted
from backstory.domain.log.lineage import Lineage
from backstory.domain.messages.shapes import text_of
from backstory.domain.recap.facts import Fact, FactKind, Status, Step, facts_of
from backstory.domain.recap.recap import LONGEST, SHORTEST, USUAL, make_recap
from backstory.domain.records import CONVERSATION_TYPES
from backstory.domain.state import ContextState
from backstory.domain.values import label, version_number, whole_number

MOST_COMPACTIONS = 10
"""Compactions whose items are read, the newest ones: what a user said outlasts several."""
DECISIONS = 50
"""Decisions that are looked at, the newest ones."""
KEPT = 100
"""Items beside the summary that are looked at, the newest ones."""


class LostFact(NamedTuple):
    """Something of before a compaction that its summary does not tell."""

    kind: FactKind
    text: str
    item: int
    """The item that it stands in."""
    at: datetime
    """The time at which it was said or done."""
    status: Status | None
    """Whether it is done, pending or superseded, where that is known."""
    note: str | None
    """How a command ended, how often a file was edited, and the like."""
    shown: bool
    """Whether the text has it."""


class Uncompacted(NamedTuple):
    """What a compaction took out of a window and its summary does not tell."""

    session: UUID
    compaction: int
    """The version of the compaction."""
    at: datetime
    """The time at which it occurred."""
    window: str
    trigger: str | None
    text: str
    """The facts for a prompt, as a record and not as instructions; empty where nothing that is needed is missing."""
    facts: tuple[LostFact, ...]
    """All that is missing, in the order of the text."""
    told: int
    """The number of facts that the summary tells."""


class LossReader(SessionPart):
    """Tells what compactions lost."""

    def uncompact(
        self, version: int | None = None, *, agent: str | None = None, limit: int = USUAL
    ) -> Uncompacted:
        """Tells what a compaction took out of a window and its summary does not tell: the user's own words, pending
        calls and questions, failures, decisions, refused ways, files, commands. `version` is that of the compaction, in
        an imported session also of another tool's; by default the newest that was not undone. The text has at most
        `limit` characters, and none where nothing that is needed is missing. `agent`, by default the caller, sees its
        own private items and nobody else's. Reading counts no access."""
        if version is not None:
            version_number("version", version)
        if agent is not None:
            self._runtime.agent(label("agent", agent))
        whole_number("limit", limit, minimum=SHORTEST, maximum=LONGEST)
        agent = self._handle.actor if agent is None else agent
        now = self._runtime.reader.state(self._id)
        branch = self._runtime.reader.lineage(self._id, now.version)
        compaction = compaction_event(self._runtime, now, branch, version)
        body = compaction.body
        assert isinstance(body, ItemsCompacted)
        made = make_recap(
            [*self._facts(now, branch, compaction, agent), *self._decisions(compaction, agent)],
            self._told(branch, compaction, agent),
            at=compaction.occurred_at,
            place=f"backstory expand {str(self._id)[-12:]} ITEM, or the tools expand and search_history",
            limit=limit,
        )
        return Uncompacted(
            session=self._id,
            compaction=compaction.version,
            at=compaction.occurred_at,
            window=body.window,
            trigger=body.trigger,
            text=made.text,
            facts=tuple(
                LostFact(fact.kind, fact.text, fact.item, fact.at, fact.status, fact.note, shown)
                for fact, shown in made.entries
            ),
            told=made.told,
        )

    def _facts(self, now: ContextState, branch: Lineage, compaction: Event, agent: str | None) -> list[Fact]:
        """The facts of the items that this compaction and those before it took out."""
        assert isinstance(compaction.body, ItemsCompacted)
        earlier = [one for one in now.compactions if one < compaction.version][1 - MOST_COMPACTIONS :]
        found = ContentReader(self._runtime, branch).events([*earlier, compaction.version])
        steps: dict[int, Step] = {}
        for event in found.values():
            if not isinstance(event.body, ItemsCompacted) or event.body.window != compaction.body.window:
                continue
            before = self._runtime.reader.past(self._id, event.version - 1)
            taken = [
                item
                for item in taken_items(before, event, agent)
                if item.type in CONVERSATION_TYPES and item.id not in now.quarantined
            ]
            messages = ItemReader(self._runtime, self._id, before, erasure=None).messages(taken)
            pending = set(before.open_calls.values()) & set(now.open_calls.values())
            for item in taken:
                parts = tuple(part for message in messages.get(item.id, ()) for part in message.parts)
                own = is_of_user(item)
                steps[item.id] = Step(
                    item.id, item.brought_at, item.role or "", own, parts, item.id in pending
                )
        return facts_of([steps[id] for id in sorted(steps)])

    def _decisions(self, compaction: Event, agent: str | None) -> Iterator[Fact]:
        """Decisions that were recorded before it, the newest first, and those that wait to be confirmed."""
        for one in session_decisions(self._runtime, self._id, before=compaction.version, limit=DECISIONS):
            if one.text is not None:
                note = None if one.rationale is None else f"because {one.rationale}"
                yield Fact("decision", one.text, one.item, one.at, note=note, worth=1)

    def _told(self, branch: Lineage, compaction: Event, agent: str | None) -> str:
        """The text that stands in place of the items, and what stands beside it."""
        assert isinstance(compaction.body, ItemsCompacted)
        reader = ContentReader(self._runtime, branch)
        after = self._runtime.reader.past(self._id, compaction.version)
        kept = [
            item
            for item in after.live(compaction.body.window)
            if is_visible(item, compaction.body.window, agent)
        ]
        said = reader.messages(kept[-KEPT:])
        if compaction.version not in said:
            with suppress(ContentErased):
                said[compaction.version] = reader.said_by(compaction.version)
        return "\n".join(
            text_of(part) for messages in said.values() for message in messages for part in message.parts
        )

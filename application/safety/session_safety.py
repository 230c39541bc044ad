"""What items of a session, or memories of a project, may do: trusted further, quarantined, released."""

import builtins
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple
from uuid import UUID

from backstory.application.contents.returning import returning_items
from backstory.application.handle import SessionPart
from backstory.application.queries.read_models import read_items, require_items
from backstory.application.runtime import Runtime
from backstory.application.safety.policy import chosen_policy
from backstory.application.safety.reached import Reached, reached
from backstory.application.safety.take_out import TakenOut, take_out
from backstory.application.safety.witness import require_witness
from backstory.domain.commands import safety
from backstory.domain.commands.items import checked_items
from backstory.domain.errors import InvalidInput, Refused
from backstory.domain.events import MemorySource
from backstory.domain.log.guards import Decided
from backstory.domain.log.ranges import as_ranges
from backstory.domain.log.references import ContentRef
from backstory.domain.memory.values import Source
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.records import Item
from backstory.domain.state import ContextState
from backstory.domain.values import label, listed
from backstory.infrastructure.postgres.queries import query
from backstory.infrastructure.postgres.standby import reads_only


class Flagged(NamedTuple):
    """An item whose text raised a suspicion when it was written."""

    item: int
    type: str
    origin: str
    trust: int
    flags: tuple[str, ...]
    quarantined: bool


class Safety(SessionPart):
    """What items may do: `session.safety`, and for memories `project.safety`."""

    # Trust

    def confirm(
        self, *items: int, person: str | None = None, witness: Source | None = None, why: str | None = None
    ) -> int:
        """Makes items trusted, by a person's act or by a second independent source. The person is `person`, by default
        the one who writes here (`by`), and must not be an agent. A `witness` is an item of another session and of
        another origin, other than a model's, that says the same in about the same words."""
        wanted = checked_items(items)
        rows = require_items(self._runtime, self._id, wanted)
        named: str | None = None
        seen: MemorySource | None = None
        if witness is None:
            named = self._person(person)
        else:
            if person is not None:
                raise InvalidInput("witness", "cannot be given with a person: one of them is enough")
            for row in rows:
                require_witness(self._runtime, self._id, row, witness)
            seen = MemorySource(session=witness.session, items=as_ranges(witness.items))
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(
            bundle, partial(safety.confirm_items, items=wanted, person=named, witness=seen, why=ref)
        )

    # Quarantine

    def quarantine(self, *items: int, why: str) -> int:
        """Keeps items out of every prompt from here on: contexts, summaries, compactions, the hot context. They stay in
        the record, and searches find them with `quarantined`. What was made of them is another matter: see
        `take_out`."""
        bundle = self._handle.bundle()
        ref = bundle.text("why", why)
        wanted = checked_items(items)
        require_items(self._runtime, self._id, wanted)
        return self._handle.command(bundle, partial(safety.quarantine_items, items=wanted, why=ref))

    def release(self, *items: int, why: str | None = None) -> int:
        """Takes items out of quarantine, back into the windows that they were in."""
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)

        def release(state: ContextState, items: Sequence[int], why: ContentRef | None) -> Decided:
            live = [item for item in items if item in state.quarantined]
            found = returning_items(self._handle, state, live, quarantined=True)
            return safety.release_items(
                state, items=items, rows=found.rows, brought_in=found.brought_in, why=why
            )

        return self._handle.command(bundle, partial(release, items=checked_items(items), why=ref))

    @reads_only
    def quarantined(self) -> list[int]:
        """The items in quarantine."""
        with self._runtime.reader.borrow(self._id) as state:
            return sorted(state.quarantined)

    # Where an item got into

    @reads_only
    def reached(self, *items: int, answers: bool = False) -> Reached:
        """Answers where items got into: the summaries, decisions and memories that were made from them, directly or
        not, in all sessions and projects, and the recorded prompts that showed one of these. With `answers`, also what
        models answered to these prompts, and where that got into. An agent (`by`) does not see other agents' private
        items."""
        return reached(self._runtime, self._id, items, answers=answers, asker=self._handle.actor)

    def take_out(
        self, *items: int, why: str, answers: bool = False, dry_run: bool = False
    ) -> builtins.list[TakenOut]:
        """Puts items into quarantine, in all sessions and projects that have them, together with what was made from
        them and is live: see `reached`. Each session or project is one write; after a crash, a repeated call does the
        rest. Prompts that were sent stay in the record. `release` undoes it. Returns what was put away; a dry run
        writes nothing."""
        return take_out(self._handle, items, why=why, answers=answers, dry_run=dry_run)

    # Suspicions

    @reads_only
    def flagged(self) -> builtins.list[Flagged]:
        """The items whose text raised a suspicion: `secret:…` with the kind of secret, or `instructions`. The newest
        first. An agent (`by`) does not see other agents' private items."""
        rows = self._runtime.database.read(
            lambda c: c.execute(query("flagged_items"), (self._id,)).fetchall()
        )
        actor = self._handle.actor
        found = read_items(self._runtime, self._id, [row[0] for row in rows])
        return [
            _flagged(item)
            for item in reversed(found)
            if actor is None or not item.private or item.agent == actor
        ]

    @reads_only
    def counts(self) -> dict[str, int]:
        """By flag, how many items have it: `secret:…` was stored, `masked:…` was replaced before that."""
        return flag_counts(self._runtime, [self._id])

    def clear(self, *items: int, flags: Sequence[str] = (), why: str | None = None) -> int:
        """Says that items are not what they were suspected of: these flags, or all that they have."""
        wanted = checked_items(items)
        rows = require_items(self._runtime, self._id, wanted)
        held = sorted({flag for row in rows for flag in row.flags})
        named = [label("flags", flag) for flag in listed("flags", flags)] or held
        unknown = sorted(set(named) - set(held))
        if unknown:
            raise InvalidInput("flags", f"must be among those that the items have, got {', '.join(unknown)}")
        if not named:
            raise Refused("these items have no flags.")
        bundle = self._handle.bundle()
        ref = bundle.optional("why", why)
        return self._handle.command(
            bundle, partial(safety.clear_flags, items=wanted, flags=tuple(named), why=ref)
        )

    @property
    @reads_only
    def policy(self) -> SafetyPolicy:
        """What is done with suspicious texts here: the project's choice, else that of the process."""
        return chosen_policy(self._runtime, self._id)

    def _person(self, named: str | None) -> str:
        """Who confirms, by name."""
        limited = self._runtime.caller.agent
        if limited is not None:
            raise Refused(f"this key acts for the agent {limited!r}: only a person confirms.")
        person = self._handle.actor if named is None else label("person", named)
        if person is None:
            raise InvalidInput("person", "must name who confirms")
        return person


def flag_counts(runtime: Runtime, streams: Sequence[UUID]) -> dict[str, int]:
    """By flag, how many items of these streams have it."""
    rows = runtime.database.read(lambda c: c.execute(query("flag_counts"), (list(streams),)).fetchall())
    return dict(rows)


def _flagged(item: Item) -> Flagged:
    return Flagged(item.id, item.type, item.origin, item.trust, item.flags, item.quarantined)

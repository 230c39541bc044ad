"""The JSON that commands print. Keys are only ever added."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from uuid import UUID

from backstory.application.branches.diff import Diff
from backstory.application.feed.feed import FeedEvent, FeedStatus
from backstory.application.integrity.erasure import Erased
from backstory.application.integrity.evidence import Problem
from backstory.application.integrity.verification import CANNOT_SEE, Verification
from backstory.application.operations.administration import DatabaseStatus
from backstory.application.operations.database_status import Replication
from backstory.application.queries.history import Entry, NamedContent, ReadableState, Step, payload_of
from backstory.application.queries.lookup import Fork
from backstory.application.queries.read_models import Checkpoint, SessionSummary
from backstory.application.queries.resume import Restored
from backstory.application.session import Session
from backstory.application.transcripts.session_import import Imported
from backstory.application.transfer.export import Exported
from backstory.application.transfer.purge import Purged
from backstory.application.transfer.retention import RetentionRule, RetentionStep
from backstory.domain.events import SessionBacktracked, SessionForked
from backstory.domain.records import Goal, Item
from backstory.domain.state import ContextState
from backstory.domain.values import from_microseconds
from backstory.interfaces.cli.output.event_lines import said_by

Document = dict[str, Any]


def summary(session: SessionSummary) -> Document:
    return {
        "session": str(session.id),
        "title": session.title,
        "titled": session.titled,
        "status": session.status,
        "project": session.project,
        "tags": list(session.tags),
        "version": session.version,
        "epoch": session.epoch,
        "messages": session.messages,
        "decisions": session.decisions,
        "tokens": session.tokens,
        "token_limit": session.token_limit,
        "started_at": session.started_at.isoformat(),
        "last_activity": session.last_activity.isoformat(),
        "agents": list(session.agents),
        "primary_files": list(session.primary_files),
    }


def imported(file: Path, done: Imported) -> Document:
    return {"file": str(file), **done._asdict(), "session": str(done.session)}


def exported(done: Exported) -> Document:
    return {
        **done._asdict(),
        "file": str(done.file),
        "sessions": list(map(str, done.sessions)),
        "streams": [
            {"session": str(stream), "version": version, "chain": chain}
            for stream, version, chain in done.streams
        ],
    }


def purged(done: Purged) -> Document:
    return {
        **done._asdict(),
        "session": str(done.session),
        "purged_at": done.purged_at.isoformat(),
        "file": None if done.file is None else str(done.file),
    }


def retention_rule(rule: RetentionRule) -> Document:
    return {
        **rule._asdict(),
        "directory": None if rule.directory is None else str(rule.directory),
        "set_at": rule.set_at.isoformat(),
    }


def retention_step(step: RetentionStep) -> Document:
    return {
        **step._asdict(),
        "session": str(step.session),
        "last_activity": step.last_activity.isoformat(),
        "file": None if step.file is None else str(step.file),
    }


def restored(found: Restored[Session], version: int) -> Document:
    left = found.forked_from
    return {
        "session": str(found.session.id),
        "version": version,
        "title": found.title,
        "goals": [goal._asdict() for goal in found.goals],
        "last_activity": found.last_activity.isoformat(),
        "last_activity_text": found.last_activity_text,
        "next_steps": list(found.next_steps),
        "messages": found.messages,
        "summary": found.summary,
        "resumed": found.resumed is not None,
        "forked_from": None if left is None else str(left.id),
    }


def family(seams: Iterable[Entry], forks: Iterable[Fork], marks: Iterable[Checkpoint]) -> Document:
    """Where a session comes from, what came of it, and where it turned."""
    parent = None
    backtracks = []
    for found in seams:
        body = found.event.body
        if isinstance(body, SessionForked):
            parent = {"session": str(body.parent), "at": body.at}
        elif isinstance(body, SessionBacktracked):
            why = next((one.text for one in found.contents if one.field == "why"), None)
            backtracks.append(
                {"version": found.version, "to": body.to, "abandoned": body.abandoned, "why": why}
            )
    return {
        "parent": parent,
        "forks": [{"session": str(fork.session), "at": fork.at} for fork in forks],
        "backtracks": backtracks,
        "checkpoints": [
            {"version": mark.version, "name": mark.name, "chain": mark.chain.hex()} for mark in marks
        ],
    }


def calls(state: ContextState) -> Document:
    """What a session has for the model beside its items, and what its calls took."""
    counters = state.counters
    return {
        "summary_item": state.summary.item if state.summary else None,
        "pins": list(state.pins),
        "noticed": [note.id for note in state.decisions if not note.confirmed],
        "model_calls": counters.get("model_calls", 0),
        "input_tokens": counters.get("input_tokens", 0),
        "output_tokens": counters.get("output_tokens", 0),
        "cost_usd": counters.get("cost_microdollars", 0) / 1_000_000,
    }


def entry(found: Entry) -> Document:
    event = found.event
    return {
        "session": str(event.stream),
        "version": event.version,
        "type": event.type,
        "schema_version": event.schema_version,
        "recorded_at": event.recorded_at.isoformat(),
        "occurred_at": event.occurred_at.isoformat(),
        "actor": event.actor,
        "cause": event.cause,
        "epoch": event.epoch,
        "follows": found.follows,
        "live": found.live,
        "inherited": found.inherited,
        "payload": payload_of(event),
        "contents": [content(one) for one in found.contents],
    }


def feed_event(found: FeedEvent) -> Document:
    event = found.event
    return {
        "position": found.position,
        "session": str(found.session),
        "version": found.version,
        "project": found.project,
        "type": found.type,
        "schema_version": event.schema_version,
        "recorded_at": event.recorded_at.isoformat(),
        "occurred_at": event.occurred_at.isoformat(),
        "actor": event.actor,
        "cause": event.cause,
        "epoch": event.epoch,
        "payload": payload_of(event),
    }


def feed_status(found: FeedStatus) -> Document:
    return found._asdict() | {"consumers": [one._asdict() for one in found.consumers]}


def content(found: NamedContent) -> Document:
    return {
        "field": found.field,
        "kind": found.kind,
        "media_type": found.media_type,
        "size": found.size,
        "erased": found.erased,
        "name": found.name,
        "call_id": found.call_id,
        "text": found.text,
    }


def item(found: Item, readable: ReadableState) -> Document:
    return {
        "item": found.id,
        "type": found.type,
        "role": found.role,
        "agent": found.agent,
        "private": found.private,
        "tokens": found.tokens,
        "importance": found.importance,
        "tier": found.tier,
        "windows": list(found.windows),
        "task": found.task,
        "references": list(found.references),
        "brought_at": found.brought_at.isoformat(),
        "accesses": found.accesses,
        "text": said_by(readable.said_by(found)),
    }


def state(readable: ReadableState) -> Document:
    now = readable.state
    return {
        "session": str(now.stream),
        "version": now.version,
        "epoch": now.epoch,
        "recorded_at": now.recorded_at.isoformat(),
        "status": now.status,
        "title": readable.title,
        "tags": list(now.tags),
        "project": now.project._asdict() if now.project else None,
        "phase": now.phase,
        "project_layer": now.project_layer,
        "clarity": now.clarity,
        "agents": {name: agent._asdict() for name, agent in now.agents.items()},
        "windows": {name: window._asdict() for name, window in now.windows.items()},
        "goals": [goal(key, found, readable) for key, found in now.goals.items()],
        "questions": [
            {
                "item": key,
                "text": readable.text(asked.text),
                "priority": asked.priority,
                "asked_by": asked.asked_by,
            }
            for key, asked in now.questions.items()
        ],
        "actions": [
            {
                "item": key,
                "text": readable.text(todo.text),
                "priority": todo.priority,
                "assignee": todo.assignee,
            }
            for key, todo in now.actions.items()
        ],
        "constraints": [{"item": key, "text": readable.text(text)} for key, text in now.constraints.items()],
        "tasks": [{"task": name, "text": readable.text(task.text)} for name, task in now.tasks.items()],
        "current_task": now.current_task,
        "decisions": [decision(found.id, found._asdict(), readable) for found in now.decisions],
        "decision_count": now.decision_count,
        "system_prompt": now.system_prompt,
        "summary": now.summary._asdict() if now.summary else None,
        "pins": list(now.pins),
        "last_assembly": now.last_assembly._asdict() if now.last_assembly else None,
        "items": [item(found, readable) for found in now.items.values()],
        "counters": now.counters,
        "digest": now.digest(),
    }


def goal(key: int, found: Goal, readable: ReadableState) -> Document:
    return {
        "item": key,
        "text": readable.text(found.text),
        "priority": found.priority,
        "status": found.status,
        "parent": found.parent,
    }


def decision(key: int, fields: Document, readable: ReadableState) -> Document:
    said = {one.field: one.text for one in readable.said_at(key)}
    return {
        "item": key,
        "text": said.get("text"),
        "rationale": said.get("rationale"),
        "priority": fields["priority"],
        "decided_by": fields["decided_by"],
        "recorded_by": fields["recorded_by"],
        "noticed_in": fields["noticed_in"],
        "confirmed": fields["confirmed"],
        "at": from_microseconds(fields["at"]).isoformat(),
    }


def changes(diff: Diff, before: ReadableState, after: ReadableState) -> Document:
    return {
        "items_in": [item(found, after) for found in diff.items_in],
        "items_out": [item(found, before) for found in diff.items_out],
        "items_changed": [item(found, after) for found in diff.items_changed],
        "decisions_added": [decision(found.id, found._asdict(), after) for found in diff.decisions_added],
        "decisions_gone": [decision(found.id, found._asdict(), before) for found in diff.decisions_gone],
        "goals_added": [goal(key, found, after) for key, found in diff.goals_added.items()],
        "goals_gone": [goal(key, found, before) for key, found in diff.goals_gone.items()],
        "goals_changed": [goal(key, found, after) for key, found in diff.goals_changed.items()],
        "questions_opened": list(diff.questions_opened),
        "questions_closed": list(diff.questions_closed),
        "tokens": {name: list(counts) for name, counts in diff.tokens.items()},
        "pins_added": [pin for pin in after.state.pins if pin not in before.state.pins],
        "pins_gone": [pin for pin in before.state.pins if pin not in after.state.pins],
        "counters": _counted(before.state.counters, after.state.counters),
    }


def _counted(old: dict[str, int], new: dict[str, int]) -> dict[str, list[int]]:
    """The counters that changed."""
    pairs = {name: [old.get(name, 0), new.get(name, 0)] for name in {**old, **new}}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


def step(found: Step) -> Document:
    now = found.after.state
    return {
        **entry(found.entry),
        "changes": changes(found.diff, found.before, found.after),
        "facts": {name: list(values) for name, values in found.facts.items()},
        "live_items": len(now.items),
        "tokens": now.tokens,
    }


def verification(found: Verification) -> Document:
    problem = found.problem
    return {
        "session": str(found.session),
        "ok": found.ok,
        "version": found.version,
        "events": found.events,
        "contents": found.contents,
        "erased": found.erased,
        "chain": found.chain,
        "problem": {"where": problem.where, "what": problem.what} if problem else None,
        "cannot_see": found.cannot_see,
    }


def orphan(problem: Problem) -> Document:
    """Something that belongs to no session, with the keys of a session's check."""
    nothing = {
        "session": None,
        "ok": False,
        "version": None,
        "events": 0,
        "contents": 0,
        "erased": 0,
        "chain": None,
    }
    return {**nothing, "problem": {"where": problem.where, "what": problem.what}, "cannot_see": CANNOT_SEE}


def erasure(found: Erased, item: int, dry_run: bool, forks: Iterable[UUID]) -> Document:
    return {
        "item": item,
        "dry_run": dry_run,
        "erased": [
            {"session": str(gone.stream), "version": gone.version, "part": gone.part}
            for gone in found.contents
        ],
        "derived": [
            {"session": str(gone.stream), "version": gone.version, "part": gone.part}
            for gone in found.derived
        ],
        "events": {str(stream): version for stream, version in found.events.items()},
        "forks": [str(fork) for fork in forks],
    }


def status(found: DatabaseStatus) -> Document:
    protection = found.protection
    return {
        "embedded": found.embedded,
        "running": found.running,
        "data_directory": str(found.data_directory) if found.data_directory else None,
        "address": found.address,
        "server_version": found.server_version,
        "user": found.user,
        "role": protection.role if protection else None,
        "append_only": {"grants": protection.by_grants, "triggers": protection.by_triggers}
        if protection
        else None,
        "migration": found.migration,
        "newest_migration": found.newest_migration,
        "edition": found.edition,
        "newest_edition": found.newest_edition,
        "schema_current": found.schema_current,
        "schema_serves": found.schema_serves,
        "sessions": found.sessions,
        "events": found.events,
        "bytes": found.bytes,
        "tables": {table.name: table.bytes for table in found.tables},
        "migrations": [
            {"number": one.number, "name": one.name, "applied_at": one.applied_at.isoformat()}
            for one in found.migrations
        ],
        "feed": None
        if found.feed is None
        else {
            "newest": found.feed.newest,
            "consumers": [consumer._asdict() for consumer in found.feed.consumers],
        },
        "longest_transaction": None
        if found.longest_transaction is None
        else found.longest_transaction._asdict(),
        "replication": None if found.replication is None else _replication(found.replication),
    }


def _replication(found: Replication) -> Document:
    return {
        "standby": found.standby,
        "replayed_at": found.replayed_at.isoformat() if found.replayed_at else None,
        "standbys": [standby._asdict() for standby in found.standbys],
    }

"""A session's state at a version, and the changes between two."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import Field

from backstory.domain.policies.tiers import chosen_tier_policy
from backstory.domain.trust import Trust
from backstory.interfaces.documents.base import Document
from backstory.interfaces.documents.events import EventDocument, event_fields, text_of

if TYPE_CHECKING:
    from backstory.application.branches.diff import Diff
    from backstory.application.queries.history import ReplayStep
    from backstory.application.queries.readable_state import ReadableState
    from backstory.domain.records import Candidate, Decision, Goal, Item
    from backstory.domain.state import ContextState


class SessionProjectDocument(Document):
    """The project that a session belongs to."""

    name: str = Field(description="Its name.")
    id: str | None = Field(description="Its id elsewhere, or null.")
    current_idea: str | None = Field(description="Its current idea, or null.")
    status: str | None = Field(description="Its status, or null.")


class AgentDocument(Document):
    """An agent that takes part in a session."""

    id: str | None = Field(description="Its id, or null.")
    version: str | None = Field(description="Its version, or null.")
    mode: str | None = Field(description="Its mode, or null.")
    capabilities: list[str] = Field(description="Its capabilities.")


class WindowDocument(Document):
    """A window: its settings and its contents in numbers."""

    limit: int | None = Field(description="Its limit in tokens, or null.")
    encoding: str | None = Field(description="Its token encoding, or null for the default.")
    model: str | None = Field(description="Its model, or null.")
    items: int = Field(description="The number of items in it.")
    tokens: int = Field(description="The tokens of these items.")


class GoalDocument(Document):
    """A goal."""

    item: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")
    priority: str = Field(description="Its priority.")
    status: str = Field(description="Its status.")
    parent: int | None = Field(description="The goal that it is part of, or null.")


class QuestionDocument(Document):
    """An open question."""

    item: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")
    priority: str = Field(description="Its priority.")
    asked_by: str | None = Field(description="Who asked it, or null.")


class ActionDocument(Document):
    """An open action."""

    item: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")
    priority: str = Field(description="Its priority.")
    assignee: str | None = Field(description="Who is to do it, or null.")


class ConstraintDocument(Document):
    """A constraint in force."""

    item: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")


class TaskDocument(Document):
    """An open task."""

    task: str = Field(description="Its name.")
    text: str | None = Field(description="Its text; null if it was erased.")


class DecisionDocument(Document):
    """A decision."""

    item: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")
    rationale: str | None = Field(description="The reason given for it, or null.")
    priority: str = Field(description="Its priority.")
    decided_by: str | None = Field(description="Who decided, or null.")
    recorded_by: str | None = Field(description="Who recorded it, or null.")
    at: datetime = Field(description="The time of the decision.")


class RecordedDecisionDocument(DecisionDocument):
    """A decision with all its texts."""

    session: UUID = Field(description="The session that recorded it.")
    alternatives_rejected: list[str | None] = Field(description="What was decided against.")
    impact: list[str | None] = Field(description="What it affects.")
    noticed: int | None = Field(description="The candidate that it was, or null.")


class DecisionsDocument(Document):
    """A page of a session's decisions."""

    decisions: list[RecordedDecisionDocument] = Field(description="The decisions, the newest first.")
    next: int | None = Field(description="The version to continue before; null on the last page.")


class ProjectDecisionsDocument(Document):
    """A page of a project's decisions."""

    decisions: list[RecordedDecisionDocument] = Field(description="The decisions, the newest first.")
    next: str | None = Field(description="What to continue after; null on the last page.")


class CandidateDocument(Document):
    """A decision that was noticed in a message and waits to be confirmed or dismissed."""

    candidate: int = Field(description="Its id.")
    text: str | None = Field(description="Its text; null if it was erased.")
    rationale: str | None = Field(description="The reason given for it, or null.")
    decided_by: str | None = Field(description="Who said it, or null.")
    noticed_in: int = Field(description="The message that says it.")
    at: datetime = Field(description="The time of the message.")


class NoticedDecisionDocument(Document):
    """A decision that a message seems to say."""

    id: int = Field(description="Its id, for confirm and dismiss.")
    text: str | None = Field(description="Its text; null if it was erased.")
    rationale: str | None = Field(description="The reason given for it, or null.")
    decided_by: str | None = Field(description="Who said it, or null.")
    noticed_in: int = Field(description="The message that says it.")


class CandidatesDocument(Document):
    """Noticed decisions that wait to be confirmed or dismissed."""

    candidates: list[NoticedDecisionDocument] = Field(description="The candidates, oldest first.")


class SummaryReference(Document):
    """The newest session summary."""

    item: int = Field(description="The summary's id.")
    upto: int = Field(description="The last version that it covers.")
    messages: int = Field(description="The number of messages that it covers.")


class ContextReference(Document):
    """The newest recorded context."""

    version: int = Field(description="The version that records it.")
    at: int = Field(description="The version whose state it shows.")
    window: str = Field(description="The window it is a view of.")
    tokens: int = Field(description="The tokens of its prompt.")
    budget: int = Field(description="The tokens that prompt and response could have.")


class ItemDocument(Document):
    """A live item."""

    item: int = Field(description="Its id: the version of the event that added it.")
    type: str = Field(description="message, tool_exchange, decision, goal, …")
    role: str | None = Field(description="The speaker's role, or null.")
    agent: str | None = Field(description="The agent that it belongs to, or null.")
    private: bool = Field(description="Whether only that agent sees it.")
    tokens: int = Field(description="Its tokens, as the main window counts them.")
    importance: float = Field(description="Its importance when it was added, from 0 to 1.")
    tier: str = Field(description="HOT, WARM or COLD.")
    windows: list[str] = Field(description="The windows that it is in.")
    task: str | None = Field(description="The task that it belongs to, or null.")
    references: list[int] = Field(description="The items that it refers to.")
    origin: str = Field(
        description="The place it comes from: user, model, internal_tool, external_tool, document or import."
    )
    trust: str = Field(description="How far it is trusted: untrusted, derived or trusted.")
    brought_at: datetime = Field(description="The time at which it was added.")
    accesses: int = Field(description="The number of times it was accessed.")
    touched_at: datetime = Field(description="The time of the last access.")
    changed: int = Field(description="The version of the last change to it.")
    versions: list[int] = Field(description="The events that hold its contents.")
    encoding: str | None = Field(
        description="The encoding that its tokens are counted in; null for the default."
    )
    recounts: dict[str, int] | None = Field(description="Its tokens in other encodings, or null.")
    quarantined: bool = Field(description="Whether it is in quarantine.")
    flags: list[str] = Field(description="The suspicions that it raised and that were not cleared.")
    score: float = Field(
        description="Its score at the time of the last activity, from 0 to 1: importance, accesses and age."
    )
    stub: bool = Field(description="Whether its tool results are shown as stubs.")
    shown_tokens: int = Field(description="Its tokens as it is shown: those of the stub, if it is one.")
    text: str | None = Field(
        description="Its text on few lines, tool calls as code; null where it was not asked for."
    )


class StateDocument(Document):
    """A session's state at one version."""

    session: UUID = Field(description="The session that recorded this version.")
    version: int = Field(description="The version.")
    epoch: int = Field(description="The number of backtracks so far.")
    recorded_at: datetime = Field(description="The time at which the version was recorded.")
    started_at: datetime = Field(description="The time at which the session began.")
    last_activity: datetime = Field(description="The time at which somebody last did something, up to here.")
    status: str = Field(description="open or ended.")
    title: str | None = Field(description="The title, or null.")
    tags: list[str] = Field(description="The tags.")
    project: SessionProjectDocument | None = Field(description="The project, or null.")
    phase: str | None = Field(description="The phase, or null.")
    project_layer: int | None = Field(description="The project layer, 0 to 5, or null.")
    clarity: int | None = Field(description="The clarity in percent, or null.")
    agents: dict[str, AgentDocument] = Field(description="The agents, by name.")
    windows: dict[str, WindowDocument] = Field(description="The windows, by name.")
    goals: list[GoalDocument] = Field(description="The open goals.")
    questions: list[QuestionDocument] = Field(description="The open questions.")
    actions: list[ActionDocument] = Field(description="The open actions.")
    constraints: list[ConstraintDocument] = Field(description="The constraints in force.")
    tasks: list[TaskDocument] = Field(description="The open tasks.")
    current_task: str | None = Field(description="The current task's name, or null.")
    decisions: list[DecisionDocument] = Field(description="The newest 50 decisions.")
    decision_count: int = Field(description="The number of all decisions.")
    candidates: list[CandidateDocument] = Field(
        description="Noticed decisions, neither confirmed nor dismissed."
    )
    system_prompt: int | None = Field(description="The item that every context begins with, or null.")
    summary: SummaryReference | None = Field(description="The newest session summary, or null.")
    pins: list[int] = Field(description="The items that are in every context.")
    last_assembly: ContextReference | None = Field(description="The newest recorded context, or null.")
    items: list[ItemDocument] = Field(description="The live items.")
    counters: dict[str, int] = Field(description="Counts by name: messages, commands_executed, …")
    digest: str = Field(description="SHA-256 of the state: equal states have equal digests.")

    @classmethod
    def of(cls, readable: "ReadableState", *, items: bool = True, item_texts: bool = True) -> "StateDocument":
        """The document of a state, with the texts that it names; on request without its items or their texts."""
        now = readable.state
        return cls(
            session=now.stream,
            version=now.version,
            epoch=now.epoch,
            recorded_at=now.recorded_at,
            started_at=now.started_at,
            last_activity=now.last_activity,
            status=now.status,
            title=readable.title,
            tags=list(now.tags),
            project=SessionProjectDocument.model_validate(now.project) if now.project else None,
            phase=now.phase,
            project_layer=now.project_layer,
            clarity=now.clarity,
            agents={name: AgentDocument.model_validate(agent) for name, agent in now.agents.items()},
            windows={name: WindowDocument.model_validate(window) for name, window in now.windows.items()},
            goals=_goals(now.goals, readable),
            questions=[
                QuestionDocument(
                    item=key,
                    text=readable.text(question.text),
                    priority=question.priority,
                    asked_by=question.asked_by,
                )
                for key, question in now.questions.items()
            ],
            actions=[
                ActionDocument(
                    item=key,
                    text=readable.text(action.text),
                    priority=action.priority,
                    assignee=action.assignee,
                )
                for key, action in now.actions.items()
            ],
            constraints=[
                ConstraintDocument(item=key, text=readable.text(text))
                for key, text in now.constraints.items()
            ],
            tasks=[
                TaskDocument(task=name, text=readable.text(task.text)) for name, task in now.tasks.items()
            ],
            current_task=now.current_task,
            decisions=_decisions(now.decisions, readable),
            decision_count=now.decision_count,
            candidates=_candidates(now.candidates, readable),
            system_prompt=now.system_prompt,
            summary=SummaryReference.model_validate(now.summary) if now.summary else None,
            pins=list(now.pins),
            last_assembly=ContextReference.model_validate(now.last_assembly) if now.last_assembly else None,
            items=_items(now.items.values() if items else (), now, readable if item_texts else None),
            counters=now.counters,
            digest=now.digest(),
        )


class StateDataDocument(Document):
    """A session's state as the bytes of a snapshot, which `ContextState.decode` reads."""

    session: UUID = Field(description="The session that recorded this version.")
    version: int = Field(description="The version.")
    fold_version: int = Field(
        description="The version of the fold that made it. Another fold cannot read it."
    )
    data: str = Field(description="The bytes as base64.")


class ItemsDocument(Document):
    """A page of items."""

    items: list[ItemDocument] = Field(description="The items.")
    next: int | None = Field(description="The item to continue after; null on the last page.")

    @classmethod
    def of(
        cls,
        items: Iterable["Item"],
        next: int | None,
        state: "ContextState",
        readable: "ReadableState | None" = None,
    ) -> "ItemsDocument":
        """The document of items of a state, with their texts where they are given."""
        return cls(items=_items(items, state, readable), next=next)


ItemFigures = tuple[int, str, str | None, str, str, float, int, int, int, bool]


class ItemFiguresDocument(Document):
    """The items of a window in numbers."""

    session: UUID = Field(description="The session's id.")
    version: int = Field(description="The version.")
    window: str = Field(description="The window.")
    rows: list[ItemFigures] = Field(
        description="A row for each item: its id, type, agent or null, origin, tier, score, tokens as shown, accesses, "
        "the time at which it was added in milliseconds since 1970, and whether it is shown as a stub."
    )

    @classmethod
    def of(cls, state: "ContextState", window: str, items: Iterable["Item"]) -> "ItemFiguresDocument":
        """The document of items of a state."""
        policy, at = chosen_tier_policy(state.policies), state.active
        rows: list[ItemFigures] = [
            (
                item.id,
                item.type,
                item.agent,
                item.origin,
                item.tier,
                round(policy.score(item.importance, item.accesses, item.touched, at), 4),
                item.tokens_in(item.encoding) if item.is_stub else item.tokens,
                item.accesses,
                item.brought // 1000,
                item.is_stub,
            )
            for item in items
        ]
        # Thousands of numbers that were computed here: to check each of them would take longer than to make them.
        return cls.model_construct(session=state.stream, version=state.version, window=window, rows=rows)


class ChangesDocument(Document):
    """The changes from one state to another."""

    items_in: list[ItemDocument] = Field(description="Items that were added.")
    items_out: list[ItemDocument] = Field(description="Items that left.")
    items_changed: list[ItemDocument] = Field(
        description="Items that changed, as they are at the second version."
    )
    decisions_added: list[DecisionDocument] = Field(description="Decisions that were added.")
    decisions_gone: list[DecisionDocument] = Field(
        description="Decisions that the second version does not have."
    )
    goals_added: list[GoalDocument] = Field(description="Goals that were set.")
    goals_gone: list[GoalDocument] = Field(
        description="Goals that were completed, or that the second version does not have."
    )
    goals_changed: list[GoalDocument] = Field(description="Goals with another text, priority or status.")
    questions_opened: list[int] = Field(description="Questions that were asked.")
    questions_closed: list[int] = Field(
        description="Questions that were answered, or that the second version does not have."
    )
    tokens: dict[str, tuple[int, int]] = Field(
        description="By window: the tokens at the first and at the second version."
    )
    pins_added: list[int] = Field(description="Items that were pinned.")
    pins_gone: list[int] = Field(description="Items that were unpinned.")
    counters: dict[str, tuple[int, int]] = Field(
        description="Counters that changed: the values at the first and at the second version."
    )

    @classmethod
    def of(cls, diff: "Diff", before: "ReadableState", after: "ReadableState") -> "ChangesDocument":
        """The document of a difference between two states."""
        return cls(**_changes(diff, before, after))


class DiffDocument(ChangesDocument):
    """The changes between two versions of a session."""

    session: UUID = Field(description="The session's id.")
    from_version: int = Field(alias="from", description="The first version.")
    to_version: int = Field(alias="to", description="The second version.")

    @classmethod
    def between(
        cls, session: UUID, diff: "Diff", before: "ReadableState", after: "ReadableState"
    ) -> "DiffDocument":
        """The document of a session's two versions."""
        return cls(
            **_changes(diff, before, after),
            session=session,
            from_version=diff.from_version,
            to_version=diff.to_version,
        )


class StepDocument(EventDocument):
    """One step of a replay: an event and its changes to the state."""

    changes: ChangesDocument = Field(
        description="Its changes to items, decisions, goals, questions and tokens."
    )
    facts: dict[str, tuple[Any, Any]] = Field(
        description="Other changes by name, the old and the new value: status, phase, agents, open_calls, …"
    )
    live_items: int = Field(description="The number of live items after it.")
    tokens: int = Field(description="The tokens in the main window after it.")

    @classmethod
    def of_step(cls, step: "ReplayStep") -> "StepDocument":
        """The document of a step."""
        now = step.after.state
        return cls(
            **event_fields(step.entry),
            changes=ChangesDocument.of(step.diff, step.before, step.after),
            facts=step.facts,
            live_items=len(now.items),
            tokens=now.tokens,
        )


def _changes(diff: "Diff", before: "ReadableState", after: "ReadableState") -> dict[str, Any]:
    old, new = before.state, after.state
    counters = {
        name: (old.counters.get(name, 0), new.counters.get(name, 0))
        for name in {**old.counters, **new.counters}
    }
    return {
        "items_in": _items(diff.items_in, new, after),
        "items_out": _items(diff.items_out, old, before),
        "items_changed": _items(diff.items_changed, new, after),
        "decisions_added": _decisions(diff.decisions_added, after),
        "decisions_gone": _decisions(diff.decisions_gone, before),
        "goals_added": _goals(diff.goals_added, after),
        "goals_gone": _goals(diff.goals_gone, before),
        "goals_changed": _goals(diff.goals_changed, after),
        "questions_opened": list(diff.questions_opened),
        "questions_closed": list(diff.questions_closed),
        "tokens": diff.tokens,
        "pins_added": [pin for pin in new.pins if pin not in old.pins],
        "pins_gone": [pin for pin in old.pins if pin not in new.pins],
        "counters": {name: values for name, values in counters.items() if values[0] != values[1]},
    }


def _items(
    items: Iterable["Item"], state: "ContextState", readable: "ReadableState | None"
) -> list[ItemDocument]:
    policy, at = chosen_tier_policy(state.policies), state.active
    return [
        ItemDocument(
            item=item.id,
            type=item.type,
            role=item.role,
            agent=item.agent,
            private=item.private,
            tokens=item.tokens,
            importance=item.importance,
            tier=item.tier,
            windows=list(item.windows),
            task=item.task,
            references=list(item.references),
            origin=item.origin,
            trust=Trust(item.trust).word,
            brought_at=item.brought_at,
            accesses=item.accesses,
            touched_at=item.touched_at,
            changed=item.changed,
            versions=list(item.versions),
            encoding=item.encoding,
            recounts=item.recounts,
            quarantined=item.quarantined,
            flags=list(item.flags),
            score=policy.score(item.importance, item.accesses, item.touched, at),
            stub=item.is_stub,
            shown_tokens=item.tokens_in(item.encoding) if item.is_stub else item.tokens,
            text=None if readable is None else text_of(readable.said_by(item)),
        )
        for item in items
    ]


def _goals(goals: Mapping[int, "Goal"], readable: "ReadableState") -> list[GoalDocument]:
    return [
        GoalDocument(
            item=key,
            text=readable.text(goal.text),
            priority=goal.priority,
            status=goal.status,
            parent=goal.parent,
        )
        for key, goal in goals.items()
    ]


def _decisions(decisions: Iterable["Decision"], readable: "ReadableState") -> list[DecisionDocument]:
    from backstory.domain.values import from_microseconds

    documents = []
    for decision in decisions:
        texts = {content.field: content.text for content in readable.said_at(decision.id)}
        documents.append(
            DecisionDocument(
                item=decision.id,
                text=texts.get("text"),
                rationale=texts.get("rationale"),
                priority=decision.priority,
                decided_by=decision.decided_by,
                recorded_by=decision.recorded_by,
                at=from_microseconds(decision.at),
            )
        )
    return documents


def _candidates(candidates: Iterable["Candidate"], readable: "ReadableState") -> list[CandidateDocument]:
    from backstory.domain.values import from_microseconds

    documents = []
    for candidate in candidates:
        texts = {content.field: content.text for content in readable.said_at(candidate.id)}
        documents.append(
            CandidateDocument(
                candidate=candidate.id,
                text=texts.get("text"),
                rationale=texts.get("rationale"),
                decided_by=candidate.decided_by,
                noticed_in=candidate.noticed_in,
                at=from_microseconds(candidate.at),
            )
        )
    return documents


class ValidationDocument(Document):
    """A context document that keeps its rules."""

    session: UUID = Field(description="The session's id.")
    timestamp: datetime = Field(description="The time of the newest event in it.")
    loaded_items: int = Field(description="The number of items in the main window.")
    used_tokens: int = Field(description="The tokens of these items.")
    layer: int = Field(description="The project's layer, 0 to 5.")
    layer_name: str = Field(description="The layer's name.")
    decisions: int = Field(description="The number of decisions in the document.")

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> "ValidationDocument":
        """The document of a valid context document."""
        return cls(
            session=document["metadata"]["session_id"],
            timestamp=document["metadata"]["timestamp"],
            loaded_items=sum(row["loaded"] for row in document["loaded_artifacts"]),
            used_tokens=document["context_window"]["used_tokens"],
            layer=document["project"]["current_layer"],
            layer_name=document["project"]["layer_name"],
            decisions=len(document["recent_decisions"]),
        )

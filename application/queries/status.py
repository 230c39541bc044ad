"""The status of a session, as in the ForgeMind document: windows and zones, tiers, open questions, alerts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.application.contents.reader import ContentReader
from backstory.application.queries.recent_history import texts_of
from backstory.application.session import Session
from backstory.domain.commands.artifacts import loaded_artifacts
from backstory.domain.events import ClarityChanged
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import Tier, from_microseconds

HEALTH = {"safe": "healthy"}
"""The document's word for the zone in which nothing is to be done. The other zones speak for themselves."""
DECISIONS_SHOWN = 3
QUESTIONS_SHOWN = 5
NOTES_SHOWN = 5


class WindowStatus(NamedTuple):
    """One window: its usage, and its zone by the policy."""

    name: str
    tokens: int
    limit: int | None
    items: int
    stubs: int
    usage: float | None
    """Share of the limit; None for a window that has none."""
    zone: str
    alerts: tuple[str, ...]
    """Levels of active alerts, the most urgent last."""
    prompt_tokens: int | None = None
    """The tokens of the newest context, where it was one of this window."""
    prompt_budget: int | None = None
    """The budget of that context."""


class TierStatus(NamedTuple):
    """Live items of one tier."""

    items: int
    tokens: int


class Noted(NamedTuple):
    """A decision or question with its text, unless that was erased."""

    item: int
    at: datetime
    text: str | None


@dataclass(frozen=True)
class SessionStatus:
    """A session at its newest version."""

    session: UUID
    title: str | None
    status: str
    version: int
    started_at: datetime
    last_activity: datetime
    """The time at which somebody last did something."""
    policy: WindowPolicy
    windows: tuple[WindowStatus, ...]
    tiers: dict[str, TierStatus]
    decisions: int
    """The number of all decisions."""
    last_decisions: tuple[Noted, ...]
    questions: int
    """The number of open questions."""
    open_questions: tuple[Noted, ...]
    notes: tuple[Noted, ...]
    """The newest pinned items, as `/remember` makes them, without private ones."""
    errors: int
    """The number of unresolved errors."""
    compactions: int
    last_compaction: datetime | None
    last_checkpoint: int | None
    messages: int
    commands: int
    clarity: int | None
    clarity_progress: int | None
    """Percentage points since the first value."""
    phase: str | None
    current_task: str | None
    artifacts: tuple[str, ...]
    """The artifacts in the main window."""

    @property
    def main(self) -> WindowStatus:
        return next(window for window in self.windows if window.name == "main")

    def monitoring(self) -> dict[str, Any]:
        """The status in the form of the ForgeMind document."""
        usage = self.main.usage
        return {
            "context_health": {
                "status": HEALTH.get(self.main.zone, self.main.zone),
                "window_usage": None if usage is None else round(usage * 100),
                # As in current-context.json, which lists every item in the window as loaded.
                "loaded_artifacts": self.main.items,
                "decisions_tracked": self.decisions,
                "open_questions": self.questions,
                "last_compaction": None
                if self.last_compaction is None
                else _spoken((self.last_activity - self.last_compaction).total_seconds()) + " ago",
            },
            "session_health": {
                "duration": _spoken((self.last_activity - self.started_at).total_seconds()),
                "messages": self.messages,
                "commands": self.commands,
                "errors": self.errors,
                "clarity_progress": None if self.clarity_progress is None else f"{self.clarity_progress:+}%",
            },
            "alerts": [
                {"window": window.name, "level": level} for window in self.windows for level in window.alerts
            ],
        }


class Figures(NamedTuple):
    """How full a session is, at a version."""

    version: int
    windows: tuple[WindowStatus, ...]
    tiers: dict[str, TierStatus]


def figures_of(session: Session) -> Figures:
    """Returns the windows and tiers of a session: the part of its status that changes with every turn."""
    state = session.state
    policy = WindowPolicy.chosen(state.policies.get(WindowPolicy.kind))
    return Figures(
        state.version, tuple(_window(state, name, policy) for name in state.windows), _tiers(state)
    )


def session_status(session: Session) -> SessionStatus:
    """Returns the status of a session."""
    state = session.state
    reader = ContentReader.on_branch(session._runtime, session.id, state.version)
    policy = WindowPolicy.chosen(state.policies.get(WindowPolicy.kind))
    notes = state.decisions[: -DECISIONS_SHOWN - 1 : -1]
    asked = sorted(state.questions.items(), reverse=True)[:QUESTIONS_SHOWN]
    texts = reader.texts(
        [
            *((note.id, 0) for note in notes),
            *(question.text for _, question in asked),
            *((state.title,) if state.title is not None else ()),
        ]
    )
    pinned = [state.items[pin] for pin in sorted(state.pins, reverse=True) if pin in state.items]
    pinned = [item for item in pinned if not item.private][:NOTES_SHOWN]
    noted = texts_of(pinned, reader)
    newest = state.compactions[-1:]
    told = [
        event.body.clarity
        for event in reader.events_of_type(ClarityChanged.type)
        if isinstance(event.body, ClarityChanged)
    ]
    return SessionStatus(
        session=session.id,
        title=texts.get(state.title) if state.title is not None else None,
        status=state.status,
        version=state.version,
        started_at=state.started_at,
        last_activity=state.last_activity,
        policy=policy,
        windows=tuple(_window(state, name, policy) for name in state.windows),
        tiers=_tiers(state),
        decisions=state.decision_count,
        last_decisions=tuple(
            Noted(note.id, from_microseconds(note.at), texts.get((note.id, 0))) for note in notes
        ),
        questions=len(state.questions),
        open_questions=tuple(
            Noted(item, from_microseconds(question.asked), texts.get(question.text))
            for item, question in asked
        ),
        notes=tuple(Noted(item.id, item.brought_at, noted[item.id]) for item in pinned),
        errors=len(state.errors),
        compactions=state.counters.get("compactions", 0),
        last_compaction=reader.events(newest)[newest[0]].occurred_at if newest else None,
        last_checkpoint=state.last_checkpoint,
        messages=state.message_count,
        commands=state.counters.get("commands_executed", 0),
        clarity=state.clarity,
        clarity_progress=None if state.clarity is None or not told else state.clarity - told[0],
        phase=state.phase,
        current_task=state.current_task,
        artifacts=tuple(sorted(loaded_artifacts(state))),
    )


def _window(state: ContextState, name: str, policy: WindowPolicy) -> WindowStatus:
    window = state.windows[name]
    usage = None if window.limit is None else window.tokens / window.limit
    stubs = sum(name in state.items[item].windows for item in state.stubs)
    newest = state.last_assembly
    prompt = newest if newest is not None and newest.window == name else None
    return WindowStatus(
        name,
        window.tokens,
        window.limit,
        window.items,
        stubs,
        usage,
        policy.zone(usage or 0.0),
        tuple(state.alerts.get(name, ())),
        None if prompt is None else prompt.tokens,
        None if prompt is None else prompt.budget,
    )


def _tiers(state: ContextState) -> dict[str, TierStatus]:
    found = {}
    for tier in Tier:
        items = [item for item in state.items.values() if item.tier == tier]
        found[str(tier)] = TierStatus(len(items), sum(item.tokens_in(None) for item in items))
    return found


def _spoken(seconds: float) -> str:
    """A duration in its largest unit, as in the document: 2 hours."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            count = int(seconds // length)
            return f"{count} {unit}" + ("" if count == 1 else "s")
    return "less than a minute"

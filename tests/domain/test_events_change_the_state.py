"""What each event makes of the state."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from backstory.domain import events as e
from backstory.domain.effects import Effects, Recount, WindowSettings
from backstory.domain.records import (
    Agent,
    CheckpointNote,
    FileFocus,
    LastAssembly,
    LastCall,
    Project,
    Summary,
)
from backstory.domain.state import COMPLETED_TASKS_KEPT, DECISIONS_KEPT, ContextState
from backstory.domain.trust import Trust
from backstory.domain.values import Tier, microseconds
from backstory.testing import BEGINNING, FORK, SESSION, Fact, given, item, part, text
from tests.domain.scenarios import (
    ACTION,
    AGAIN,
    ANSWERED,
    ASSEMBLED,
    CALLED,
    COMPACTED,
    CONSTRAINT,
    ERROR,
    GOAL,
    HELLO,
    IDEA,
    KNOWN,
    NOON,
    NOTICED,
    PLANNED,
    PROMPT,
    QUESTION,
    REGISTERED,
    REVIEWED,
    SAVED,
    STUBBED,
    SUBGOAL,
    SUMMARY,
    TASK,
    WAITING,
)

DECISION = e.DecisionRecorded(text=text("use RS256"), priority="high", decided_by="boss")
ALERTED = e.WindowAlerted(
    level="warning", tokens=2, next_tokens=68, limit=100, ratio=0.7, levels={"warning": 0.7}
)
DUE = datetime(2026, 2, 1, tzinfo=UTC)
Check = Callable[[ContextState], object]


def _second(version: int) -> int:
    return microseconds(BEGINNING) + version * 1_000_000


CHANGES: dict[str, tuple[tuple[Fact, ...], Check]] = {
    "started": (
        (e.SessionStarted(title=text("Story"), tags=("a",), project="P"),),
        lambda s: (
            (s.title, s.tags, s.status, s.project) == ((1, 0), ("a",), "open", Project("P", None, None, None))
        ),
    ),
    "lines imported": (
        (
            HELLO,
            e.LinesImported(
                format="openhands", file="run.jsonl", lines=(e.ImportedLine(number=1, kind="message"),)
            ),
        ),
        lambda s: (s.version, list(s.items)) == (2, [1]),
    ),
    "cleared": (
        (HELLO, GOAL, e.ContextCleared(items="1")),
        lambda s: (list(s.items), s.clears) == ([2], [3]),
    ),
    "clear undone": (
        (HELLO, GOAL, e.ContextCleared(items="1"), HELLO, e.ClearUndone(clear=3, items="1")),
        lambda s: (list(s.items), s.clears) == ([1, 2, 4], []),
    ),
    "policy chosen": (
        (
            e.PolicyChosen(kind="window", name="roomy", settings={"messages_kept": 20}),
            e.PolicyChosen(kind="window", name="narrow", version=2, settings={"messages_kept": 5}),
        ),
        lambda s: (
            s.policies == {"window": {"name": "narrow", "version": 2, "settings": {"messages_kept": 5}}}
        ),
    ),
    "results stubbed": (
        (CALLED, ANSWERED, STUBBED),
        lambda s: (s.stubs, s.tokens, s.counters["stubbings"]) == ({1: 6}, 2, 1),
    ),
    "results restored": (
        (
            *(CALLED, ANSWERED, STUBBED),
            (
                e.ResultsRestored(items="1", encoding="o200k_base"),
                Effects(counts=Recount(encoding="o200k_base", tokens={1: 6})),
            ),
        ),
        lambda s: (s.stubs, s.tokens) == ({}, 6),
    ),
    "compaction undone": (
        (HELLO, COMPACTED, e.CompactionUndone(compaction=2, items="1")),
        lambda s: (list(s.items), s.compactions) == ([1], []),
    ),
    "alert": (
        (HELLO, e.WindowConfigured(limit=100), ALERTED),
        lambda s: (s.alerts, s.counters["alerts"]) == ({"main": {"warning": 2}}, 1),
    ),
    "alert of a level that is left": (
        (HELLO, e.WindowConfigured(limit=100), ALERTED, e.ItemsRemoved(items=(1,))),
        lambda s: s.alerts == {},
    ),
    "alert under another limit": (
        (HELLO, e.WindowConfigured(limit=100), ALERTED, e.WindowConfigured(limit=90)),
        lambda s: s.alerts == {},
    ),
    "ended": ((HELLO, e.SessionEnded()), lambda s: s.status == "ended" and 1 in s.items),
    "resumed": ((e.SessionEnded(), e.SessionResumed()), lambda s: s.status == "open"),
    "renamed": ((HELLO, e.SessionRenamed(title=text("New"))), lambda s: s.title == (2, 0)),
    "tagged": ((e.SessionTagged(tags=("a", "b")), e.SessionTagged(tags=("c",))), lambda s: s.tags == ("c",)),
    "project": (
        (e.ProjectSet(name="P", id="P-1", current_idea="IDEA-1", status="begun"),),
        lambda s: s.project == Project("P", "P-1", "IDEA-1", "begun") and s.labels["project"] == "P",
    ),
    "agent": (
        (e.AgentJoined(name="a", mode="fast"), e.AgentJoined(name="a", mode="slow", capabilities=("plan",))),
        lambda s: s.agents == {"a": Agent(None, None, "slow", ("plan",))},
    ),
    "message": (
        (HELLO,),
        lambda s: (s.items[1].role, s.counters, s.counts) == ("user", {"messages": 1}, {"message": 1}),
    ),
    "clarification": (
        (e.MessageAdded(role="user", kind="clarification", parts=(part("I mean…"),)),),
        lambda s: s.counters == {"messages": 1, "clarifications": 1},
    ),
    "tool call": ((CALLED,), lambda s: s.open_calls == {"c1": 1} and s.items[1].type == "tool_exchange"),
    "tool result": (
        (CALLED, ANSWERED),
        lambda s: s.open_calls == {} and s.items[1].versions == (1, 2) and s.items[1].changed == 2,
    ),
    "model call": (
        (
            e.ModelCalled(model="m", input_tokens=10, output_tokens=2),
            e.ModelCalled(model="n", input_tokens=5),
        ),
        lambda s: (
            s.last_call == LastCall(2, "n", 5, None)
            and s.counters
            == {"model_calls": 2, "input_tokens": 15, "output_tokens": 2, "cost_microdollars": 0}
        ),
    ),
    "model call of an assembled context": (
        (
            e.ModelCalled(model="m", assembly=1, assembled_tokens=100, input_tokens=130, cost_usd=0.25),
            e.ModelCalled(model="m", assembly=1, assembled_tokens=200, input_tokens=250),
        ),
        lambda s: (
            s.calibrations["m"].estimate(300) == 370
            and s.calibrations["m"].most(370) == 300
            and s.counters["cost_microdollars"] == 250_000
        ),
    ),
    "system prompt": (
        (PROMPT, HELLO, e.SystemPromptSet(text=text("Be kind."))),
        lambda s: s.system_prompt == 3 and list(s.items) == [2, 3] and s.items[3].role == "system",
    ),
    "summary": (
        (HELLO, SUMMARY, HELLO, SUMMARY.model_copy(update={"replaces": 2, "upto": 3})),
        lambda s: s.summary == Summary(4, 3, 2) and list(s.items) == [1, 3, 4],
    ),
    "context": (
        (HELLO, ASSEMBLED),
        lambda s: s.last_assembly == LastAssembly(2, 1, "main", 9, 100) and s.counters["assemblies"] == 1,
    ),
    "pin": ((HELLO, e.ItemPinned(item=1)), lambda s: s.pins == {1: 2}),
    "tiers": (
        (HELLO, HELLO, e.TiersReassigned(as_of=NOON, policy="default", changes={Tier.COLD: "2"})),
        lambda s: [item.tier for item in s.items.values()] == ["WARM", "COLD"],
    ),
    "saved file": (
        (
            (e.ItemSaved(parts=(part("x"),), path="a.py"), Effects(brings=item("code"))),
            (e.ItemSaved(parts=(part("y"),), path="a.py"), Effects(brings=item("code"))),
            e.FilesFocused(files=("a.py",), last_edited="a.py"),
        ),
        lambda s: s.saved_files == {"a.py": 2} and s.edited_item == 2,
    ),
    "feedback": (
        (HELLO, e.MessageAdded(role="user", parts=(part("no"),), kind="feedback")),
        lambda s: s.feedback == [2] and s.counters["kind:feedback"] == 1,
    ),
    "planned prune": ((HELLO, PLANNED), lambda s: s.prune_plans == {"main": 2} and list(s.items) == [1]),
    "planned prune that was carried out": (
        (HELLO, PLANNED, COMPACTED.model_copy(update={"plan": 2})),
        lambda s: s.prune_plans == {},
    ),
    "kept working set": (
        (HELLO, e.WorkingSetKept(agent="coder", tier=Tier.HOT, items="1", digests=text("{}"))),
        lambda s: s.working_sets == {"HOT:coder": 2},
    ),
    "started project": ((e.ProjectStarted(name="atlas"),), lambda s: s.labels == {"project": "atlas"}),
    "memory": (
        (KNOWN,),
        lambda s: (
            (s.memories[1].kind, s.memories[1].at, s.memories[1].left) == ("knowledge", _second(1), None)
        ),
    ),
    "superseding memory": (
        (KNOWN, KNOWN.model_copy(update={"supersedes": (1,)})),
        lambda s: (list(s.items), s.memories[1].left, s.memories[1].by) == ([2], _second(2), 2),
    ),
    "forgotten memory": (
        (KNOWN, e.MemoryForgotten(memory=1)),
        lambda s: (list(s.items), s.memories[1].left, s.memories[1].by) == ([], _second(2), None),
    ),
    "waiting memory": (
        (WAITING,),
        lambda s: (s.memories[1].candidate, s.memories[1].holds_at(_second(9))) == (True, False),
    ),
    "confirmed memory": (
        (WAITING, e.MemoryConfirmed(memory=1)),
        lambda s: (
            (
                s.memories[1].holds_at(_second(9)),
                s.memories[1].holds_at(_second(1), _second(1)),
                s.memories[1].holds_at(_second(2), _second(2)),
            )
            == (True, False, True)
        ),
    ),
    "corroborated memory": ((KNOWN, AGAIN), lambda s: s.memories[1].seen == (2,)),
    "reviewed session": (
        (REVIEWED, REVIEWED.model_copy(update={"versions": "5-6"})),
        lambda s: s.reviewed == {str(SESSION): "1-3,5-6"},
    ),
    "registered artifact": (
        (REGISTERED,),
        lambda s: (s.artifacts["IDEA-001"].summary, s.artifacts["IDEA-001"].path) == ((1, 0), "idea.md"),
    ),
    "cached artifact": (
        (
            REGISTERED,
            e.ArtifactLoaded(artifact="IDEA-001", session=SESSION, item=3, digest="a" * 64, size=9, tokens=4),
        ),
        lambda s: [(c.artifact, c.item, c.loads) for c in s.artifact_cache.values()] == [("IDEA-001", 3, 1)],
    ),
    "removed artifact": (
        (REGISTERED, e.ArtifactRemoved(artifact="IDEA-001")),
        lambda s: (s.artifacts, s.artifact_cache) == ({}, {}),
    ),
    "loaded artifact": (
        (IDEA,),
        lambda s: (s.loaded["IDEA-001"].item, s.loaded["IDEA-001"].digest) == (1, "a" * 64),
    ),
    "invalid progress": (
        (e.ProgressInvalidated(left_layer=1, project_layer=0, artifacts=("MODULE-001",)),),
        lambda s: s.invalidated == {"MODULE-001": 1},
    ),
    "progress that counts again": (
        (e.ProgressInvalidated(left_layer=1, project_layer=0, artifacts=("IDEA-001",)), IDEA),
        lambda s: s.invalidated == {},
    ),
    "fired trigger": (
        (
            HELLO,
            e.TriggerFired(trigger="t", change=1, event="message.added", actions=("save_context_snapshot",)),
            e.TriggerActed(trigger="t", fired=2, action="save_context_snapshot", outcome="done"),
            e.TriggerStopped(trigger="t", change=1, because="loop", reason=text("x")),
        ),
        lambda s: (list(s.items), s.version, s.active) == ([1], 4, _second(1)),
    ),
    "confirmed item": (
        (HELLO, e.ItemsConfirmed(items=(1,), person="ana")),
        lambda s: s.items[1].trust == Trust.TRUSTED,
    ),
    "quarantined item": (
        (HELLO, e.ItemsQuarantined(items=(1,), why=text("x"))),
        lambda s: (list(s.items), s.quarantined) == ([], {1: ["main"]}),
    ),
    "released item": (
        (HELLO, e.ItemsQuarantined(items=(1,), why=text("x")), e.ItemsReleased(items=(1,))),
        lambda s: (s.items[1].quarantined, s.items[1].windows, s.quarantined) == (False, ("main",), {}),
    ),
    "cleared flags": (
        (
            (HELLO, Effects(brings=item("message", flags=("a", "b")))),
            e.FlagsCleared(items=(1,), flags=("a",)),
        ),
        lambda s: s.items[1].flags == ("b",),
    ),
    "tier policy": (
        (HELLO, e.PolicyChosen(kind="tiers", name="quick", settings={"tau_hours": 1.0})),
        lambda s: s.labels["tier_policy"] == ["quick", "1", "0.8", "0.4", "1.0", "0.1"],
    ),
    "unpin": ((HELLO, e.ItemPinned(item=1), e.ItemUnpinned(item=1)), lambda s: s.pins == {}),
    "noticed decision": (
        (HELLO, NOTICED),
        lambda s: (s.candidates[0].noticed_in, s.decisions, s.decision_count) == (1, [], 0),
    ),
    "confirmed decision": (
        (HELLO, NOTICED, e.DecisionConfirmed(candidate=2, text=text("use Postgres"))),
        lambda s: (s.candidates, s.decisions[0].id, s.decision_count) == ([], 3, 1),
    ),
    "dismissed decision": (
        (HELLO, NOTICED, e.DecisionDismissed(candidate=2)),
        lambda s: s.candidates == [] and list(s.items) == [1],
    ),
    "compaction": (
        (
            HELLO,
            HELLO,
            e.ItemsCompacted(summary=text("Hello."), summarized="1", dropped="2", algorithm="by hand"),
        ),
        lambda s: (list(s.items), s.items[3].type, s.counters["compactions"]) == ([3], "summary", 1),
    ),
    "decision": (
        (HELLO, DECISION),
        lambda s: (
            [(d.id, d.at, d.priority, d.decided_by) for d in s.decisions] == [(2, _second(2), "high", "boss")]
        ),
    ),
    "decisions beyond those kept": (
        (DECISION,) * (DECISIONS_KEPT + 3),
        lambda s: len(s.decisions) == DECISIONS_KEPT and s.decision_count == DECISIONS_KEPT + 3,
    ),
    "goal": (
        (GOAL, SUBGOAL),
        lambda s: (s.goals[1].text, s.goals[2].parent, s.goals[1].status) == ((1, 0), 1, "pending"),
    ),
    "goal updated": (
        (GOAL, e.GoalUpdated(goal=1, text=text("other"), priority="low", status="in-progress")),
        lambda s: (
            (s.goals[1].text, s.goals[1].priority, s.goals[1].status) == ((2, 0), "low", "in-progress")
            and s.items[1].versions == (2,)
        ),
    ),
    "goal updated in part": (
        (GOAL, e.GoalUpdated(goal=1, priority="low")),
        lambda s: s.goals[1].text == (1, 0) and s.items[1].versions == (1,),
    ),
    "goal completed": (
        (GOAL, SUBGOAL, e.GoalCompleted(goal=1, closed=(2,))),
        lambda s: (s.goals, s.items, s.counters) == ({}, {}, {"goals_completed": 2}),
    ),
    "action": (
        (e.ActionAdded(text=text("do"), blocked_by=text("wait", part=1), due=DUE, layer=2, assignee="a"),),
        lambda s: (
            (s.actions[1].blocked_by, s.actions[1].due, s.actions[1].layer) == ((1, 1), microseconds(DUE), 2)
        ),
    ),
    "action blocked": (
        (ACTION, e.ActionBlocked(action=1, by=text("x"))),
        lambda s: s.actions[1].blocked_by == (2, 0),
    ),
    "action freed": (
        (ACTION, e.ActionBlocked(action=1, by=text("x")), e.ActionBlocked(action=1)),
        lambda s: s.actions[1].blocked_by is None,
    ),
    "action completed": (
        (ACTION, e.ActionCompleted(action=1)),
        lambda s: (s.actions, s.items, s.counters) == ({}, {}, {"actions_completed": 1}),
    ),
    "question": (
        (ACTION, e.QuestionAsked(text=text("?"), context=text("why", part=1), blocks=(1,), asked_by="a")),
        lambda s: (
            (s.questions[2].context, s.questions[2].blocks, s.questions[2].asked_by) == ((2, 1), (1,), "a")
        ),
    ),
    "question answered": (
        (QUESTION, e.QuestionAnswered(question=1, answer=text("yes"))),
        lambda s: (s.questions, s.items, s.counters) == ({}, {}, {"questions_answered": 1}),
    ),
    "constraint": ((CONSTRAINT,), lambda s: s.constraints == {1: (1, 0)}),
    "constraint removed": (
        (CONSTRAINT, e.ConstraintRemoved(constraint=1)),
        lambda s: (s.constraints, s.items) == ({}, {}),
    ),
    "task": (
        (
            e.TaskStarted(
                task="T-1", text=text("x"), acceptance_criteria=(text("y", part=1),), depends_on_files=("f",)
            ),
        ),
        lambda s: (
            s.current_task == "T-1"
            and s.tasks["T-1"].acceptance_criteria == ((1, 1),)
            and s.items[1].task == "T-1"
        ),
    ),
    "task completed": (
        (TASK, e.TaskStarted(task="T-2", text=text("x")), e.TaskCompleted(task="T-2")),
        lambda s: (s.current_task, list(s.tasks), s.completed_tasks) == ("T-1", ["T-1"], ["T-2"]),
    ),
    "task failed": (
        (TASK, e.TaskStarted(task="T-2", text=text("x")), e.TaskFailed(task="T-2")),
        lambda s: (s.current_task, list(s.tasks), s.completed_tasks) == ("T-1", ["T-1"], []),
    ),
    "files of a project": ((e.FilesRecorded(files=(text("a"),)),), lambda s: s.items == {}),
    "material of a context": (
        (e.MaterialGathered(task="T-1", material=text("{}")),),
        lambda s: (s.items, s.counters) == ({}, {}),
    ),
    "context released": ((e.ContextReleased(agent="coder"),), lambda s: (s.items, s.counters) == ({}, {})),
    "phase": ((e.PhaseChanged(phase="build"),), lambda s: s.phase == "build"),
    "layer": ((e.LayerChanged(project_layer=3),), lambda s: s.project_layer == 3),
    "clarity": ((e.ClarityChanged(clarity=85),), lambda s: s.clarity == 85),
    "focus": (
        (e.FilesFocused(files=("a.py",), last_edited="a.py", current_function="f"),),
        lambda s: s.focus == FileFocus(("a.py",), "a.py", "f"),
    ),
    "command": ((e.CommandExecuted(command=text("ls")),), lambda s: s.counters == {"commands_executed": 1}),
    "file": ((e.FileUpdated(path="a.py"),), lambda s: s.counters == {"files_updated": 1}),
    "file with its checksum": (
        (e.FileUpdated(path="a.py", checksum="1"), e.FileUpdated(path="b.py", checksum="2")),
        lambda s: s.files == {"a.py": "1", "b.py": "2"},
    ),
    "file whose checksum is no longer known": (
        (e.FileUpdated(path="a.py", checksum="1"), e.FileUpdated(path="a.py")),
        lambda s: s.files == {},
    ),
    "commit": ((e.CommitMade(commit="abc"),), lambda s: s.counters == {"git_commits": 1}),
    "error": ((ERROR,), lambda s: s.errors == {1: "ValueError"} and s.counters == {"errors_encountered": 1}),
    "error resolved": ((ERROR, e.ErrorResolved(item=1)), lambda s: (s.errors, s.items) == ({}, {})),
    "checkpoint": ((HELLO, e.CheckpointTaken(name="here")), lambda s: s.last_checkpoint == 2),
    "what was so at the checkpoint": (
        (HELLO, e.PhaseChanged(phase="build"), e.CheckpointTaken(name="here")),
        lambda s: s.checkpoint == CheckpointNote(3, _second(3), "main", 2, 1, 1, 2, "build", 0),
    ),
    "item saved": ((SAVED,), lambda s: s.items[1].type == "artifact" and s.windows["main"].items == 1),
    "items touched": (
        (SAVED, e.ItemsTouched(items=(1,))),
        lambda s: (s.items[1].accesses, s.items[1].touched, s.items[1].changed) == (1, _second(2), 1),
    ),
    "items removed": ((HELLO, e.ItemsRemoved(items=(1,))), lambda s: (s.items, s.tokens) == ({}, 0)),
    "items returned": (
        (HELLO, GOAL, e.ItemsRemoved(items=(1,)), e.ItemsReturned(items=(1,))),
        lambda s: list(s.items) == [1, 2] and s.items[1].role == "user" and s.items[1].changed == 4,
    ),
    "item deprecated": ((SAVED, SAVED, e.ItemDeprecated(item=1, by=2)), lambda s: list(s.items) == [2]),
    "tokens counted": (
        (
            (HELLO, Effects(brings=item("message", tokens=3))),
            (
                e.TokensCounted(encoding="cl100k_base"),
                Effects(counts=Recount(encoding="cl100k_base", tokens={1: 9})),
            ),
            (e.WindowConfigured(), Effects(window=WindowSettings(name="main", encoding="cl100k_base"))),
        ),
        lambda s: s.items[1].tokens == 3 and s.tokens == 9,
    ),
    "window": ((e.WindowConfigured(window="side", limit=10),), lambda s: s.windows["side"].limit == 10),
    "backtracked": (
        (HELLO, GOAL, e.SessionBacktracked(to=1, abandoned=2, why=text("x"))),
        lambda s: (s.version, s.epoch, list(s.items), s.goals) == (3, 1, [1], {}),
    ),
    "redone": (
        (
            HELLO,
            GOAL,
            e.SessionBacktracked(to=1, abandoned=2, why=text("x")),
            e.SessionBacktracked(to=2, abandoned=3, why=text("y")),
        ),
        lambda s: (s.version, s.epoch, list(s.goals)) == (4, 2, [2]),
    ),
    "forked": (
        (HELLO, e.SessionForked(parent=SESSION, at=1, title=text("Try"))),
        lambda s: (s.stream, s.version, s.epoch, s.title, list(s.items)) == (FORK, 2, 0, (2, 0), [1]),
    ),
    "erased": (
        (HELLO, e.ContentsErased(item=1, erased=((1, 0),), why=text("law"))),
        lambda s: list(s.items) == [1],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_state_afterwards(name: str) -> None:
    facts, check = CHANGES[name]
    assert check(given(*facts).state) is True


@pytest.mark.parametrize("name", CHANGES)
def test_the_state_comes_back_from_a_snapshot_equal(name: str) -> None:
    state = given(*CHANGES[name][0], actor="planner").state
    assert ContextState.decode(state.encode()) == state
    assert ContextState.decode(state.encode()).digest() == state.digest()


def test_every_event_is_among_them() -> None:
    told: set[Any] = {
        type(fact[0] if isinstance(fact, tuple) else fact) for facts, _ in CHANGES.values() for fact in facts
    }
    own = {body for body in e.BODIES.values() if body.__module__.startswith("backstory.")}
    assert own - told == set()


def test_only_the_newest_completed_tasks_are_kept() -> None:
    facts: list[Fact] = []
    for number in range(COMPLETED_TASKS_KEPT + 2):
        facts += [e.TaskStarted(task=f"T-{number}", text=text("x")), e.TaskCompleted(task=f"T-{number}")]
    state = given(*facts).state
    assert state.completed_tasks == [f"T-{number}" for number in range(2, COMPLETED_TASKS_KEPT + 2)]
    assert state.current_task is None


def test_a_closing_event_for_what_is_closed_counts_nothing() -> None:
    twice = given(ACTION, e.ActionCompleted(action=1), e.ActionCompleted(action=1))
    assert twice.state.counters == {"actions_completed": 1}


def test_the_last_actor_is_the_last_who_is_named() -> None:
    assert given(HELLO, actor="planner").state.last_actor == "planner"
    assert given(HELLO).state.last_actor is None

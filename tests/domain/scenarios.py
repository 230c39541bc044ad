"""For every command: what happened before, what is asked for, and the event that follows."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain import events as e
from backstory.domain.commands import (
    artifacts,
    compaction,
    contexts,
    facts,
    items,
    memory,
    recovery,
    safety,
    sessions,
    tiers,
    windows,
    work,
)
from backstory.domain.effects import Effects, Recount, Resume, WindowSettings
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.policies.tiers import Move, TierPolicy
from backstory.domain.policies.window import DEFAULT_WINDOW, WindowPolicy
from backstory.domain.values import Tier
from backstory.domain.window.pruning import PrunePlan, plan_prune
from backstory.testing import SESSION, Fact, given, item, part, text

NOON = datetime(2026, 11, 9, 12, tzinfo=UTC)
ASSEMBLED = e.ContextAssembled(
    at=1,
    as_of=NOON,
    format="openai",
    renderer=1,
    encoding="o200k_base",
    policy="default",
    budget=100,
    reserve=25,
    sections=(e.Section(name="history", tokens=9, items="1"),),
    tokens=9,
    prompt_sha256="a" * 64,
    prompt_bytes=2,
)
OTHER = UUID("00000000-0000-7000-8000-0000000000aa")
CALL = part('{"q": 1}', kind="tool_use", call_id="c1", name="grep")
RESULT = part("found it", kind="tool_result", call_id="c1")

HELLO = e.MessageAdded(role="user", parts=(part("hello"),))
CALLED = e.ToolCalled(role="agent", parts=(CALL,), calls=("c1",))
ANSWERED = e.ToolAnswered(role="tool", parts=(RESULT,), exchange=1, answers=("c1",))
SAVED = e.ItemSaved(parts=(part("def f(): ..."),), name="f", path="f.py")
IDEA = e.ItemSaved(parts=(part("# AI tool"),), artifact="IDEA-001", load_layer=2, digest="a" * 64)
REGISTERED = e.ArtifactRegistered(
    artifact="IDEA-001", artifact_type="idea", name="AI tool", path="idea.md", summary=text("a tool")
)
GOAL = e.GoalSet(text=text("ship it"))
SUBGOAL = e.GoalSet(text=text("test it"), parent=1)
ACTION = e.ActionAdded(text=text("write the tests"))
QUESTION = e.QuestionAsked(text=text("which database?"))
CONSTRAINT = e.ConstraintAdded(text=text("no network"))
TASK = e.TaskStarted(task="T-1", text=text("write the parser"))
PROMPT = e.SystemPromptSet(text=text("Be brief."))
SUMMARY = e.SummaryMade(
    text=text("So far so good."), document=text("{}", part=1), upto=1, sources="1", summarizer="offline/1"
)
NOTICED = e.DecisionNoticed(text=text("use Postgres"), source=1, noticer="notice/1")
ERROR = e.ErrorMet(text=text("it broke"), name="ValueError")

SAID: dict[str, Any] = {
    "kind": "knowledge",
    "text": text("we deploy on Fridays"),
    "sources": (e.MemorySource(session=SESSION, items="1-2"),),
}
KNOWN = e.MemoryRecorded(**SAID)
WAITING = KNOWN.model_copy(update={"candidate": True})
AGAIN = e.MemoryCorroborated(memory=1, sources=SAID["sources"])
REVIEWED = e.SessionReviewed(
    session=SESSION, versions="1-3", messages=4, because="ended", fragment=True, policy="default/1"
)

COMPACTED = e.ItemsCompacted(summary=text("They greeted."), summarized="1", algorithm="by hand")
PLANNED = e.PrunePlanned(
    target=0,
    threshold=100,
    dropped="1",
    kept="2",
    tokens_before=6,
    tokens_after=2,
    policy="default",
    policy_version=1,
    trigger="danger",
)
STUBBED = (
    e.ResultsStubbed(items="1", encoding="o200k_base", tokens_before=6, tokens_after=2),
    Effects(counts=Recount(encoding="o200k_base", tokens={1: 2})),
)


class Scenario(NamedTuple):
    """`exact` is off where an event's effects hold numbers that only the command's caller knows."""

    command: Callable[..., Any]
    inputs: dict[str, Any]
    expected: e.EventBody
    history: tuple[Fact, ...] = ()
    exact: bool = True
    args: tuple[Any, ...] = ()


def _plan(history: tuple[Fact, ...], **inputs: Any) -> PrunePlan:
    return plan_prune(given(*history).state, at=0, target=0, **inputs)


def _cold(body: e.EventBody) -> tuple[e.EventBody, Effects]:
    return (body, Effects(brings=item("note", importance=0.1)))


def _removed_hello() -> list[Any]:
    kept = given(HELLO).state.items[1]
    return [kept._replace(windows=())]


SCENARIOS = (
    Scenario(
        facts.start_session,
        {"title": text("Story"), "tags": ["a"], "project": "P", "window": WindowSettings(name="main")},
        e.SessionStarted(title=text("Story"), tags=("a",), project="P"),
    ),
    Scenario(facts.end_session, {"why": text("done")}, e.SessionEnded(why=text("done"))),
    Scenario(facts.resume_session, {}, e.SessionResumed(), (e.SessionEnded(),)),
    Scenario(facts.rename_session, {"title": text("New")}, e.SessionRenamed(title=text("New"))),
    Scenario(facts.tag_session, {"tags": ["a", "b", "a"]}, e.SessionTagged(tags=("a", "b"))),
    Scenario(facts.set_project, {"name": "P", "status": "begun"}, e.ProjectSet(name="P", status="begun")),
    Scenario(
        facts.join_agent,
        {"name": "planner", "capabilities": ("plan",)},
        e.AgentJoined(name="planner", capabilities=("plan",)),
    ),
    Scenario(facts.add_message, {"body": HELLO, "item": item("message", role="user")}, HELLO, exact=False),
    Scenario(facts.call_tools, {"body": CALLED, "item": item("tool_exchange")}, CALLED, exact=False),
    Scenario(items.open_exchange, {"body": CALLED, "item": item("tool_exchange")}, CALLED, exact=False),
    Scenario(sessions.end_session, {"why": text("done")}, e.SessionEnded(why=text("done"))),
    Scenario(sessions.resume_session, {}, e.SessionResumed(), (e.SessionEnded(),)),
    Scenario(facts.answer_tools, {"body": ANSWERED, "tokens": 3}, ANSWERED, (CALLED,), exact=False),
    Scenario(facts.save_item, {"body": SAVED, "item": item("code")}, SAVED, exact=False),
    Scenario(
        facts.record_decision,
        {"item": item("decision"), "text": text("use RS256"), "priority": "P1", "decided_by": "boss"},
        e.DecisionRecorded(text=text("use RS256"), priority="high", decided_by="boss"),
        exact=False,
    ),
    Scenario(facts.set_goal, {"item": item("goal"), "text": text("ship it")}, GOAL, exact=False),
    Scenario(facts.add_action, {"item": item("action"), "text": ACTION.text}, ACTION, exact=False),
    Scenario(facts.ask_question, {"item": item("question"), "text": QUESTION.text}, QUESTION, exact=False),
    Scenario(
        facts.add_constraint, {"item": item("constraint"), "text": CONSTRAINT.text}, CONSTRAINT, exact=False
    ),
    Scenario(facts.start_task, {"item": item("task"), "task": "T-1", "text": TASK.text}, TASK, exact=False),
    Scenario(
        facts.meet_error, {"item": item("error"), "text": ERROR.text, "name": ERROR.name}, ERROR, exact=False
    ),
    Scenario(facts.take_checkpoint, {"name": "before", "triggers": ()}, e.CheckpointTaken(name="before")),
    Scenario(
        recovery.checkpoint_state,
        {
            "name": "before",
            "triggers": ["risky_operation"],
            "fold_version": 2,
            "files": {"a.py": "sha256:00"},
        },
        e.CheckpointTaken(
            name="before",
            triggers=("risky_operation",),
            state_at=2,
            state_sha256=given(HELLO, TASK).state.digest(),
            fold_version=2,
            current_task="T-1",
            open_tasks=("T-1",),
            metrics={
                "tokens": 7,
                "items": 2,
                "decisions": 0,
                "messages": 1,
                "goals_open": 0,
                "questions_open": 0,
                "actions_open": 0,
                "errors_open": 0,
                "counter:messages": 1,
            },
            conversation="1",
            files={"a.py": "sha256:00"},
        ),
        (HELLO, TASK),
    ),
    Scenario(
        recovery.record_prune_plan,
        {"plan": _plan((SAVED, HELLO)), "trigger": "danger"},
        PLANNED,
        (SAVED, HELLO),
    ),
    Scenario(
        recovery.prune_window,
        {"plan": _plan((SAVED, HELLO)), "trigger": "danger"},
        e.ItemsCompacted(
            dropped="1",
            kept="2",
            algorithm="prune",
            policy="default",
            policy_version=1,
            trigger="danger",
            tokens_before=4,
            tokens_after=0,
        ),
        (SAVED, HELLO),
    ),
    Scenario(
        recovery.flash_save,
        {},
        e.ItemsCompacted(
            dropped="1",
            kept="2",
            algorithm="flash_save",
            policy="default",
            policy_version=1,
            tokens_before=1,
            tokens_after=0,
        ),
        (_cold(SAVED), HELLO),
    ),
    Scenario(facts.note, {"phase": "build"}, e.PhaseChanged(phase="build"), args=(e.PhaseChanged,)),
    Scenario(
        facts.touch_items,
        {"items": [1, 1], "reason": "cited"},
        e.ItemsTouched(items=(1,), reason="cited"),
        (HELLO,),
    ),
    Scenario(
        facts.configure_window,
        {"window": "main", "limit": 1000, "encoding": None, "model": "m"},
        e.WindowConfigured(limit=1000, model="m"),
    ),
    Scenario(
        items.remove_items,
        {"items": [1], "why": text("old")},
        e.ItemsRemoved(items=(1,), why=text("old")),
        (HELLO,),
    ),
    Scenario(
        items.return_items,
        {"rows": _removed_hello()},
        e.ItemsReturned(items=(1,)),
        (HELLO, e.ItemsRemoved(items=(1,))),
        exact=False,
    ),
    Scenario(
        artifacts.load_artifact,
        {"body": IDEA, "item": item("idea", tokens=4)},
        IDEA,
        exact=False,
    ),
    Scenario(
        artifacts.access_artifact,
        {"artifact": "IDEA-001", "digest": "a" * 64},
        e.ItemsTouched(items=(1,), reason="loaded"),
        (IDEA,),
    ),
    Scenario(
        artifacts.unload_artifacts,
        {"artifacts": ["IDEA-001"], "why": text("old")},
        e.ItemsRemoved(items=(1,), window="main", why=text("old")),
        (IDEA,),
        exact=False,
    ),
    Scenario(
        artifacts.remove_artifact,
        {"artifact": "IDEA-001", "why": None},
        e.ArtifactRemoved(artifact="IDEA-001"),
        (REGISTERED,),
    ),
    Scenario(
        artifacts.invalidate_progress,
        {"left_layer": 1, "project_layer": 0, "artifacts": ("MODULE-001",)},
        e.ProgressInvalidated(left_layer=1, project_layer=0, artifacts=("MODULE-001",)),
    ),
    Scenario(items.deprecate_item, {"item": 1, "by": 2}, e.ItemDeprecated(item=1, by=2), (SAVED, SAVED)),
    Scenario(
        items.answer_calls,
        {"answers": ["c1"], "tokens": 2, "said": {"role": "tool", "parts": (RESULT,)}},
        ANSWERED,
        (CALLED,),
        exact=False,
    ),
    Scenario(
        items.count_tokens,
        {"encoding": "cl100k_base", "tokens": {1: 7}},
        e.TokensCounted(encoding="cl100k_base"),
        (HELLO,),
        exact=False,
    ),
    Scenario(
        items.backtrack,
        {"to": 1, "resumes": Resume(stream=SESSION, version=1), "status": "open", "why": text("wrong way")},
        e.SessionBacktracked(to=1, abandoned=2, why=text("wrong way")),
        (HELLO, GOAL),
    ),
    Scenario(
        items.fork,
        {"parent": SESSION, "at": 1, "why": None, "title": text("Try")},
        e.SessionForked(parent=SESSION, at=1, title=text("Try")),
        (HELLO,),
    ),
    Scenario(
        work.set_goal,
        {"item": item("goal"), "text": SUBGOAL.text, "parent": 1},
        SUBGOAL,
        (GOAL,),
        exact=False,
    ),
    Scenario(
        work.update_goal,
        {"goal": 1, "text": text("ship it soon"), "tokens": 3, "status": "in-progress"},
        e.GoalUpdated(goal=1, text=text("ship it soon"), status="in-progress"),
        (GOAL,),
        exact=False,
    ),
    Scenario(work.complete_goal, {"goal": 1}, e.GoalCompleted(goal=1, closed=(2,)), (GOAL, SUBGOAL)),
    Scenario(
        work.block_action,
        {"action": 1, "by": text("review")},
        e.ActionBlocked(action=1, by=text("review")),
        (ACTION,),
    ),
    Scenario(work.complete_action, {"action": 1}, e.ActionCompleted(action=1), (ACTION,)),
    Scenario(
        work.answer_question,
        {"question": 1, "answer": text("Postgres"), "answered_by": "boss"},
        e.QuestionAnswered(question=1, answer=text("Postgres"), answered_by="boss"),
        (QUESTION,),
    ),
    Scenario(work.remove_constraint, {"constraint": 1}, e.ConstraintRemoved(constraint=1), (CONSTRAINT,)),
    Scenario(
        work.focus,
        {"files": ("b.py",), "remove": ("a.py",), "last_edited": None, "current_function": None},
        e.FilesFocused(files=("b.py", "c.py")),
        (e.FilesFocused(files=("a.py", "c.py"), last_edited="a.py", current_function="parse"),),
    ),
    Scenario(work.complete_task, {"task": "T-1"}, e.TaskCompleted(task="T-1"), (TASK,)),
    Scenario(
        work.fail_task,
        {"task": "T-1", "why": text("no time")},
        e.TaskFailed(task="T-1", why=text("no time")),
        (TASK,),
    ),
    Scenario(
        work.resolve_error,
        {"item": 1, "how": text("fixed")},
        e.ErrorResolved(item=1, how=text("fixed")),
        (ERROR,),
    ),
    Scenario(
        contexts.set_system_prompt,
        {"item": item("system_prompt"), "text": text("Be kind.")},
        e.SystemPromptSet(text=text("Be kind.")),
        (PROMPT,),
        exact=False,
    ),
    Scenario(
        contexts.make_summary,
        {
            "item": item("summary"),
            "replaces": 2,
            "text": SUMMARY.text,
            "document": SUMMARY.document,
            "upto": 2,
            "sources": "1",
            "summarizer": "offline/1",
        },
        SUMMARY.model_copy(update={"upto": 2, "replaces": 2}),
        (HELLO, SUMMARY),
        exact=False,
    ),
    Scenario(
        contexts.pin_item,
        {"item": 1, "why": text("needed")},
        e.ItemPinned(item=1, why=text("needed")),
        (HELLO,),
    ),
    Scenario(contexts.remember_message, {"item": 1}, e.ItemPinned(item=1), (HELLO,)),
    Scenario(contexts.unpin_item, {"item": 1}, e.ItemUnpinned(item=1), (HELLO, e.ItemPinned(item=1))),
    Scenario(
        contexts.notice_decision,
        {"place": 0, "text": NOTICED.text, "source": 1, "noticer": "notice/1"},
        NOTICED,
        (HELLO,),
        exact=False,
    ),
    Scenario(
        contexts.confirm_decision,
        {"candidate": 2, "item": item("decision"), "text": text("use Postgres")},
        e.DecisionConfirmed(candidate=2, text=text("use Postgres")),
        (HELLO, NOTICED),
        exact=False,
    ),
    Scenario(
        contexts.dismiss_decision,
        {"candidate": 2, "why": text("only an idea")},
        e.DecisionDismissed(candidate=2, why=text("only an idea")),
        (HELLO, NOTICED),
    ),
    Scenario(
        contexts.compact_items,
        {
            "item": item("summary"),
            "summary": text("They greeted."),
            "summarized": (1,),
            "dropped": (2,),
            "kept": (3,),
            "algorithm": "by hand",
        },
        e.ItemsCompacted(
            summary=text("They greeted."),
            summarized="1",
            dropped="2",
            kept="3",
            algorithm="by hand",
            tokens_before=4,
            tokens_after=1,
        ),
        (HELLO, HELLO, HELLO),
        exact=False,
    ),
    Scenario(
        tiers.reassign_tiers,
        {
            "moves": [Move(1, "WARM", "HOT"), Move(2, "WARM", "HOT")],
            "policy": TierPolicy(name="quick"),
            "as_of": NOON,
        },
        e.TiersReassigned(as_of=NOON, policy="quick", changes={Tier.HOT: "1-2"}),
        (HELLO, HELLO),
    ),
    Scenario(
        tiers.keep_working_set,
        {"agent": "coder", "tier": Tier.HOT, "items": [1], "digests": text("{}")},
        e.WorkingSetKept(agent="coder", tier=Tier.HOT, items="1", digests=text("{}")),
        (HELLO,),
    ),
    Scenario(
        facts.assemble_context,
        {
            "found": (1,),
            "at": 1,
            "as_of": NOON,
            "format": "openai",
            "renderer": 1,
            "encoding": "o200k_base",
            "policy": "default",
            "budget": 100,
            "reserve": 25,
            "sections": (e.Section(name="history", tokens=9, items="1"),),
            "tokens": 9,
            "prompt_sha256": "a" * 64,
            "prompt_bytes": 2,
        },
        ASSEMBLED,
        (HELLO,),
        exact=False,
    ),
    Scenario(memory.start_project, {"name": "atlas"}, e.ProjectStarted(name="atlas")),
    Scenario(
        memory.record_memory,
        {"item": item("memory"), "key": "target", "supersedes": [1], "said": SAID},
        KNOWN.model_copy(update={"supersedes": (1,), "key": "target"}),
        (KNOWN,),
        exact=False,
    ),
    Scenario(
        memory.forget_memory,
        {"memory": 1, "agent": None, "by": 2, "why": text("moved")},
        e.MemoryForgotten(memory=1, by=2, why=text("moved")),
        (KNOWN, KNOWN),
        exact=False,
    ),
    Scenario(
        memory.confirm_memory,
        {"memory": 1, "agent": None},
        e.MemoryConfirmed(memory=1),
        (WAITING,),
    ),
    Scenario(
        memory.dismiss_memory,
        {"memory": 1, "agent": None, "why": text("a joke")},
        e.MemoryForgotten(memory=1, why=text("a joke")),
        (WAITING,),
        exact=False,
    ),
    Scenario(
        memory.corroborate_memory,
        {"memory": 1, "sources": SAID["sources"]},
        AGAIN,
        (KNOWN,),
    ),
    Scenario(
        memory.review_session,
        {
            "session": SESSION,
            "versions": "4-9",
            "messages": 4,
            "because": "ended",
            "fragment": True,
            "policy": "default/1",
        },
        REVIEWED.model_copy(update={"versions": "4-9"}),
        (REVIEWED,),
    ),
    Scenario(
        memory.choose_memory,
        {"policy": MemoryPolicy(name="frequent", archive_every=50)},
        e.PolicyChosen(kind="memory", name="frequent", settings={"archive_every": 50}),
    ),
    Scenario(
        safety.confirm_items,
        {"items": [1], "person": "ana", "witness": None, "why": None},
        e.ItemsConfirmed(items=(1,), person="ana"),
        (HELLO,),
        exact=False,
    ),
    Scenario(
        safety.quarantine_items,
        {"items": [1, 1], "why": text("poisoned")},
        e.ItemsQuarantined(items=(1,), why=text("poisoned")),
        (HELLO,),
        exact=False,
    ),
    Scenario(
        safety.release_items,
        {"items": [1], "rows": _removed_hello(), "brought_in": {}, "why": None},
        e.ItemsReleased(items=(1,)),
        (HELLO, e.ItemsQuarantined(items=(1,), why=text("poisoned"))),
        exact=False,
    ),
    Scenario(
        safety.clear_flags,
        {"items": [1], "flags": ["instructions"], "why": None},
        e.FlagsCleared(items=(1,), flags=("instructions",)),
        (HELLO,),
        exact=False,
    ),
    Scenario(
        safety.choose_safety,
        {"policy": SafetyPolicy(name="strict", instructions="quarantine")},
        e.PolicyChosen(kind="safety", name="strict", settings={"instructions": "quarantine"}),
    ),
    Scenario(
        windows.choose_policy,
        {"policy": WindowPolicy(name="roomy", messages_kept=20, risky_operations=("deploy",))},
        e.PolicyChosen(
            kind="window", name="roomy", settings={"messages_kept": 20, "risky_operations": ["deploy"]}
        ),
    ),
    Scenario(
        compaction.stub_results,
        {"encoding": "o200k_base", "tokens": {1: 2}, "policy": "default", "trigger": "safe"},
        e.ResultsStubbed(
            items="1",
            encoding="o200k_base",
            tokens_before=6,
            tokens_after=2,
            policy="default",
            trigger="safe",
        ),
        (CALLED, ANSWERED),
        exact=False,
    ),
    Scenario(
        compaction.restore_results,
        {"encoding": "o200k_base", "tokens": {1: 6}},
        e.ResultsRestored(items="1", encoding="o200k_base"),
        (CALLED, ANSWERED, STUBBED),
        exact=False,
    ),
    Scenario(
        compaction.undo_compaction,
        {"compaction": 2, "window": "main", "summary": 2, "rows": _removed_hello()},
        e.CompactionUndone(compaction=2, items="1"),
        (HELLO, COMPACTED),
        exact=False,
    ),
    Scenario(
        compaction.alert_window,
        {"window": "main", "policy": DEFAULT_WINDOW, "next_tokens": 70},
        e.WindowAlerted(
            level="warning",
            tokens=2,
            next_tokens=70,
            limit=100,
            ratio=0.72,
            levels={"warning": 0.7},
            policy="default",
            policy_version=1,
        ),
        (HELLO, e.WindowConfigured(limit=100)),
    ),
)

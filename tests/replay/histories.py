"""Random histories: what can happen to sessions, said in small numbers that hypothesis can shrink, and carried out."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from backstory.application.bootstrap import make_runtime
from backstory.application.context.result import Context
from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.application.window.compact import ALGORITHMS
from backstory.domain.effects import (
    Effects,
    Extension,
    Judgement,
    Mark,
    NewItem,
    Recount,
    Removal,
    Revision,
    WindowSettings,
)
from backstory.domain.errors import BackstoryError, ContextOverflow
from backstory.domain.events import EventBody
from backstory.domain.policies.assembly import DEFAULT_ASSEMBLY, AssemblyPolicy
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.policies.tiers import TierPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.trust import ORIGINS, Trust
from backstory.domain.values import Tier

FLAGS = ("instructions", "secret:jwt")
WINDOWS = ("main", "small", "other")
ENCODINGS = ("o200k_base", "cl100k_base", None)
TEXTS = (
    "We decided to use RS256 in auth/jwt.py because it is safer. Remember this.",
    "short",
    "ünïcödé 漢字 and some more words",
    "x" * 1500,
    "nul \0 inside",
    "the same long text " * 80,
)
FOCUSES = (("a.py", "b.py"), tuple(f"src/deep/down/module_{n}.py" for n in range(40)), ("x" * 200,))
TIERS = tuple(Tier)
WINDOW_POLICIES = (
    WindowPolicy(),
    WindowPolicy(
        name="eager",
        messages_kept=2,
        stub_results_older_than=1,
        stub_step=1,
        stub_least_tokens=0,
        cluster_size=2,
        cluster_similarity=0.1,
        by_count=True,
        cluster_every=3,
        archive_every=6,
    ),
    WindowPolicy(
        name="early", stubs_from=0.1, warning=0.2, checkpoint_from=0.3, danger=0.4, prune_target=0.3
    ),
)
FORMATS = ("openai", "anthropic", "markdown", "parts")
BUDGETS = (0, 60, 300, 1_000, 3_000, 8_000, 20_000, 100_000, 200_000)
POLICIES = (
    DEFAULT_ASSEMBLY,
    AssemblyPolicy(name="narrow", history_step=2, entities=2, decisions=1, shares={"older": 1.0}),
)
MOMENTS = (datetime(1999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC))


class Happened(EventBody):
    """An event of a user's."""

    type = "replay:happened"
    note: str = ""


Step = tuple[str, int, int, int]

small = st.integers(0, 11)
STEPS = (
    *("message", "message", "message", "save", "tool_call", "tool_result", "tool_result", "parallel_calls"),
    *(
        "set_goal",
        "sub_goal",
        "update_goal",
        "complete_goal",
        "add_action",
        "block_action",
        "complete_action",
    ),
    *("ask", "answer", "add_constraint", "remove_constraint", "start_task", "complete_task", "decide"),
    *("remove", "remove", "bring_back", "bring_back", "touch", "deprecate", "error", "resolve_error"),
    *("configure", "configure", "end", "resume", "rename", "tag", "checkpoint", "join", "project", "note"),
    *("focus", "focus"),
    *("context", "context", "summarize", "system_prompt", "pin", "compact", "confirm", "call"),
    *("clear", "undo_clear", "undo_clear"),
    *(
        "compact_by",
        "compact_by",
        "restore_results",
        "undo_compaction",
        "expand",
        "before_call",
        "before_call",
    ),
    *("prune", "flash_save", "checkpoint_if_due", "restore", "recover"),
    *("update_tiers", "update_tiers", "choose_tiers"),
    *("custom", "custom", "custom", "atomic", "erase", "erase_everywhere"),
    *("backtrack", "backtrack", "backtrack", "redo", "fork", "fork"),
)
steps = st.tuples(st.sampled_from(STEPS), small, small, small)


def histories(longest: int, *, without: str = "nothing") -> st.SearchStrategy[list[Step]]:
    """Steps, but for those whose name begins with a word."""
    return st.lists(steps.filter(lambda step: not step[0].startswith(without)), min_size=6, max_size=longest)


def a_store(store: ContextStore, *, fold_version: int = 1, snapshot_every: int = 4) -> ContextStore:
    """The same store, leaving many more snapshots, or with another fold."""
    database = store._runtime.database
    reader = type(store._runtime.reader)(database, fold_version=fold_version, snapshot_every=snapshot_every)
    return ContextStore(make_runtime(database, reader))


@dataclass
class Told:
    """A session, with each state that was seen right after the version came to be."""

    session: Session
    seen: dict[int, ContextState] = field(default_factory=dict)
    contexts: list[Context] = field(default_factory=list)

    def look(self) -> None:
        state = self.session.state
        self.seen.setdefault(state.version, state)


class World:
    """Sessions that things happen to."""

    def __init__(self, store: ContextStore) -> None:
        self.store = store
        self.told: list[Told] = []
        self._begin(store.start(title="the beginning", tags=["a"], limit=1000))

    def _begin(self, session: Session, seen: dict[int, ContextState] | None = None) -> None:
        self.told.append(Told(session, dict(seen or {})))
        self.told[-1].look()

    def go_on_in(self, store: ContextStore) -> None:
        """The same sessions through another store."""
        self.store = store
        for told in self.told:
            told.session = store.session(told.session.id)

    def tell(self, history: list[Step]) -> None:
        for step in history:
            self.happen(step)

    def happen(self, step: Step) -> None:
        """One step, in a session that it picks. What is refused changes nothing."""
        name, which, *_ = step
        told = self.told[which % len(self.told)]
        before = {other.session.id: other.session.version for other in self.told}
        try:
            getattr(self, f"_{name}", self._plainly)(told, *step)
        except BackstoryError:
            assert {other.session.id: other.session.version for other in self.told} == before
            return
        for other in self.told:
            other.session.refresh()
            if before.get(other.session.id) != other.session.version:
                other.look()

    # What needs a place to happen at

    def _some(self, places: Any, number: int, otherwise: int = 1) -> Any:
        known = sorted(places)
        return known[number % len(known)] if known else otherwise

    def _plainly(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        session, state, text = told.session, told.session.state, TEXTS[b % len(TEXTS)]
        speaker: Any = session.by(f"agent-{c % 2}") if c % 3 == 0 else session
        if (b + c) % 3 == 0:
            speaker = speaker.occurred(MOMENTS[c % len(MOMENTS)]).caused_by(1)
        item = self._some(state.items, b)
        match name:
            case "message":
                windows = WINDOWS[: c % 3 + 1] if b % 3 == 0 else ("main",)
                speaker.message(text, role=("user", "agent", "system")[c % 3], windows=windows)
            case "save":
                windows = tuple(dict.fromkeys((WINDOWS[b % 3], WINDOWS[c % 3]))) if c % 4 else ()
                speaker.items.save(
                    "code", text, windows=windows, importance=b / 11, references=[item], task="T0"
                )
            case "tool_call":
                speaker.tool_call("grep", {"b": b}, call_id=f"call-{c % 3}")
            case "tool_result":
                speaker.tool_result(self._some(state.open_calls, c, "none"), text, is_error=bool(b % 2))
            case "set_goal":
                speaker.work.set_goal(text, priority="high")
            case "sub_goal":
                speaker.work.set_goal(text, parent=self._some(state.goals, c))
            case "update_goal":
                changes = ({"text": text}, {"status": "in-progress"}, {"priority": "P0", "text": text})[c % 3]
                speaker.work.update_goal(self._some(state.goals, b), **changes)
            case "complete_goal":
                speaker.work.complete_goal(self._some(state.goals, b))
            case "add_action":
                speaker.work.add_action(text, blocked_by="rain" if c % 2 else None, layer=c % 6)
            case "block_action":
                speaker.work.block_action(self._some(state.actions, b), text if c % 2 else None)
            case "complete_action":
                speaker.work.complete_action(self._some(state.actions, b))
            case "ask":
                speaker.work.ask(text, context="why" if c % 2 else None, blocks=[item])
            case "answer":
                speaker.work.answer(self._some(state.questions, b), text)
            case "add_constraint":
                speaker.work.add_constraint(text)
            case "remove_constraint":
                speaker.work.remove_constraint(self._some(state.constraints, b))
            case "start_task":
                speaker.work.start_task(f"T{b % 4}", text, acceptance_criteria=["one", "two"][: c % 3])
            case "complete_task":
                speaker.work.complete_task(self._some(state.tasks, b, "none"))
            case "decide":
                speaker.decide(text, rationale="because", alternatives_rejected=["this", "that"][: c % 3])
            case "remove":
                speaker.items.remove(item, window=WINDOWS[c % 3] if c % 2 else None)
            case "bring_back":
                speaker.items.bring_back(
                    self._some([i.id for i in session.items.list()], b), window=WINDOWS[c % 3]
                )
            case "touch":
                speaker.items.touch(*{item, self._some([i.id for i in session.items.list()], c)})
            case "deprecate":
                speaker.items.deprecate(item, by=self._some(state.items, c) if c % 2 else None)
            case "error":
                speaker.progress.error(text, name="Boom" if c % 2 else None)
            case "resolve_error":
                speaker.progress.resolve_error(self._some(state.errors, b))
            case "end":
                speaker.end(text)
            case "resume":
                speaker.resume()
            case "rename":
                speaker.details.rename(text)
            case "tag":
                speaker.details.tag(*[f"t{n}" for n in range(b % 3)])
            case "checkpoint":
                speaker.checkpoints.create(f"c{b % 3}")
            case "join":
                speaker.details.join(f"agent-{b % 3}", mode=str(c), capabilities=["x"])
            case "project":
                speaker.details.set_project(f"p{b % 3}", status="going" if c % 2 else None)
            case "focus":
                speaker.progress.focus(FOCUSES[c % len(FOCUSES)], last_edited="b.py" if b % 2 else None)
            case "note":
                notes = (
                    lambda: speaker.progress.set_phase("build"),
                    lambda: speaker.progress.set_layer(b % 6),
                    lambda: speaker.progress.set_clarity(b),
                    lambda: speaker.progress.focus(remove=FOCUSES[c % len(FOCUSES)]),
                    lambda: speaker.progress.command_executed("ls", exit_code=c),
                    lambda: speaker.progress.file_updated("a.py"),
                    lambda: speaker.progress.commit_made("abc", message=text),
                    lambda: speaker.model_called(None, "m", {"input_tokens": b, "output_tokens": c}),
                )
                notes[(b + c) % len(notes)]()
            case "erase" | "erase_everywhere":
                session.erase(
                    self._some([i.id for i in session.items.list()], b), "law", everywhere=name != "erase"
                )
            case _:
                raise AssertionError(name)

    def _parallel_calls(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        calls = [
            {"type": "tool_use", "id": f"p{b}-{n}", "name": "t", "input": {"n": n}} for n in range(c % 3 + 1)
        ]
        told.session.message({"role": "assistant", "content": calls}, format="anthropic")

    def _configure(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.configure(
            WINDOWS[b % 3], encoding=ENCODINGS[c % 3], limit=100 * (b + 1) if b % 2 else None
        )

    def _context(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        agent: Any = told.session.by(f"agent-{c % 2}") if c % 3 == 0 else told.session
        context = agent.context(
            BUDGETS[(b + c) % len(BUDGETS)],
            query=TEXTS[b % len(TEXTS)] if c % 2 else None,
            window=WINDOWS[b % 3] if WINDOWS[b % 3] in told.session.state.windows else "main",
            format=FORMATS[c % 4],
            policy=POLICIES[b % len(POLICIES)],
            summary=SummaryPolicy(every=c + 1, most_tokens=200),
        )
        told.contexts.append(context)

    def _call(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        """Of the newest context, by a provider that counts more than we do."""
        if told.contexts:
            context = told.contexts[-1]
            told.session.model_called(context, "m", {"input_tokens": context.tokens * (b + 8) // 8 + c})

    def _summarize(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.summarize(policy=SummaryPolicy(most_tokens=100 + 50 * c))

    def _system_prompt(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.set_system_prompt(TEXTS[b % len(TEXTS)])

    def _clear(self, told: Told, _: str, *numbers: int) -> None:
        told.session.window.clear()

    def _compact_by(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.compact(
            ALGORITHMS[b % len(ALGORITHMS)],
            window=WINDOWS[c % 3] if b % 4 == 0 else "main",
            policy=WINDOW_POLICIES[(b + c) % len(WINDOW_POLICIES)],
        )

    def _restore_results(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.restore_results(self._some(told.session.state.stubs, b))

    def _undo_compaction(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        standing = told.session.state.compactions
        told.session.window.undo_compaction(self._some(standing, b) if c % 2 else None)

    def _expand(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.expand(self._some(told.session.state.compactions, b))

    def _before_call(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        if c % 4 == 0:
            told.session.window.choose_policy(WINDOW_POLICIES[b % len(WINDOW_POLICIES)])
        before = told.session.state
        try:
            told.session.before_call(next_tokens=b * 40, next_operation="large_merge" if c % 5 == 0 else None)
        except ContextOverflow:
            # What it had done by then loses nothing.
            after = told.session.state
            assert [note.id for note in before.decisions] == [note.id for note in after.decisions]

    def _prune(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.prune(
            b / 100, aggressive=c % 3 == 0, window=WINDOWS[c % 3] if b % 4 == 0 else "main"
        )

    def _flash_save(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.flash_save(agent=f"agent-{c % 2}" if b % 3 == 0 else None)

    def _checkpoint_if_due(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.checkpoints.create_if_due("large_merge" if b % 2 else None, next_tokens=c * 90)

    def _restore(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.checkpoints.restore(
            self._some([mark.version for mark in told.session.checkpoints.list()], b)
        )

    def _recover(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        before = told.session.state
        try:
            told.session.window.recover(next_tokens=900 + b * 10)
        except ContextOverflow:
            after = told.session.state
            assert (after.items, after.windows) == (before.items, before.windows)

    def _undo_clear(self, told: Told, _: str, *numbers: int) -> None:
        told.session.window.undo_clear()

    def _update_tiers(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.tiers.update(MOMENTS[c % len(MOMENTS)] + timedelta(hours=b * b))

    def _choose_tiers(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.window.choose_policy(
            TierPolicy(f"p{b}", hot=0.5 + c / 24, warm=0.1 + c / 40, tau_hours=1.0 + b)
        )

    def _pin(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        state = told.session.state
        if c % 3 or not state.pins:
            told.session.items.pin(self._some(state.items, b))
        else:
            told.session.items.unpin(self._some(state.pins, b))

    def _compact(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        live = [item.id for item in told.session.state.live()]
        gone, dropped = live[b : b + 3], live[b + 3 : b + 3 + c % 3]
        told.session.window.compacted(
            TEXTS[c % len(TEXTS)] if gone else None, summarized=gone, dropped=dropped, algorithm="by hand"
        )

    def _confirm(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        decision = self._some([note.id for note in told.session.state.decisions], b)
        if c % 2:
            told.session.decisions.confirm(decision)
        else:
            told.session.decisions.dismiss(decision, why="not meant")

    def _atomic(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        with told.session.by("atom").atomic() as tx:
            tx.message(TEXTS[b % len(TEXTS)])
            tx.tool_call("t", {}, call_id="in one")
            tx.tool_result("in one", "result")
            if told.session.state.goals:
                tx.work.complete_goal(self._some(told.session.state.goals, c))
            if c % 2 and told.session.state.items:
                tx.items.remove(self._some(told.session.state.items, b))

    def _custom(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.record(Happened(note=str(b)), effects=self._effects(told.session, b, c))

    def _effects(self, session: Session, b: int, c: int) -> Effects:
        """Several verbs at once, on items live and gone, own and unknown."""
        state = session.state
        known = [item.id for item in session.items.list()] or [1]
        some = tuple(dict.fromkeys((known[b % len(known)], known[c % len(known)], state.version + 1, 10_000)))
        window = WINDOWS[c % 3]
        verbs: list[dict[str, Any]] = [
            {
                "brings": NewItem(
                    type=("artifact", "decision", "message")[c % 3],
                    tokens=b,
                    importance=b / 11,
                    tier=TIERS[c % 3],
                    encoding="cl100k_base" if c % 2 else None,
                    recounts={"o200k_base": 7 * b, "cl100k_base": c} if b % 2 else {},
                    windows=WINDOWS[b % 3 :] if b % 4 else (),
                    agent="someone" if c % 2 else None,
                    private=bool(c % 2),
                    task="T1" if b % 2 else None,
                    references=some[:1],
                    origin=ORIGINS[b % len(ORIGINS)],
                    trust=Trust.UNTRUSTED if c % 2 else None,
                    quarantined=not b % 4,
                    flags=FLAGS[: c % 3],
                )
            },
            {
                "judges": Judgement(
                    items=some,
                    trust=Trust(b % 3),
                    quarantined=(None, True, False)[c % 3],
                    cleared=FLAGS[1 : b % 4],
                )
            },
            {"removes": (Removal(items=some, disposition="summarized", window=window if c % 2 else None),)},
            {
                "removes": (
                    Removal(items=some[:1], disposition="one", window=window),
                    Removal(items=some, disposition="all"),
                )
            },
            {"touches": some, "tiers": {TIERS[b % 3]: some[:1], TIERS[(b + 1) % 3]: some[1:]}},
            {
                "extends": Extension(
                    item=some[0], tokens=b + 1, origin=ORIGINS[c % len(ORIGINS)], flags=FLAGS[b % 3 :]
                )
            },
            {
                "revises": Revision(
                    item=some[0],
                    tokens=c,
                    encoding="cl100k_base" if b % 2 else None,
                    origin=ORIGINS[b % len(ORIGINS)] if c % 2 else None,
                    flags=FLAGS[: b % 2],
                )
            },
            {
                "counts": Recount(
                    encoding="cl100k_base" if b % 2 else "o200k_base", tokens=dict.fromkeys(some, c)
                )
            },
            {"window": WindowSettings(name=window, limit=b + 1, encoding=ENCODINGS[b % 3], model="m")},
            {
                "labels": {
                    "status": ("open", "ended")[c % 2],
                    "project": None,
                    "mood": ("good", 5, True, ["a"])[b % 4],
                }
            },
            {"labels": {"mood": None, "tags": ["x", "y"]}, "marks": Mark(name="custom")},
        ]
        chosen = (verbs[(b + c) % len(verbs)], verbs[b % len(verbs)], verbs[c % len(verbs)])
        return Effects(**(chosen[0] | chosen[1] | chosen[2]))

    def _backtrack(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        """Anywhere: near, far, to an abandoned branch, in a fork to before it began."""
        newest = told.session.version
        to = max(1, newest - b - 1) if c % 4 else (b * 12 + c) % newest + 1
        told.session.backtrack(to, "another way")

    def _redo(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        told.session.redo()

    def _fork(self, told: Told, name: str, a: int, b: int, c: int) -> None:
        if len(self.told) == 4:
            return
        at = (b * 12 + c) % told.session.version + 1 if b % 3 else None
        child = told.session.fork(at, title="a fork" if c % 2 else None)
        until = child.version - 1
        self._begin(child, {version: state for version, state in told.seen.items() if version <= until})

"""What an item is worth when a window is pruned: the matrix of four priorities, and 0 to 100 points."""

from typing import Any

import pytest

from backstory.domain import events as e
from backstory.domain.effects import Effects
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.pruning import DEFAULT_PRUNING, PruningPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import microseconds
from backstory.domain.window.essentials import essential_items
from backstory.domain.window.priorities import ItemPriorities, KeepPriority
from backstory.testing import BEGINNING, Fact, given, item, part, text

MINUTE = 60_000_000
FEW = WindowPolicy(messages_kept=1)
START = microseconds(BEGINNING)


def user(said: str = "hello") -> e.MessageAdded:
    return e.MessageAdded(role="user", parts=(part(said),))


def agent(said: str = "hi") -> e.MessageAdded:
    return e.MessageAdded(role="agent", parts=(part(said),))


def saved(type_: str = "code", path: str | None = None, **fields: Any) -> tuple[e.EventBody, Effects]:
    return e.ItemSaved(parts=(part("x"),), path=path), Effects(brings=item(type_, **fields))


def task(name: str, **fields: Any) -> e.TaskStarted:
    return e.TaskStarted(task=name, text=text(name), **fields)


def weigh(state: ContextState, minutes: float = 0, **fields: Any) -> ItemPriorities:
    return ItemPriorities(
        state, at=START + int(minutes * MINUTE), essential=essential_items(state, policy=FEW), **fields
    )


@pytest.mark.parametrize(
    ("minutes", "points"), [(0, 30), (4.9, 30), (5.1, 20), (29, 20), (31, 10), (119, 10), (121, 0)]
)
def test_recency_is_worth_up_to_30(minutes: float, points: int) -> None:
    state = given(saved("note")).state
    assert weigh(state, minutes).points(state.items[1]) == points


def test_an_access_makes_an_item_recent_again() -> None:
    state = given(saved("note")).state
    touched = state.items[1]._replace(touched=START + 200 * MINUTE, accesses=1)
    assert weigh(state, 201).points(touched) == 30 + 2


def test_the_current_task_is_worth_40_and_what_it_depends_on_25() -> None:
    state = given(
        saved("note", task="T-1"),
        saved("note", task="T-0"),
        saved("note", task="T-9"),
        task("T-1", depends_on_tasks=("T-0",)),
        saved("note"),
    ).state
    points = {n: weigh(state, 200).points(state.items[n]) for n in (1, 2, 3, 5)}
    assert points == {1: 40, 2: 25, 3: 0, 5: 40}


def test_a_file_that_the_task_depends_on_counts_as_a_dependency() -> None:
    state = given(saved("note"), saved("note"), task("T-1", depends_on_files=("a.py",))).state
    weighing = weigh(state, 200, paths={1: "a.py", 2: "b.py"})
    assert [weighing.points(state.items[n]) for n in (1, 2)] == [25, 0]


def test_types_are_worth_up_to_20() -> None:
    state = given(
        e.SystemPromptSet(text=text("be brief")),
        saved("code"),
        saved("example"),
        saved("anything"),
        user(),
        agent(),
        saved("CODE"),
    ).state
    assert [weigh(state, 200).points(one) for one in state.items.values()] == [20, 15, 5, 0, 12, 8, 15]


def test_references_and_accesses_are_worth_up_to_10() -> None:
    cited = [saved("note", references=(1,)) for _ in range(3)]
    state = given(saved("note"), *cited).state
    assert weigh(state, 200).points(state.items[1]) == 6
    assert weigh(state, 200).points(state.items[1]._replace(accesses=9)) == 10


def test_nothing_is_worth_more_than_100() -> None:
    state = given(task("T-1"), *[saved("note", references=(1,)) for _ in range(9)]).state
    assert weigh(state, 0).points(state.items[1]) == 100
    with pytest.raises(
        Exception, match=r"policy.types: must not give more than 100 points in all, gives 101"
    ):
        PruningPolicy(current_task=41)


def priorities(
    facts: list[Fact], paths: dict[int, str] | None = None, **fields: Any
) -> dict[int, KeepPriority]:
    state = given(*facts).state
    weighing = weigh(state, paths=paths or {}, **fields)
    return {number: weighing.priority(one) for number, one in state.items.items()}


def test_the_prompt_the_task_the_last_questions_and_the_newest_error_are_always_kept() -> None:
    found = priorities(
        [
            e.SystemPromptSet(text=text("be brief")),
            *[user() for _ in range(5)],
            e.ErrorMet(text=text("old")),
            e.ErrorMet(text=text("new")),
            task("T-1"),
        ]
    )
    always = {number for number, priority in found.items() if priority == KeepPriority.ALWAYS_KEEP}
    assert always == {1, 4, 5, 6, 8, 9}
    assert found[7] == KeepPriority.KEEP_IF_RELEVANT


def test_the_file_that_is_edited_is_always_kept_and_its_older_copies_never() -> None:
    focus = e.FilesFocused(files=("a.py", "b.py"), last_edited="a.py")
    found = priorities(
        [saved(path="a.py"), saved(path="a.py"), saved(path="b.py"), focus], {1: "a.py", 2: "a.py", 3: "b.py"}
    )
    assert list(found.values()) == [
        KeepPriority.ALWAYS_PRUNE,
        KeepPriority.ALWAYS_KEEP,
        KeepPriority.KEEP_IF_RELEVANT,
    ]


def test_recent_tasks_are_relevant_and_old_ones_are_always_pruned() -> None:
    done: list[Fact] = []
    for number in range(8):
        done += [task(f"T-{number}"), e.TaskCompleted(task=f"T-{number}")]
    kept = [saved("note", task=f"T-{number}") for number in range(8)]
    found = list(priorities([*kept, *done]).values())
    assert (
        found
        == [KeepPriority.ALWAYS_PRUNE] * 3
        + [KeepPriority.KEEP_IF_SPACE] * 2
        + [KeepPriority.KEEP_IF_RELEVANT] * 3
    )


def test_a_task_that_the_state_has_forgotten_is_an_old_one() -> None:
    done: list[Fact] = []
    for number in range(12):
        done += [task(f"T-{number}"), e.TaskCompleted(task=f"T-{number}")]
    assert priorities([saved("note", task="T-0"), *done]) == {1: KeepPriority.ALWAYS_PRUNE}
    assert priorities([saved("note", task="never started")]) == {1: KeepPriority.KEEP_IF_SPACE}


def test_pull_requests_and_file_structures_are_kept_if_relevant() -> None:
    found = priorities([saved("pull_request"), saved("FILE_STRUCTURE"), saved("note"), task("T-1")])
    assert list(found.values())[:3] == [
        KeepPriority.KEEP_IF_RELEVANT,
        KeepPriority.KEEP_IF_RELEVANT,
        KeepPriority.KEEP_IF_SPACE,
    ]


def test_the_last_five_messages_of_kind_feedback_are_relevant() -> None:
    feedback = [
        e.MessageAdded(role=("user", "agent")[n % 2], parts=(part("no"),), kind="feedback") for n in range(7)
    ]
    found = priorities([user("before"), *feedback, *[user() for _ in range(4)], agent()])
    relevant = [number for number, priority in found.items() if priority == KeepPriority.KEEP_IF_RELEVANT]
    assert relevant == [4, 5, 6, 7, 8]
    assert found[9] == KeepPriority.KEEP_IF_SPACE


def test_of_equal_contents_all_but_the_newest_are_always_pruned() -> None:
    facts = [saved("note", tokens=30), saved("code", tokens=30), user(), saved("note", tokens=30)]
    same = {1: "a", 2: "a", 4: "a"}
    pruned = [KeepPriority.ALWAYS_PRUNE] * 2
    assert [priorities(facts, digests=same)[item] for item in (1, 2)] == pruned
    assert priorities(facts, digests=same)[4] == KeepPriority.KEEP_IF_SPACE
    pinned = [*facts, e.ItemPinned(item=1)]
    assert priorities(pinned, digests=same)[1] == KeepPriority.ALWAYS_KEEP
    assert [priorities(pinned, digests=same)[item] for item in (2, 4)] == pruned


def test_a_short_text_said_twice_is_no_repetition() -> None:
    facts = [saved("note", tokens=19), saved("note", tokens=19)]
    assert KeepPriority.ALWAYS_PRUNE not in priorities(facts, digests={1: "a", 2: "a"}).values()


def test_what_one_agent_may_read_does_not_stand_in_for_what_others_may() -> None:
    facts = [
        saved("note", tokens=30, agent=agent, private=private)
        for agent, private in (("a", True), ("b", True), ("a", True), (None, False))
    ]
    digests = dict.fromkeys(range(1, 5), "same")
    assert list(priorities(facts, digests=digests).values()) == [KeepPriority.ALWAYS_PRUNE] * 3 + [
        KeepPriority.KEEP_IF_SPACE
    ]
    assert list(priorities(facts[:3], digests=digests).values()) == [
        KeepPriority.ALWAYS_PRUNE,
        KeepPriority.KEEP_IF_SPACE,
        KeepPriority.KEEP_IF_SPACE,
    ]


def test_debug_output_is_always_pruned_and_examples_need_space() -> None:
    found = priorities([saved("debug"), saved("example"), agent(), agent()])
    assert list(found.values())[:3] == [
        KeepPriority.ALWAYS_PRUNE,
        KeepPriority.KEEP_IF_SPACE,
        KeepPriority.KEEP_IF_SPACE,
    ]


def test_settings_name_what_differs() -> None:
    assert DEFAULT_PRUNING.settings() == {}
    mine = PruningPolicy(name="mine", threshold=30, disposable=["junk"], recency={1: 10})  # type: ignore[arg-type]
    assert mine.settings() == {"threshold": 30, "disposable": ["junk"], "recency": {"1": 10}}


@pytest.mark.parametrize(
    ("numbers", "field"),
    [
        ({"types": {"note": -1}}, "types.note"),
        ({"types": 3}, "types"),
        ({"recency": {"five": 3}}, "recency"),
        ({"threshold_step": 0}, "threshold_step"),
        ({"feedback": -1}, "feedback"),
        ({"relevant": "pull_request"}, "relevant"),
        ({"disposable": "debug"}, "disposable"),
        ({"name": ""}, "name"),
    ],
)
def test_a_number_that_breaks_a_rule_is_named(numbers: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput, match=f"^policy.{field}: "):
        PruningPolicy(**numbers)

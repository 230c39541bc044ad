"""The law of budgets: whatever a task names, prompt and reserve stay within the budget."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, strategies as st

from backstory import BudgetTooSmall, ContextStore, count_tokens, create_context_system
from backstory.domain.tasks.budget import fair_shares
from tests.properties import examples
from tests.tasks.conftest import FILES, write

LINES = st.sampled_from(
    [
        "def f{n}():",
        "    return {n}",
        "",
        "class C{n}:",
        "x = 'ünïcödé 日本語'",
        "```",
        "# The task",
        "a" * 300,
    ]
)
FILE = st.lists(LINES, max_size=400).map(
    lambda lines: "\n".join(line.format(n=number) for number, line in enumerate(lines))
)


def said(context: Any) -> str:
    """All texts that a provider is sent."""
    parts = [context.text or "", context.system or ""]
    return "\n\n".join([*parts, *(one["content"] for one in context.messages)])


@examples(20)
@given(
    files=st.dictionaries(st.sampled_from(["a.py", "b.py", "c.ts", "notes.txt", "d.go"]), FILE, max_size=5),
    description=st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=2_000),
    extra=st.integers(0, 4_000),
    reserved=st.integers(0, 3_000),
    format=st.sampled_from(["openai", "anthropic", "markdown"]),
)
def test_prompt_and_reserve_stay_within_the_budget(
    store: ContextStore, files: dict[str, str], description: str, extra: int, reserved: int, format: str
) -> None:
    custom = {"system_prompt": 200, "repo_map": 300, "codebase_docs": 200, "task_spec": 100}
    with TemporaryDirectory() as folder:
        for path, text in files.items():
            write(Path(folder), path, text)
        system = create_context_system(
            store,
            {"name": f"law-{uuid4().hex[:8]}", "path": folder},
            custom_budget={**custom, "reserved": reserved},
        )
        total = 800 + reserved + extra
        task = {"id": "T", "name": "Do it", "description": description, "files": sorted(files)}
        options = {"max_tokens": total, "format": format}
        result = system.integration.prepare_agent_context("coder", task, options)
    context = result.context
    if context is None:
        assert "max_tokens: must be at least" in str(result.error)
        return
    assert count_tokens(said(context)) <= context.token_count
    assert context.token_count + reserved == context.breakdown.total <= total
    assert system.manager.validate_context(context).valid


@pytest.mark.parametrize("total", [24_000, 24_001, 24_500, 25_000, 30_000, 60_000])
def test_the_smallest_budgets_hold_too(store: ContextStore, folder: Path, total: int) -> None:
    for number in range(30):
        write(folder, f"shop/more{number}.py", FILES["shop/basket.py"] * 40)
    system = create_context_system(store, {"name": "small", "path": str(folder)})
    task = {"id": "T", "name": "Round totals", "files": [f"shop/more{number}.py" for number in range(20)]}
    context = system.manager.build_fresh_context(task, {"max_tokens": total}, record=False)
    assert count_tokens(said(context)) + 16_000 <= context.breakdown.total <= total


def test_a_task_that_does_not_fit_is_refused_with_what_is_needed(store: ContextStore, folder: Path) -> None:
    system = create_context_system(store, {"name": "large", "path": str(folder)})
    task = {"id": "T", "name": "Read", "description": "word " * 15_000}
    with pytest.raises(BudgetTooSmall, match=r"at least 3\d,\d{3}: the system prompt has") as refused:
        system.manager.build_fresh_context(task, {"max_tokens": 24_000})
    context = system.manager.build_fresh_context(task, {"max_tokens": refused.value.needed})
    assert context.breakdown.total <= refused.value.needed


def test_what_code_and_memories_leave_goes_to_the_files(store: ContextStore, folder: Path) -> None:
    write(folder, "shop/long.py", "".join(f"def step_{n}():\n    return {n}\n\n\n" for n in range(3_000)))
    system = create_context_system(store, {"name": "passed", "path": str(folder)})
    task = {"id": "T", "name": "Step", "files": ["shop/long.py"]}
    budget = system.budgeter.create_budget(30_000)
    context = system.manager.build_fresh_context(
        task, {"max_tokens": 30_000, "max_code_results": 0, "max_memories": 0}
    )
    assert context.breakdown.files > budget.files + budget.code_results + budget.memories


@given(needs=st.lists(st.integers(0, 5_000), max_size=12), total=st.integers(-10, 20_000))
def test_shares_are_fair(needs: list[int], total: int) -> None:
    shares = fair_shares(needs, total)
    assert all(0 <= share <= need for share, need in zip(shares, needs, strict=True))
    assert sum(shares) <= max(0, total)
    short = [share for share, need in zip(shares, needs, strict=True) if share < need]
    # Who gets less than it needs gets no less than anybody else, to a token.
    assert all(share >= max(shares) - len(needs) for share in short)
    assert short == [] or sum(shares) == total or total <= 0

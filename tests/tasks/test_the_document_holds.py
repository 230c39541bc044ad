"""The numbers and examples of the document on fresh contexts, one by one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from backstory import (
    BudgetTooSmall,
    ContextBuilder,
    ContextBuilderOptions,
    ContextDependencies,
    ContextOptions,
    ContextStore,
    ContextSystem,
    FreshContextManager,
    TaskSpec,
    TokenBudgeter,
    create_context_builder,
    create_context_system,
    create_fresh_context_manager,
    create_test_context_system,
)
from tests.tasks.conftest import TASK, write

SystemOf = Callable[..., ContextSystem]


class TestBudget:
    def test_the_usual_one(self) -> None:
        budget = TokenBudgeter().create_budget()
        assert budget.total == 150_000
        assert (budget.system_prompt, budget.repo_map, budget.codebase_docs) == (2_000, 2_000, 3_000)
        assert (budget.task_spec, budget.reserved, budget.fixed) == (1_000, 16_000, 24_000)
        assert (budget.files, budget.code_results, budget.memories) == (75_600, 31_500, 18_900)
        assert budget.dynamic == 126_000

    def test_a_custom_one(self) -> None:
        custom = {
            "system_prompt": 3_000,
            "repo_map": 5_000,
            "codebase_docs": 4_000,
            "task_spec": 2_000,
            "reserved": 20_000,
        }
        budget = TokenBudgeter(custom).create_budget(100_000)
        assert (budget.fixed, budget.dynamic) == (34_000, 66_000)
        assert (budget.files, budget.code_results, budget.memories) == (39_600, 16_500, 9_900)

    def test_a_custom_one_changes_what_it_names(self) -> None:
        budget = TokenBudgeter({"reserved": 1_000}).create_budget(10_000)
        assert (budget.reserved, budget.repo_map, budget.fixed) == (1_000, 2_000, 9_000)

    def test_less_than_the_fixed_part_is_refused_with_both_numbers(self) -> None:
        with pytest.raises(BudgetTooSmall, match=r"at least 24,000.*got 23,999") as refused:
            TokenBudgeter().create_budget(23_999)
        assert refused.value.needed == 24_000

    def test_the_fixed_part_alone_is_enough(self) -> None:
        assert TokenBudgeter().create_budget(24_000).files == 0

    def test_tokens_are_estimated_by_four_characters(self) -> None:
        assert TokenBudgeter.estimate_tokens("Hello, world!") == 4
        assert [TokenBudgeter.estimate_tokens("a" * count) for count in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]

    def test_a_text_is_cut_to_whole_lines_and_says_so(self) -> None:
        budgeter = TokenBudgeter()
        text = "\n".join(f"line {number:04}" for number in range(100))
        shown = budgeter.truncate_to_fit(text, 50)
        assert budgeter.count(shown) <= 50
        *kept, last = shown.split("\n")
        assert kept == text.split("\n")[: len(kept)]
        assert last == f"⋯ {100 - len(kept)} more lines"

    def test_a_text_that_fits_stays(self) -> None:
        assert TokenBudgeter().truncate_to_fit("a\nb", 1) == "a\nb"

    def test_a_text_of_which_nothing_fits_is_empty(self) -> None:
        assert TokenBudgeter().truncate_to_fit("a" * 100, 1) == ""


class TestDefaults:
    def test_of_the_options(self) -> None:
        options = ContextOptions()
        assert options.max_tokens == 150_000
        assert options.include_repo_map is True
        assert options.include_codebase_docs is True
        assert (options.max_relevant_files, options.max_code_results, options.max_memories) == (10, 5, 5)
        assert options.code_search_query is None

    def test_of_the_builder(self) -> None:
        options = ContextBuilderOptions()
        assert options.project_path is None
        assert (options.min_code_relevance, options.min_memory_relevance) == (0.5, 0.4)
        assert options.max_file_size_chars == 100_000


class TestContext:
    def test_every_field(self, system: ContextSystem) -> None:
        context = system.manager.build_fresh_context(TASK, {"max_tokens": 100_000})
        assert "shop/basket.py" in context.repo_map
        assert "class Basket" in context.repo_map
        assert "sells tea and coffee" in context.codebase_docs.architecture_summary
        assert context.task_spec == TaskSpec(**TASK)
        assert context.project_config.name == system.project_config.name
        assert [one.path for one in context.relevant_files][:2] == ["shop/basket.py", "shop/prices.py"]
        assert context.conversation_history == ()
        assert context.token_budget == 100_000
        assert 0 < context.token_count <= 84_000
        assert context.generated_at.tzinfo is not None
        assert context.context_id

    def test_the_prompt_says_it_all(self, system: ContextSystem) -> None:
        context = system.manager.build_fresh_context(TASK, {"format": "markdown"})
        assert context.text is not None
        for said in (
            "# The task: Round the total of a basket",
            "rounded to two places, once, at the end",
            "- The total has two places",
            "Tests: All basket tests pass",
            "It depends on: shop/prices.py",
            "Estimated time: 4",
            "def price_of(product):",
            "def test_total():",
        ):
            assert said in context.text

    def test_messages_for_a_provider(self, system: ContextSystem) -> None:
        openai = system.manager.build_fresh_context(TASK)
        assert [one["role"] for one in openai.messages] == ["system", "user"]
        claude = system.manager.build_fresh_context(TASK, ContextOptions(format="anthropic"))
        assert [one["role"] for one in claude.messages] == ["user"]
        assert claude.system == system.builder.system_prompt

    def test_what_is_not_told_is_detected(self, system: ContextSystem) -> None:
        config = system.manager.build_fresh_context(TASK).project_config
        assert (config.language, config.framework, config.test_framework) == ("python", "fastapi", "pytest")

    def test_what_is_told_stays(self, store: ContextStore, folder: Path) -> None:
        told = {"name": "told", "path": str(folder), "language": "tea", "framework": "pot"}
        config = create_context_system(store, told).manager.build_fresh_context(TASK).project_config
        assert (config.language, config.framework, config.test_framework) == ("tea", "pot", "pytest")

    def test_parts_can_be_left_out(self, system: ContextSystem) -> None:
        context = system.manager.build_fresh_context(
            TASK, {"include_repo_map": False, "include_codebase_docs": False, "max_relevant_files": 1}
        )
        assert context.repo_map == ""
        assert (context.breakdown.repo_map, context.breakdown.codebase_docs) == (0, 0)
        assert [one.path for one in context.relevant_files] == ["shop/basket.py"]
        assert "tea and coffee" not in str(context.messages)

    def test_code_is_searched_by_the_query(self, system: ContextSystem) -> None:
        searched = system.manager.build_fresh_context(
            {"id": "T", "name": "Round", "files": ["shop/basket.py"]},
            {"code_search_query": "apply_discount voucher worth", "max_relevant_files": 1},
        )
        assert [one.name for one in searched.relevant_code][:1] == ["apply_discount"]
        assert searched.relevant_code[0].relevance >= 0.5

    def test_code_never_repeats_a_file_that_is_shown(self, system: ContextSystem) -> None:
        context = system.manager.build_fresh_context(TASK, {"code_search_query": "price total basket"})
        shown = {one.path for one in context.relevant_files}
        assert not shown & {one.path for one in context.relevant_code}

    def test_memories_that_matter(self, store: ContextStore, system: ContextSystem) -> None:
        project = store.project(system.project_config.name)
        project.remember("The total of a basket is rounded half up, never down.", kind="decision")
        project.remember("The office plants are watered on Mondays.")
        context = system.manager.build_fresh_context(TASK)
        (found,) = context.relevant_memories
        assert (found.kind, found.relevance) == ("decision", 1.0)
        assert "rounded half up" in str(context.messages)

    def test_five_of_them_at_most(self, store: ContextStore, system: ContextSystem) -> None:
        project = store.project(system.project_config.name)
        for number in range(8):
            project.remember(f"The total of a basket is rounded: rule {number}.")
        assert len(system.manager.build_fresh_context(TASK).relevant_memories) == 5
        assert len(system.manager.build_fresh_context(TASK, {"max_memories": 2}).relevant_memories) == 2

    def test_tokens_are_estimated(self, system: ContextSystem) -> None:
        assert system.manager.estimate_token_count("Hello, world!") == 4


class TestValidation:
    def test_a_good_one(self, system: ContextSystem) -> None:
        context = system.manager.build_fresh_context(TASK)
        found = system.manager.validate_context(context)
        assert found.valid
        assert found.max_tokens == 150_000
        assert found.token_count == found.breakdown.total == context.token_count + 16_000

    def test_the_breakdown_adds_up(self, system: ContextSystem) -> None:
        told = system.manager.build_fresh_context(TASK).breakdown
        assert told._fields == (
            "system_prompt",
            "repo_map",
            "codebase_docs",
            "task_spec",
            "files",
            "code_results",
            "memories",
            "reserved",
        )
        assert told.total == sum(told)
        assert told.reserved == 16_000

    def test_one_that_is_over_its_budget_is_not_valid(self, system: ContextSystem) -> None:
        from dataclasses import replace

        context = replace(system.manager.build_fresh_context(TASK), token_budget=1_000)
        found = system.manager.validate_context(context)
        assert not found.valid
        assert any("its budget is 1,000" in warning for warning in found.warnings)

    def test_warnings_name_what_is_missing(self, system: ContextSystem) -> None:
        task = {**TASK, "files": ["shop/basket.py", "shop/gone.py"]}
        found = system.manager.validate_context(system.manager.build_fresh_context(task))
        assert found.valid
        assert "left out: shop/gone.py (not found)" in found.warnings

    def test_suggestions_say_what_to_do(self, system: ContextSystem) -> None:
        context = system.manager.build_fresh_context({"id": "T", "name": "Water the plants"})
        said = system.manager.validate_context(context).suggestions
        assert "name the files that the task is about" in said
        assert "say what must hold at the end: acceptance_criteria, test_criteria" in said

    def test_a_cut_file_raises_a_warning_and_a_suggestion(self, system: ContextSystem, folder: Path) -> None:
        write(folder, "shop/long.py", "".join(f"def step_{n}():\n    return {n}\n\n\n" for n in range(2_000)))
        task = {**TASK, "files": ["shop/long.py"]}
        found = system.manager.validate_context(
            system.manager.build_fresh_context(task, {"max_tokens": 26_000})
        )
        assert any(one.startswith("not shown whole: shop/long.py") for one in found.warnings)
        assert "raise max_tokens, or name fewer files, so that files are shown whole" in found.suggestions


class TestWithoutDependencies:
    def test_every_one_of_them(self, system_of: SystemOf, folder: Path) -> None:
        nothing = {
            "repo_map_generator": None,
            "codebase_analyzer": None,
            "code_memory": None,
            "memory_system": None,
        }
        context = system_of(folder, dependencies=nothing).manager.build_fresh_context(TASK)
        assert context.relevant_code == ()
        assert context.relevant_memories == ()
        assert "shop/ (4 files)" in context.repo_map
        assert context.codebase_docs.architecture_summary.startswith("# shop-")
        assert [one.path for one in context.relevant_files] == ["shop/basket.py", "shop/prices.py"]
        assert len(context.notes) == 4

    @pytest.mark.parametrize(
        ("missing", "note"),
        [
            ("repo_map_generator", "no map generator"),
            ("codebase_analyzer", "no codebase analyzer"),
            ("code_memory", "no code memory"),
            ("memory_system", "no memory system"),
        ],
    )
    def test_one_of_them(self, system_of: SystemOf, folder: Path, missing: str, note: str) -> None:
        context = system_of(folder, dependencies={missing: None}).manager.build_fresh_context(TASK)
        assert any(one.startswith(note) for one in context.notes)
        assert note in str(context.messages)

    def test_one_that_fails(self, system_of: SystemOf, folder: Path) -> None:
        class Broken:
            def search(self, *_: object, **__: object) -> None:
                raise ValueError("the index is gone")

        system = system_of(folder, dependencies=ContextDependencies(code_memory=Broken()))
        context = system.manager.build_fresh_context(TASK)
        assert context.relevant_code == ()
        assert "the code search could not be read: ValueError" in context.notes

    def test_one_of_the_caller_s_own(self, system_of: SystemOf, folder: Path) -> None:
        class Map:
            text = "everything is in shop/"

        class Maps:
            def repo_map(self, *_: object) -> Map:
                return Map()

        system = system_of(folder, dependencies={"repo_map_generator": Maps()})
        assert system.manager.build_fresh_context(TASK).repo_map == "everything is in shop/"


class TestFactories:
    def test_a_system_has_its_parts(self, system: ContextSystem) -> None:
        assert isinstance(system.manager, FreshContextManager)
        assert isinstance(system.builder, ContextBuilder)
        assert system.budgeter.create_budget().total == 150_000

    def test_a_system_for_tests_shows_what_the_task_names(self, store: ContextStore, folder: Path) -> None:
        system = create_test_context_system(store, folder)
        context = system.manager.build_fresh_context(TASK)
        assert system.project_config.name == "test-project"
        assert [one.path for one in context.relevant_files] == ["shop/basket.py", "shop/prices.py"]

    def test_parts_alone(self, store: ContextStore, folder: Path) -> None:
        config = {"name": "parts", "path": str(folder)}
        assert create_fresh_context_manager(store, config).project == "parts"
        builder = create_context_builder(store, config)
        assert "class Basket" in builder.build_repo_map(TaskSpec(**TASK), 500)
        assert builder.build_codebase_docs().framework == "fastapi"
        assert builder.build_memories("total", 5, None) == []
        assert builder.build_code_search("apply_discount voucher", 5)[0].path == "shop/discounts.py"

"""A fresh context of a task: what an agent is told, and how its budget was used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backstory.domain.code.codebase import CodebaseDocsSummary
from backstory.domain.code.languages import LeftOut
from backstory.domain.tasks.budget import TokenBreakdown, TokenBudget
from backstory.domain.tasks.values import ContextProjectConfig, TaskSpec


class FileContent(NamedTuple):
    """A file of a fresh context."""

    path: str
    content: str
    """What is shown of it: all of it, or whole definitions with notes of what is left out."""
    language: str | None
    reason: str
    """The reason why it is there: the task names it, it belongs to a file that the task names, or it ranks high."""
    lines: int
    """The lines of the whole file, as far as it was read."""
    truncated: bool
    """Whether something of it is left out."""


class CodeSearchResult(NamedTuple):
    """A piece of code from another file."""

    path: str
    first: int
    """Its first line, counted from 1."""
    last: int
    kind: str | None
    """The kind of its definition; None for lines outside of all."""
    name: str | None
    text: str
    relevance: float
    """The estimated share of such pieces whose file the task changes."""


class MemoryEntry(NamedTuple):
    """A memory of the project."""

    id: int
    kind: str
    title: str | None
    text: str
    at: datetime
    """The time at which it was known."""
    by: str | None
    """The agent or person who recorded it."""
    relevance: float
    """The estimated probability that it tells of what was asked."""


@dataclass(frozen=True)
class TaskContext:
    """The context of a task. It is built from nothing, and holds no conversation."""

    repo_map: str = field(repr=False)
    """A map of the code: the files that matter most, with signatures."""
    codebase_docs: CodebaseDocsSummary = field(repr=False)
    """What the project says of itself."""
    project_config: ContextProjectConfig
    """The project."""
    task_spec: TaskSpec
    """The task."""
    relevant_files: tuple[FileContent, ...] = field(repr=False)
    """The task's files, and those that belong to them."""
    relevant_code: tuple[CodeSearchResult, ...] = field(repr=False)
    """Pieces of code from other files."""
    relevant_memories: tuple[MemoryEntry, ...] = field(repr=False)
    """Memories of the project."""
    conversation_history: tuple[()]
    """Always empty."""
    token_count: int
    """The tokens of the prompt. With what is reserved for the response never more than the budget."""
    token_budget: int
    """The tokens of the prompt and the response together."""
    generated_at: datetime
    """The time that it was made for."""
    context_id: str
    """Its id."""
    agent: str | None
    """The agent it was made for, whose own memories it may show."""
    budget: TokenBudget
    """The tokens that each part could have."""
    breakdown: TokenBreakdown
    """The tokens that each part has."""
    system_prompt: str = field(repr=False)
    """The first part of the prompt."""
    notes: tuple[str, ...]
    """What it does without, and why."""
    left_out: tuple[LeftOut, ...]
    """Files that were asked for and are not shown, each with the reason."""
    format: str
    """The form of the messages."""
    messages: list[dict[str, Any]] = field(repr=False)
    """The prompt for a provider, ready to send; empty as markdown."""
    system: str | list[dict[str, Any]] | None = field(repr=False)
    """The system prompt, where the provider takes it apart."""
    text: str | None = field(repr=False)
    """The prompt as markdown."""
    data: bytes = field(repr=False)
    """The exact bytes."""
    sha256: str
    """Their hash."""
    session: UUID | None = None
    """The session of the task, which recorded it; None for one that was not recorded."""
    version: int | None = None
    """The version of the event that records it."""


class ContextValidation(NamedTuple):
    """What can be said of a context before it is used."""

    valid: bool
    """Whether it keeps to its budget, and is of one task with no conversation."""
    token_count: int
    """The tokens of the prompt and the reserve."""
    max_tokens: int
    breakdown: TokenBreakdown
    warnings: tuple[str, ...]
    suggestions: tuple[str, ...]


class ContextStats(NamedTuple):
    """How the contexts of a project were used."""

    active: int
    """Contexts whose task goes on."""
    built: int
    """All that were ever recorded."""
    tasks: int
    completed: int
    failed: int
    total_tokens: int
    """The tokens of all their prompts."""
    mean_tokens: float
    largest_tokens: int
    mean_usage: float
    """The mean share of the budget that prompt and reserve took."""
    tokens_by_part: Mapping[str, int]
    """The tokens of all prompts by the part that they are in."""


ALMOST_FULL = 0.9
"""The share of a budget from which a warning is given."""


def validate_context(context: TaskContext) -> ContextValidation:
    """Checks a context, and says what could be better."""
    breakdown, budget = context.breakdown, context.budget
    total, most = breakdown.total, context.token_budget
    errors = list(_errors(context, total, most))
    warnings = [*errors, *_warnings(context, total, most)]
    return ContextValidation(
        valid=not errors,
        token_count=total,
        max_tokens=most,
        breakdown=breakdown,
        warnings=tuple(warnings),
        suggestions=tuple(_suggestions(context, budget)),
    )


def _errors(context: TaskContext, total: int, most: int) -> Sequence[str]:
    found = []
    if total > most:
        found.append(f"the context has {total:,} tokens with its reserve, and its budget is {most:,}")
    if context.conversation_history:
        found.append("the context has a conversation: a fresh one has none")
    return found


def _warnings(context: TaskContext, total: int, most: int) -> Sequence[str]:
    found = []
    if most and ALMOST_FULL * most < total <= most:
        found.append(f"the context takes {total / most:.0%} of its budget")
    cut = [one.path for one in context.relevant_files if one.truncated]
    if cut:
        found.append(f"not shown whole: {_named(cut)}")
    missing = [f"{one.path} ({one.reason})" for one in context.left_out]
    if missing:
        found.append(f"left out: {_named(missing)}")
    if not context.relevant_files:
        found.append("the context has no files")
    return [*found, *context.notes]


def _suggestions(context: TaskContext, budget: TokenBudget) -> Sequence[str]:
    found = []
    task = context.task_spec
    if any(one.truncated for one in context.relevant_files):
        found.append("raise max_tokens, or name fewer files, so that files are shown whole")
    if not task.files:
        found.append("name the files that the task is about")
    if not context.relevant_code:
        found.append("give a code_search_query in the words of the code")
    if not task.acceptance_criteria and not task.test_criteria:
        found.append("say what must hold at the end: acceptance_criteria, test_criteria")
    if context.breakdown.task_spec > budget.task_spec:
        found.append("shorten the task, or give it more with a custom budget")
    return found


def _named(names: Sequence[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more

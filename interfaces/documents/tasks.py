"""Fresh contexts of tasks, and how they were used."""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from pydantic import Field

from backstory.interfaces.documents.base import Document

if TYPE_CHECKING:
    from backstory.domain.tasks.context import ContextStats, TaskContext


class TaskSpecDocument(Document):
    """A task."""

    id: str = Field(description="Its id.")
    name: str = Field(description="Its name.")
    description: str = Field(description="Its description.")
    files: list[str] = Field(description="The files that it is about.")
    test_criteria: str = Field(description="The tests that tell that it is done.")
    acceptance_criteria: list[str] = Field(description="What must hold at its end.")
    dependencies: list[str] = Field(description="Further files that it needs.")
    estimated_time: float | None = Field(description="The expected effort, or null.")


class ProjectConfigDocument(Document):
    """A project, and where its files are."""

    name: str = Field(description="Its name.")
    path: str = Field(description="The folder with its files.")
    language: str | None = Field(description="Its language, or null.")
    framework: str | None = Field(description="Its framework, or null.")
    test_framework: str | None = Field(description="The framework of its tests, or null.")


class StatementDocument(Document):
    """Something that a project says of itself."""

    text: str = Field(description="What it says.")
    source: str = Field(description="The file that says it.")


class CodebaseDocsDocument(Document):
    """What a project says of itself."""

    architecture_summary: str = Field(description="What it is.")
    language: str | None = Field(description="Its language, or null.")
    framework: str | None = Field(description="Its framework, or null.")
    test_framework: str | None = Field(description="The framework of its tests, or null.")
    tech_stack: list[StatementDocument] = Field(description="What it is made with.")
    entry_points: list[StatementDocument] = Field(description="Where it begins.")
    conventions: list[StatementDocument] = Field(description="Its conventions.")
    test_commands: list[StatementDocument] = Field(description="How it is tested.")
    structure: list[StatementDocument] = Field(description="Its folders.")


class FileContentDocument(Document):
    """A file of a context."""

    path: str = Field(description="Its path in the project.")
    content: str = Field(description="What is shown of it.")
    language: str | None = Field(description="Its language, or null.")
    reason: str = Field(description="The reason why it is there.")
    lines: int = Field(description="The lines of the whole file, as far as it was read.")
    truncated: bool = Field(description="Whether something of it is left out.")


class CodeSearchResultDocument(Document):
    """A piece of code from another file."""

    path: str = Field(description="The file.")
    first: int = Field(description="Its first line, counted from 1.")
    last: int = Field(description="Its last line.")
    kind: str | None = Field(description="The kind of its definition, or null.")
    name: str | None = Field(description="The name of its definition, or null.")
    text: str = Field(description="The code.")
    relevance: float = Field(description="The estimated share of such pieces whose file the task changes.")


class MemoryEntryDocument(Document):
    """A memory of the project."""

    id: int = Field(description="Its id.")
    kind: str = Field(description="Its kind.")
    title: str | None = Field(description="Its title, or null.")
    text: str = Field(description="Its text.")
    at: datetime = Field(description="The time at which it was known.")
    by: str | None = Field(description="Who recorded it, or null.")
    relevance: float = Field(description="The odds that it is meant, as a share of the best one's.")


class TokenBudgetDocument(Document):
    """The tokens that each part of a context can have."""

    total: int = Field(description="All together.")
    system_prompt: int = Field(description="For the system prompt.")
    repo_map: int = Field(description="For the map.")
    codebase_docs: int = Field(description="For what the project says of itself.")
    task_spec: int = Field(description="For the task.")
    reserved: int = Field(description="For the response.")
    files: int = Field(description="For files.")
    code_results: int = Field(description="For pieces of code.")
    memories: int = Field(description="For memories.")


class TokenBreakdownDocument(Document):
    """The tokens that each part of a context has."""

    system_prompt: int = Field(description="The system prompt.")
    repo_map: int = Field(description="The map.")
    codebase_docs: int = Field(description="What the project says of itself.")
    task_spec: int = Field(description="The task.")
    files: int = Field(description="Files.")
    code_results: int = Field(description="Pieces of code.")
    memories: int = Field(description="Memories.")
    reserved: int = Field(description="Kept for the response.")
    total: int = Field(description="Their sum.")


class LeftOutDocument(Document):
    """A file that was asked for and is not shown."""

    path: str = Field(description="Its path.")
    reason: str = Field(description="The reason.")


class TaskValidationDocument(Document):
    """What can be said of a context before it is used."""

    valid: bool = Field(description="Whether it keeps to its budget.")
    token_count: int = Field(description="The tokens of prompt and reserve.")
    max_tokens: int = Field(description="The most that they may have.")
    breakdown: TokenBreakdownDocument = Field(description="The tokens of each part.")
    warnings: list[str] = Field(description="What is missing or nearly too much.")
    suggestions: list[str] = Field(description="What would make it better.")


class TaskContextDocument(Document):
    """The fresh context of a task."""

    context_id: str = Field(description="Its id.")
    session: UUID | None = Field(description="The session of the task; null for a preview.")
    version: int | None = Field(description="The version that records it; null for a preview.")
    generated_at: datetime = Field(description="The time that it was made for.")
    agent: str | None = Field(description="The agent that it was made for, or null.")
    task_spec: TaskSpecDocument = Field(description="The task.")
    project_config: ProjectConfigDocument = Field(description="The project.")
    codebase_docs: CodebaseDocsDocument = Field(description="What the project says of itself.")
    repo_map: str = Field(description="A map of the code.")
    relevant_files: list[FileContentDocument] = Field(description="The files.")
    relevant_code: list[CodeSearchResultDocument] = Field(description="Pieces of code from other files.")
    relevant_memories: list[MemoryEntryDocument] = Field(description="Memories of the project.")
    conversation_history: list[Any] = Field(description="Always empty.", max_length=0)
    token_count: int = Field(description="The tokens of the prompt.")
    token_budget: int = Field(description="The tokens of prompt and response together.")
    budget: TokenBudgetDocument = Field(description="The tokens that each part could have.")
    breakdown: TokenBreakdownDocument = Field(description="The tokens that each part has.")
    validation: TaskValidationDocument = Field(description="What can be said of it.")
    notes: list[str] = Field(description="What it does without.")
    left_out: list[LeftOutDocument] = Field(description="Files that were asked for and are not shown.")
    system_prompt: str = Field(description="The system prompt.")
    format: str = Field(description="openai, anthropic, markdown or parts.")
    prompt: str = Field(description="The exact bytes as text: JSON, or markdown.")
    sha256: str = Field(description="SHA-256 of the exact bytes.")

    @classmethod
    def of(cls, context: "TaskContext") -> "TaskContextDocument":
        """The document of a context."""
        from backstory.domain.tasks.context import validate_context

        told = {name: getattr(context, name) for name in cls.model_fields if hasattr(context, name)}
        return cls.model_validate(
            {**told, "prompt": context.data.decode(), "validation": validate_context(context)}
        )


class TaskContextsDocument(Document):
    """Contexts whose tasks go on."""

    contexts: list[TaskContextDocument] = Field(description="The contexts.")


class TaskStatsDocument(Document):
    """How the contexts of a project were used."""

    active: int = Field(description="Contexts whose task goes on.")
    built: int = Field(description="All that were ever recorded.")
    tasks: int = Field(description="The tasks that they are of.")
    completed: int = Field(description="Tasks that were completed.")
    failed: int = Field(description="Tasks that failed.")
    total_tokens: int = Field(description="The tokens of all prompts.")
    mean_tokens: float = Field(description="Their mean.")
    largest_tokens: int = Field(description="Their largest.")
    mean_usage: float = Field(description="The mean share of the budget that prompt and reserve took.")
    tokens_by_part: dict[str, int] = Field(description="The tokens of all prompts, by part.")

    @classmethod
    def of(cls, stats: "ContextStats") -> "TaskStatsDocument":
        """The document of statistics."""
        return cls.model_validate(stats)


class TaskEndedDocument(Document):
    """A task that was ended."""

    project: str = Field(description="The project.")
    task: str = Field(description="The task's id.")
    status: str = Field(description="completed or failed.")


class ContextsClearedDocument(Document):
    """Contexts that are in use no more."""

    project: str = Field(description="The project.")
    cleared: int = Field(description="How many there were.")

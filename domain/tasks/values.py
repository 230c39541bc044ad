"""What a caller says of a task, of its project, and of the context that it wants."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from backstory.domain.errors import InvalidInput
from backstory.domain.values import LARGEST, Label, Share, Value, build

Text = Annotated[str, Field(max_length=100_000)]
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


def _printable(text: str) -> str:
    if _CONTROL.search(text):
        raise ValueError("must be printable")
    return text


Path = Annotated[str, Field(min_length=1, max_length=1_000), AfterValidator(_printable)]
Format = Literal["openai", "anthropic", "markdown", "parts"]


class TaskSpec(Value):
    """A task."""

    id: Label
    """Its id, by which contexts of it are found again."""
    name: Text = Field(min_length=1)
    """Its name."""
    description: Text = ""
    """Its description."""
    files: tuple[Path, ...] = Field(default=(), max_length=1_000)
    """The files that it is about, by their paths in the project."""
    test_criteria: Text = ""
    """The tests that tell that it is done."""
    acceptance_criteria: tuple[Text, ...] = Field(default=(), max_length=1_000)
    """What must hold at its end."""
    dependencies: tuple[Path, ...] = Field(default=(), max_length=1_000)
    """Further files that it needs."""
    estimated_time: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """The expected effort, in the caller's own unit."""

    @property
    def words(self) -> str:
        """What it is about, in words: the query by which code and memories are found."""
        said = [self.name, self.description, *self.acceptance_criteria, self.test_criteria]
        return "\n".join(filter(None, said))


class ContextProjectConfig(Value):
    """A project, and where its files are. What is not given is detected."""

    name: Label
    """Its name, the one that its memory and its sessions go by."""
    path: Path
    """The folder with its files."""
    language: Label | None = None
    """Its language."""
    framework: Label | None = None
    """Its framework."""
    test_framework: Label | None = None
    """The framework of its tests."""


class ContextOptions(Value):
    """What a fresh context may have."""

    max_tokens: int = Field(default=150_000, ge=0, le=LARGEST)
    """Tokens of the prompt and the response together."""
    include_repo_map: bool = True
    """Whether it has a map of the code."""
    include_codebase_docs: bool = True
    """Whether it says what the project says of itself."""
    max_relevant_files: int = Field(default=10, ge=0, le=1_000)
    """The most files."""
    max_code_results: int = Field(default=5, ge=0, le=1_000)
    """The most pieces of code from other files."""
    max_memories: int = Field(default=5, ge=0, le=1_000)
    """The most memories."""
    code_search_query: Text | None = Field(default=None, min_length=1)
    """The query for pieces of code; without one, the task's own words."""
    format: Format = "openai"
    """The form of the messages: openai, anthropic, markdown or parts."""


class ContextBuilderOptions(Value):
    """How the parts of a fresh context are built."""

    project_path: Path | None = None
    """The folder to read in place of the project's own."""
    min_code_relevance: Share = 0.5
    """The least relevance of a piece of code."""
    min_memory_relevance: Share = 0.4
    """The least relevance of a memory."""
    max_file_size_chars: int = Field(default=100_000, ge=1, le=1_000_000)
    """The characters of a file that are read; the rest is cut."""


class CustomBudget(Value):
    """Tokens of the fixed parts, where they differ from the usual ones."""

    system_prompt: int | None = Field(default=None, ge=0, le=LARGEST)
    """For the system prompt."""
    repo_map: int | None = Field(default=None, ge=0, le=LARGEST)
    """For the map."""
    codebase_docs: int | None = Field(default=None, ge=0, le=LARGEST)
    """For what the project says of itself."""
    task_spec: int | None = Field(default=None, ge=0, le=LARGEST)
    """For the task."""
    reserved: int | None = Field(default=None, ge=0, le=LARGEST)
    """For the response."""


def checked(model: type[Any], field: str, given: Any) -> Any:
    """A value of a model: as it is, from a mapping of its fields, or for None with its defaults."""
    if isinstance(given, model):
        return given
    if given is None:
        given = {}
    if not isinstance(given, dict):
        raise InvalidInput(field, f"must be a {model.__name__} or its fields, got {type(given).__name__}")
    return build(model, **given)

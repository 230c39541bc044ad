"""Builds the parts of a fresh context, each within its share of the budget."""

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from backstory.application.code.code_base import CodeBase
from backstory.application.tasks.dependencies import OWN, ContextDependencies, ProjectCode
from backstory.application.tasks.files import Candidate, ShownFile, candidates, fit_files, read_candidates
from backstory.application.tasks.recall import ProjectMemories
from backstory.domain.code.codebase import CodebaseDocsSummary
from backstory.domain.code.languages import LeftOut
from backstory.domain.errors import BackstoryError, BudgetTooSmall
from backstory.domain.safety.secrets import without_secrets
from backstory.domain.tasks import render
from backstory.domain.tasks.budget import SHARES, TokenBreakdown, TokenBudget, TokenBudgeter
from backstory.domain.tasks.context import CodeSearchResult, MemoryEntry
from backstory.domain.tasks.values import (
    ContextBuilderOptions,
    ContextOptions,
    ContextProjectConfig,
    TaskSpec,
)

T = TypeVar("T")
Found = TypeVar("Found")
FRAME = 8
"""Tokens for what a provider puts around the two messages."""
NOTES_SHARE = 300
"""The most tokens that say what a context does without."""
MOST_NOTED = 50
MOST_FOLDERS = 40


class BuiltContext(NamedTuple):
    """The parts of a fresh context, before it is rendered."""

    task: TaskSpec
    project: ContextProjectConfig
    options: ContextOptions
    budget: TokenBudget
    system_prompt: str
    docs: CodebaseDocsSummary
    docs_text: str
    repo_map: str
    files: Sequence[ShownFile]
    code: Sequence[CodeSearchResult]
    memories: Sequence[MemoryEntry]
    notes: Sequence[str]
    left_out: Sequence[LeftOut]
    notes_text: str
    tokens: TokenBreakdown
    encoding: str
    """The encoding that its tokens are counted in."""
    foreign_memories: bool
    """Whether the memories are those of a caller's own system."""

    @property
    def parts(self) -> render.FreshParts:
        """What the prompt is made of."""
        return render.FreshParts(
            self.system_prompt,
            self.project.name,
            self.docs_text,
            self.repo_map,
            [one.content for one in self.files],
            self.code,
            self.memories,
            self.notes_text,
            self.task,
        )


@dataclass(frozen=True)
class ContextBuilder:
    """Builds the parts of a fresh context. A part whose source is missing or fails is left out, and a note says so."""

    project: ContextProjectConfig
    options: ContextBuilderOptions
    dependencies: ContextDependencies
    code: ProjectCode
    memories: ProjectMemories
    budgeter: TokenBudgeter
    system_prompt: str
    encoding: str
    """The encoding that the budgeter counts in."""

    @property
    def root(self) -> Path:
        """The folder that is read."""
        return self.code.root

    def build(self, task: TaskSpec, options: ContextOptions, agent: str | None) -> BuiltContext:
        """All parts. Raises BudgetTooSmall where the budget does not hold its fixed parts, or the task itself."""
        budget = self.budgeter.create_budget(options.max_tokens)
        return _Build(self, task, options, budget, agent).whole()

    def build_repo_map(
        self, task: TaskSpec, max_tokens: int, base: CodeBase | None = None, first: Collection[str] = ()
    ) -> str:
        """A map of the code for a task. Without a generator, the folders with their files."""
        given = self.dependencies.repo_map_generator
        generator = base or self.code.read() if given is OWN else given
        if generator is None:
            return self.budgeter.truncate_to_fit(_folders(self.root), max_tokens)
        drawn: str = generator.repo_map(task.words, max_tokens, self.budgeter.count, first).text
        return self.budgeter.truncate_to_fit(without_secrets(drawn), max_tokens)

    def build_codebase_docs(self, base: CodeBase | None = None) -> CodebaseDocsSummary:
        """What the project says of itself. Without an analyzer, its name, language and framework."""
        given = self.dependencies.codebase_analyzer
        if given is None:
            return self.minimal_docs()
        if given is not OWN:
            return given.analyze()
        return self.code.docs(self.project.name, base or self.code.read())

    def minimal_docs(self) -> CodebaseDocsSummary:
        """What is known of the project without looking at it."""
        said = [self.project.language, self.project.framework, self.project.test_framework]
        known = ", ".join(filter(None, said))
        return CodebaseDocsSummary(
            f"# {self.project.name}" + (f"\n{known}" if known else ""),
            self.project.language,
            self.project.framework,
            self.project.test_framework,
        )

    def build_code_search(
        self, query: str, limit: int, base: CodeBase | None = None, without: Collection[str] = ()
    ) -> list[CodeSearchResult]:
        """The pieces of code that a query finds; none without a code memory."""
        given = self.dependencies.code_memory
        memory = base or self.code.read() if given is OWN else given
        if memory is None or not limit or not query.strip():
            return []
        found = memory.search(query, limit, self.options.min_code_relevance, without)
        return [
            CodeSearchResult(
                one.path,
                one.first,
                one.last,
                one.kind,
                one.name,
                without_secrets(one.text),
                round(one.relevance, 4),
            )
            for one in found
            if one.path not in without
        ][:limit]

    def build_memories(self, query: str, limit: int, agent: str | None) -> Sequence[MemoryEntry]:
        """The memories that a query finds; none without a memory system."""
        given = self.dependencies.memory_system
        system = self.memories if given is OWN else given
        if system is None or not limit or not query.strip():
            return []
        return list(system.recall(query, limit, self.options.min_memory_relevance, agent))[:limit]


class _Build:
    """One build: what it has found, and what it had to do without."""

    def __init__(
        self,
        builder: ContextBuilder,
        task: TaskSpec,
        options: ContextOptions,
        budget: TokenBudget,
        agent: str | None,
    ) -> None:
        self._builder, self._task, self._options = builder, task, options
        self._budget, self._agent = budget, agent
        self._count = builder.budgeter.count
        self._notes: list[str] = []
        self._left_out: list[LeftOut] = []

    def whole(self) -> BuiltContext:
        builder, task, options, budget = self._builder, self._task, self._options, self._budget
        system = self._count(builder.system_prompt) + FRAME
        said = self._section(render.task_section(task))
        room = budget.total - budget.reserved - system - said
        if room < 0:
            needed = budget.total - room
            raise BudgetTooSmall(
                f"max_tokens: must be at least {needed:,}: the system prompt has {system:,} tokens, the task "
                f"{said:,}, and {budget.reserved:,} are reserved for the response. Got {budget.total:,}.",
                needed,
            )
        base = self._base()
        docs, docs_text, docs_tokens = self._docs(base, min(budget.codebase_docs, room))
        room -= docs_tokens
        chosen = candidates(task, builder.root, base, options.max_relevant_files)
        shown = [one.path for one in chosen]
        repo_map, map_tokens = self._map(base, min(budget.repo_map, room), shown)
        notes_room = min(NOTES_SHARE, room - map_tokens)
        room -= map_tokens + notes_room
        query = options.code_search_query or task.words
        memories, memory_tokens = self._memories(query, room * SHARES["memories"] // 100)
        code, code_tokens = self._code(base, query, room * SHARES["code_results"] // 100, shown)
        # What code and memories leave goes to the files.
        files, file_tokens = self._files(base, chosen, room - memory_tokens - code_tokens)
        notes_text, note_tokens = self._noted(notes_room)
        return BuiltContext(
            task=task,
            project=self._detected(docs),
            options=options,
            budget=budget,
            system_prompt=builder.system_prompt,
            docs=docs,
            docs_text=docs_text,
            repo_map=repo_map,
            files=files,
            code=code,
            memories=memories,
            notes=self._notes[:MOST_NOTED],
            left_out=self._left_out[:MOST_NOTED],
            notes_text=notes_text,
            tokens=TokenBreakdown(
                system_prompt=system,
                repo_map=map_tokens,
                codebase_docs=docs_tokens,
                task_spec=said,
                files=file_tokens + note_tokens,
                code_results=code_tokens,
                memories=memory_tokens,
                reserved=budget.reserved,
            ),
            encoding=builder.encoding,
            foreign_memories=builder.dependencies.memory_system is not OWN,
        )

    # Parts

    def _base(self) -> CodeBase | None:
        needed = self._builder.dependencies
        if OWN not in (needed.repo_map_generator, needed.code_memory, needed.codebase_analyzer):
            return None
        base = self._tried("the code", self._builder.code.read)
        if base is not None:
            self._notes += base.notes
        return base

    def _docs(self, base: CodeBase | None, most: int) -> tuple[CodebaseDocsSummary, str, int]:
        builder = self._builder
        if not self._options.include_codebase_docs:
            return builder.minimal_docs(), "", 0
        docs = self._tried("the codebase docs", lambda: builder.build_codebase_docs(base))
        if docs is None:
            docs = builder.minimal_docs()
        elif builder.dependencies.codebase_analyzer is None:
            self._notes.append("no codebase analyzer: the docs are the project's name and frameworks")
        text = without_secrets("\n".join(docs.lines()))
        shown, tokens = self._cut(text, most, lambda part: render.docs_section(builder.project.name, part))
        return docs, shown, tokens

    def _map(self, base: CodeBase | None, most: int, first: Sequence[str]) -> tuple[str, int]:
        builder = self._builder
        if not self._options.include_repo_map:
            return "", 0
        frame = self._section(render.map_section(""))
        if builder.dependencies.repo_map_generator is None:
            self._notes.append("no map generator: the map says which folders there are")
        drawn = self._tried(
            "the map",
            lambda: builder.build_repo_map(self._task, max(0, most - frame - 2), base, first),
            ""
            if most <= frame
            else builder.budgeter.truncate_to_fit(_folders(builder.root), most - frame - 2),
        )
        return self._cut(drawn or "", most, render.map_section)

    def _memories(self, query: str, most: int) -> tuple[Sequence[MemoryEntry], int]:
        builder, limit = self._builder, self._options.max_memories
        if builder.dependencies.memory_system is None and limit:
            self._notes.append("no memory system: nothing is remembered")
        found = self._tried("the memories", lambda: builder.build_memories(query, limit, self._agent))
        return self._fitting(found or (), most, render.memory_block, render.memory_section)

    def _code(
        self, base: CodeBase | None, query: str, most: int, shown: Collection[str]
    ) -> tuple[Sequence[CodeSearchResult], int]:
        builder, limit = self._builder, self._options.max_code_results
        if builder.dependencies.code_memory is None and limit:
            self._notes.append("no code memory: no code was searched")
        found = self._tried("the code search", lambda: builder.build_code_search(query, limit, base, shown))
        return self._fitting(found or (), most, render.code_block, render.code_section)

    def _files(
        self, base: CodeBase | None, chosen: Sequence[Candidate], most: int
    ) -> tuple[Sequence[ShownFile], int]:
        builder = self._builder
        read, left_out = read_candidates(
            self._task.words, builder.root, chosen, base, builder.options.max_file_size_chars
        )
        named = len({*self._task.files, *self._task.dependencies})
        if named > self._options.max_relevant_files:
            self._notes.append(
                f"{named} files are named, at most {self._options.max_relevant_files} are shown"
            )
        heading = self._section("# Files")
        files, crowded = fit_files(read, most - heading, self._count)
        self._left_out += [*left_out, *crowded]
        if not files:
            return (), 0
        return files, self._section(render.files_section([one.content for one in files]))

    def _noted(self, most: int) -> tuple[str, int]:
        lines = [*self._notes, *(f"{one.path} is not shown: {one.reason}" for one in self._left_out)]
        while lines:
            text = render.notes_section(lines)
            tokens = self._section(text)
            if tokens <= most:
                return text, tokens
            lines.pop()
        return "", 0

    # Steps

    def _section(self, text: str) -> int:
        """The tokens of a section, with the empty line after it."""
        return self._count(text + "\n\n")

    def _cut(self, text: str, most: int, section: Callable[[str], str]) -> tuple[str, int]:
        """A text cut so that its section fits, and the section's tokens."""
        room = most - self._section(section(""))
        while text and room > 0:
            shown = self._builder.budgeter.truncate_to_fit(text, room)
            tokens = self._section(section(shown))
            if not shown or tokens <= most:
                return (shown, tokens) if shown else ("", 0)
            room -= max(1, tokens - most)
        return "", 0

    def _fitting(
        self,
        found: Sequence[Found],
        most: int,
        block: Callable[[Found], str],
        section: Callable[[Sequence[Found]], str],
    ) -> tuple[Sequence[Found], int]:
        """Those that fit, the best first; one that does not is skipped."""
        chosen: list[Found] = []
        for one in found:
            if self._section(section([*chosen, one])) <= most:
                chosen.append(one)
        return chosen, self._section(section(chosen)) if chosen else 0

    def _tried(self, what: str, make: Callable[[], T], instead: T | None = None) -> T | None:
        """What is made, or a note that it could not be."""
        try:
            return make()
        except Exception as error:
            reason = str(error) if isinstance(error, BackstoryError | OSError) else type(error).__name__
            self._notes.append(f"{what} could not be read: {reason}")
            return instead

    def _detected(self, docs: CodebaseDocsSummary) -> ContextProjectConfig:
        given = self._builder.project
        found = {name: getattr(docs, name) for name in ("language", "framework", "test_framework")}
        return given.model_copy(
            update={name: value for name, value in found.items() if getattr(given, name) is None}
        )


def _folders(root: Path) -> str:
    """The folders at the top of a project with the number of files in each, and the files beside them."""
    lines = []
    try:
        entries = sorted(os.scandir(root), key=lambda one: one.name)
    except OSError:
        return ""
    for one in entries[: 5 * MOST_FOLDERS]:
        if one.name.startswith("."):
            continue
        if one.is_dir(follow_symlinks=False):
            lines.append(f"{one.name}/ ({_files_below(one.path)})")
        elif one.is_file(follow_symlinks=False):
            lines.append(one.name)
    return "\n".join(sorted(lines, key=lambda line: ("/" not in line, line))[:MOST_FOLDERS])


def _files_below(folder: str, most: int = 1_000) -> str:
    count = 0
    for _, _, names in os.walk(folder):
        count += len(names)
        if count >= most:
            return f"{most:,} files or more"
    return f"{count:,} file{'' if count == 1 else 's'}"

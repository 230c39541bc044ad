"""What a project says of itself: its stack, entry points, conventions and test commands, each with its source."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from backstory.domain.code.languages import language_of
from backstory.domain.code.manifests import (
    FRAMEWORKS,
    TEST_FRAMEWORKS,
    Statement,
    dependencies,
    json_table,
    known_framework,
    table,
    toml_table,
    without_comments,
)

READ = (
    *(
        "README.md",
        "README.rst",
        "README.txt",
        "README",
        "AGENTS.md",
        "CLAUDE.md",
        "CONTRIBUTING.md",
        "CONTRIBUTING.rst",
    ),
    *("ARCHITECTURE.md", "docs/architecture.md", "docs/ARCHITECTURE.md", "docs/explanation/architecture.md"),
    *("pyproject.toml", "setup.cfg", "setup.py", "requirements.txt", "tox.ini", "noxfile.py", "pytest.ini"),
    *(
        "package.json",
        "tsconfig.json",
        "deno.json",
        "go.mod",
        "Cargo.toml",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
    ),
    *("Gemfile", "Rakefile", "composer.json", "mix.exs", "CMakeLists.txt", "Makefile", "justfile"),
    *("Dockerfile", "docker-compose.yml", ".gitlab-ci.yml", ".editorconfig", ".pre-commit-config.yaml"),
    *(
        "ruff.toml",
        ".prettierrc",
        ".prettierrc.json",
        "biome.json",
        "eslint.config.js",
        ".golangci.yml",
        "rustfmt.toml",
    ),
)
"""The files that are read, where they exist. Workflows below .github are read besides."""

_SAID = 600
"""Characters of what a README says first."""
_TEST_COMMAND = re.compile(
    r"^(?:\w+=\S+ |(?:poetry|uv|pdm|hatch|pipenv) run |python3? -m |npx |bundle exec |xvfb-run )*"
    r"(?:pytest|tox|nox|unittest|(?:npm|pnpm|yarn)(?: run)? test|vitest|jest|go test|cargo (?:test|nextest)"
    r"|mvn \S*(?:test|verify)|(?:\./)?gradlew? \S*(?:test|check)|rake test|rspec|make \S*test\S*|ctest|mix test"
    r"|bun test|deno test)(?![\w.-])"
)
_LONGEST_COMMAND = 120
_NAMED_FOR_TESTS = re.compile(r"\b(?:test|tests|ci|build|check)\b")
_STYLE = {
    "ruff.toml": "ruff checks and formats Python",
    ".prettierrc": "prettier formats",
    ".prettierrc.json": "prettier formats",
    "biome.json": "biome checks and formats",
    "eslint.config.js": "eslint checks",
    ".golangci.yml": "golangci-lint checks",
    "rustfmt.toml": "rustfmt formats, with settings of its own",
    ".pre-commit-config.yaml": "checks run before each commit (pre-commit)",
}


class CodebaseDocsSummary(NamedTuple):
    """What a project says of itself."""

    architecture_summary: str
    language: str | None = None
    framework: str | None = None
    test_framework: str | None = None
    tech_stack: tuple[Statement, ...] = ()
    entry_points: tuple[Statement, ...] = ()
    conventions: tuple[Statement, ...] = ()
    test_commands: tuple[Statement, ...] = ()
    structure: tuple[Statement, ...] = ()

    def lines(self) -> Iterator[str]:
        """The summary as markdown, most telling first, so that it can be cut at any line."""
        yield from self.architecture_summary.splitlines()
        for title, found in (
            ("Test commands", self.test_commands),
            ("Stack", self.tech_stack),
            ("Structure", self.structure),
            ("Entry points", self.entry_points),
            ("Conventions", self.conventions),
        ):
            if found:
                yield f"## {title}"
                yield from (f"- {one.text} ({one.source})" for one in found)


def summarize_codebase(name: str, paths: Sequence[str], texts: Mapping[str, str]) -> CodebaseDocsSummary:
    """What a project says of itself in its manifests, README, checks and structure. Its code files are in `paths`, the
    texts of the files in READ that it has in `texts`."""
    languages = Counter(language for path in paths if (language := language_of(path)))
    language = languages.most_common(1)[0][0] if languages else None
    needed = list(dependencies(texts))
    framework = known_framework(FRAMEWORKS, language, needed)
    tests = known_framework(TEST_FRAMEWORKS, language, needed)
    return CodebaseDocsSummary(
        architecture_summary=_summary(name, len(paths), languages, texts),
        language=language,
        framework=None if framework is None else framework.text,
        test_framework=None if tests is None else tests.text,
        tech_stack=tuple(_stack(needed, texts)),
        entry_points=tuple(_entry_points(paths, texts)),
        conventions=tuple(_conventions(texts)),
        test_commands=tuple(_test_commands(texts)),
        structure=tuple(_structure(paths)),
    )


# The summary


def _summary(name: str, files: int, languages: Counter[str], texts: Mapping[str, str]) -> str:
    shares = ", ".join(f"{language} {count}" for language, count in languages.most_common(4))
    head = f"# {name}\n{files:,} code files" + (f" ({shares})" if shares else "")
    for path in (
        path for path in READ if path.lower().rpartition("/")[2].startswith(("architecture", "readme"))
    ):
        said = _first_words(texts.get(path, ""))
        if said:
            return f"{head}\n{said} ({path})"
    return head


def _first_words(text: str) -> str:
    """The first paragraph that says something: no heading, badge, picture or markup."""
    for paragraph in re.split(r"\n\s*\n", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        bare = re.sub(r"!?\[!?\[[^\]]*\]\([^)]*\)\]\([^)]*\)|!\[[^\]]*\]\([^)]*\)|<[^>]+>", "", paragraph)
        bare = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", bare)
        lines = [line.strip() for line in bare.splitlines()]
        lines = [
            line for line in lines if line and not re.match(r"^(#|=|-{3,}|\.\. |:\w+:|\||\*{3,}|```)", line)
        ]
        said = " ".join(lines)
        if len(re.findall(r"\w+", said)) >= 5:
            return said if len(said) <= _SAID else said[: _SAID - 1].rpartition(" ")[0] + "…"
    return ""


# The stack


def _stack(needed: Sequence[Statement], texts: Mapping[str, str]) -> Iterator[Statement]:
    by_source: dict[str, list[str]] = {}
    for one in needed:
        by_source.setdefault(one.source, []).append(one.text)
    for source, names in by_source.items():
        listed = list(dict.fromkeys(names))
        more = f" and {len(listed) - 15} more" if len(listed) > 15 else ""
        yield Statement(f"depends on {', '.join(listed[:15])}{more}", source)
    python = table(toml_table(texts.get("pyproject.toml", "")), "project").get("requires-python")
    if isinstance(python, str):
        yield Statement(f"Python {python}", "pyproject.toml")
    node = table(json_table(texts.get("package.json", "")), "engines").get("node")
    if isinstance(node, str):
        yield Statement(f"node {node}", "package.json")
    version = re.search(r"^go (\d[\w.]*)", texts.get("go.mod", ""), re.MULTILINE)
    if version:
        yield Statement(f"Go {version[1]}", "go.mod")
    if "Dockerfile" in texts and (image := re.search(r"^FROM\s+(\S+)", texts["Dockerfile"], re.MULTILINE)):
        yield Statement(f"image from {image[1]}", "Dockerfile")


# Entry points, conventions, tests, structure


def _entry_points(paths: Sequence[str], texts: Mapping[str, str]) -> Iterator[Statement]:
    project = table(toml_table(texts.get("pyproject.toml", "")), "project")
    for name, target in list(table(project, "scripts").items())[:8]:
        yield Statement(f"command {name}: {target}", "pyproject.toml")
    package = json_table(texts.get("package.json", ""))
    for key in ("main", "module"):
        if isinstance(package.get(key), str):
            yield Statement(f"{key}: {package[key]}", "package.json")
    commands = package.get("bin")
    for name, target in list(commands.items())[:8] if isinstance(commands, dict) else ():
        yield Statement(f"command {name}: {target}", "package.json")
    found = [path for path in paths if _is_entry(PurePosixPath(path))]
    for path in sorted(found, key=lambda one: (one.count("/"), one))[:8]:
        yield Statement(path, "by its name")


def _is_entry(path: PurePosixPath) -> bool:
    if path.suffix in (".go", ".rs", ".c", ".cpp"):
        return path.stem == "main"
    return path.name in (
        "__main__.py",
        "main.py",
        "manage.py",
        "wsgi.py",
        "asgi.py",
        "Main.java",
        "Application.java",
    )


def _conventions(texts: Mapping[str, str]) -> Iterator[Statement]:
    for path in ("AGENTS.md", "CLAUDE.md"):
        if path in texts:
            rules = re.findall(r"^\s*[-*]\s+(\S.{10,200})$", texts[path], re.MULTILINE)
            for rule in rules[:6]:
                yield Statement(rule.strip(), path)
    tools = table(toml_table(texts.get("pyproject.toml", "")), "tool")
    for name, said in (
        ("ruff", "ruff checks Python"),
        ("black", "black formats"),
        ("mypy", "mypy checks types"),
    ):
        if name in tools:
            settings = table(tools, name)
            width = settings.get("line-length")
            more = f", lines of {width}" if isinstance(width, int) else ""
            yield Statement(
                said + more + (", strict" if settings.get("strict") is True else ""), "pyproject.toml"
            )
    if (
        table(json_table(without_comments(texts.get("tsconfig.json", ""))), "compilerOptions").get("strict")
        is True
    ):
        yield Statement("TypeScript is strict", "tsconfig.json")
    editor = re.search(r"^\[\*\](.*?)(?=^\[|\Z)", texts.get(".editorconfig", ""), re.MULTILINE | re.DOTALL)
    if editor and (indent := re.search(r"indent_style\s*=\s*(\w+)", editor[1])):
        size = re.search(r"indent_size\s*=\s*(\w+)", editor[1])
        yield Statement(f"indent with {indent[1]}" + (f", {size[1]}" if size else ""), ".editorconfig")
    for path, said in _STYLE.items():
        if path in texts:
            yield Statement(said, path)


def _test_commands(texts: Mapping[str, str]) -> Iterator[Statement]:
    seen: set[str] = set()
    for command, source in _commands(texts):
        if command not in seen and len(seen) < 6:
            seen.add(command)
            yield Statement(f"`{command}`", source)


def _commands(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for target in re.findall(r"^([\w-]*test[\w-]*)\s*:(?!=)", texts.get("Makefile", ""), re.MULTILINE):
        yield f"make {target}", "Makefile"
    for name, command in table(json_table(texts.get("package.json", "")), "scripts").items():
        if isinstance(command, str) and (name == "test" or name.startswith("test:")):
            yield "npm test" if name == "test" else f"npm run {name}", "package.json"
    for path in sorted(texts, key=lambda path: (not _NAMED_FOR_TESTS.search(path), path)):
        if path.startswith(".github/workflows/") or path == ".gitlab-ci.yml":
            for line in texts[path].splitlines():
                said = re.sub(
                    r"^\s*(?:-\s+)?(?:(?:run|script|commands)\s*[:=]\s*)?(?:[|>]-?\s*)?", "", line
                ).strip()
                if _TEST_COMMAND.match(said) and len(said) <= _LONGEST_COMMAND:
                    yield said, path


def _structure(paths: Sequence[str]) -> Iterator[Statement]:
    """The folders with the most code, two levels deep."""
    counts: Counter[str] = Counter()
    for path in paths:
        parts = PurePosixPath(path).parts[:-1]
        counts["/".join(parts[:2]) or "."] += 1
    for folder, count in counts.most_common(12):
        yield Statement(
            f"{folder}/: {count:,} code files" if folder != "." else f"{count:,} at the top", "the tree"
        )

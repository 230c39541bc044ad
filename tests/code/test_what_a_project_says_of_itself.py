"""A project's manifests, README, checks and structure tell its stack, entry points, conventions and test commands."""

import pytest

from backstory.domain.code.codebase import CodebaseDocsSummary, summarize_codebase

PYTHON = {
    "pyproject.toml": (
        '[project]\nname = "shop"\nrequires-python = ">=3.11"\ndependencies = ["fastapi>=0.1", "psycopg[binary]"]\n'
        '[project.scripts]\nshop = "shop.cli:main"\n[dependency-groups]\ndev = ["pytest"]\n'
        "[tool.ruff]\nline-length = 100\n[tool.mypy]\nstrict = true\n"
    ),
    "README.md": (
        "# Shop\n\n[![build](x.svg)](y)\n\nA shop for [tea](https://example.org), with a basket and a till.\n\nMore.\n"
    ),
    "Makefile": "test: env\n\tpytest\n.PHONY: test\nlatest := 1\n",
    ".github/workflows/ci.yml": (
        "jobs:\n  a:\n    steps:\n      - uses: x\n      - name: pytest run\n      - run: uv run pytest -n 2\n"
    ),
    "AGENTS.md": "# Rules\n\n- Prices are integers, in cents.\n",
    ".editorconfig": "[*]\nindent_style = space\nindent_size = 4\n",
}
PATHS = ["shop/__init__.py", "shop/main.py", "shop/basket.py", "tests/test_basket.py", "web/app.ts"]


@pytest.fixture(scope="module")
def said() -> CodebaseDocsSummary:
    return summarize_codebase("shop", PATHS, PYTHON)


def test_the_language_and_the_frameworks_are_detected(said: CodebaseDocsSummary) -> None:
    assert (said.language, said.framework, said.test_framework) == ("python", "fastapi", "pytest")


def test_the_readme_begins_the_summary_without_its_badges(said: CodebaseDocsSummary) -> None:
    assert said.architecture_summary.splitlines() == [
        "# shop",
        "5 code files (python 4, typescript 1)",
        "A shop for tea, with a basket and a till. (README.md)",
    ]


def test_each_statement_has_its_source(said: CodebaseDocsSummary) -> None:
    assert [tuple(one) for one in said.tech_stack] == [
        ("depends on fastapi, psycopg, pytest", "pyproject.toml"),
        ("Python >=3.11", "pyproject.toml"),
    ]
    assert [tuple(one) for one in said.test_commands] == [
        ("`make test`", "Makefile"),
        ("`uv run pytest -n 2`", ".github/workflows/ci.yml"),
    ]
    assert [tuple(one) for one in said.entry_points] == [
        ("command shop: shop.cli:main", "pyproject.toml"),
        ("shop/main.py", "by its name"),
    ]
    assert [tuple(one) for one in said.conventions] == [
        ("Prices are integers, in cents.", "AGENTS.md"),
        ("ruff checks Python, lines of 100", "pyproject.toml"),
        ("mypy checks types, strict", "pyproject.toml"),
        ("indent with space, 4", ".editorconfig"),
    ]
    assert said.structure[0].text == "shop/: 3 code files"


@pytest.mark.parametrize(
    ("path", "manifest", "source", "framework", "tests"),
    [
        (
            "a.ts",
            "package.json",
            '{"dependencies": {"hono": "4"}, "devDependencies": {"vitest": "5"}}',
            "hono",
            "vitest",
        ),
        (
            "a.go",
            "go.mod",
            "module x\ngo 1.22\nrequire (\n\tgithub.com/spf13/cobra v1.2.3\n)\n",
            "spf13/cobra",
            None,
        ),
        (
            "a.rs",
            "Cargo.toml",
            '[dependencies]\naxum = "0.7"\n[dev-dependencies]\nrstest = "1"\n',
            "axum",
            "rstest",
        ),
        (
            "A.java",
            "pom.xml",
            "<artifactId>spring-boot-starter-web</artifactId><artifactId>junit</artifactId>",
            "spring-boot",
            "junit",
        ),
        ("a.rb", "Gemfile", "gem 'rails'\ngem \"rspec\"\n", "rails", "rspec"),
    ],
)
def test_manifests_of_other_languages(
    path: str, manifest: str, source: str, framework: str, tests: str | None
) -> None:
    said = summarize_codebase("x", [path], {manifest: source})
    assert (said.framework, said.test_framework) == (framework, tests)


@pytest.mark.parametrize("text", ["", "{", "[[[", "null", "[]", "{" * 50_000, "\x00"])
def test_manifests_that_cannot_be_read_say_nothing(text: str) -> None:
    files = dict.fromkeys(
        ("pyproject.toml", "package.json", "Cargo.toml", "go.mod", "tsconfig.json", "README.md"), text
    )
    said = summarize_codebase("x", [], files)
    assert said.tech_stack == ()


def test_a_project_that_says_nothing_is_named() -> None:
    assert list(summarize_codebase("x", [], {}).lines()) == ["# x", "0 code files"]

"""The manifests of a project: what it depends on, and which frameworks these are."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

FRAMEWORKS = {
    "python": (
        "django",
        "fastapi",
        "flask",
        "starlette",
        "aiohttp",
        "tornado",
        "sanic",
        "typer",
        "click",
        "celery",
        "pyramid",
    ),
    "javascript": (
        *(
            "next",
            "nuxt",
            "@nestjs/core",
            "@angular/core",
            "svelte",
            "react",
            "vue",
            "express",
            "fastify",
            "hono",
            "koa",
        ),
        *("electron", "astro", "solid-js"),
    ),
    "go": ("gin-gonic/gin", "labstack/echo", "gofiber/fiber", "go-chi/chi", "spf13/cobra"),
    "rust": ("actix-web", "axum", "rocket", "warp", "clap", "tokio", "bevy", "tauri"),
    "java": ("spring-boot", "quarkus", "micronaut", "dropwizard", "jakarta.ee"),
    "ruby": ("rails", "sinatra", "hanami"),
}
TEST_FRAMEWORKS = {
    "python": ("pytest", "nose2", "unittest"),
    "javascript": ("vitest", "jest", "mocha", "ava", "@playwright/test", "cypress", "jasmine"),
    "go": ("stretchr/testify", "onsi/ginkgo"),
    "rust": ("proptest", "rstest"),
    "java": ("junit-jupiter", "junit", "testng", "kotest"),
    "ruby": ("rspec", "minitest"),
}
_SCRIPT_LANGUAGES = ("javascript", "typescript", "tsx", "vue", "svelte")


class Statement(NamedTuple):
    """Something that a project says of itself."""

    text: str
    source: str
    """The file that says it."""


def dependencies(texts: Mapping[str, str]) -> Iterator[Statement]:
    """The names of what a project depends on, in lower case."""
    for path, read in _MANIFESTS.items():
        if path in texts:
            for name in read(texts[path]):
                yield Statement(name.lower(), path)


def known_framework(
    names: Mapping[str, Sequence[str]], language: str | None, dependencies: Sequence[Statement]
) -> Statement | None:
    """The first of the frameworks of a language that a project depends on."""
    family = "javascript" if language in _SCRIPT_LANGUAGES else language
    for name in names.get(family or "", ()):
        for one in dependencies:
            if one.text == name or one.text.startswith(f"{name}-starter"):
                return Statement(name, one.source)
    return None


def _from_pyproject(text: str) -> Iterator[str]:
    data = toml_table(text)
    project = table(data, "project")
    groups = [project.get("dependencies"), *table(project, "optional-dependencies").values()]
    groups += table(data, "dependency-groups").values()
    for group in groups:
        for one in group if isinstance(group, list) else ():
            if isinstance(one, str) and (found := re.match(r"[\w.-]+", one)):
                yield found[0]
    poetry = table(table(data, "tool"), "poetry")
    yield from table(poetry, "dependencies")
    for group in table(poetry, "group").values():
        yield from table(group, "dependencies") if isinstance(group, dict) else ()


def _from_package(text: str) -> Iterator[str]:
    data = json_table(text)
    for key in ("dependencies", "devDependencies", "peerDependencies"):
        yield from table(data, key)


def _from_cargo(text: str) -> Iterator[str]:
    data = toml_table(text)
    for key in ("dependencies", "dev-dependencies"):
        yield from table(data, key)
    yield from table(table(data, "workspace"), "dependencies")


def _from_go(text: str) -> Iterator[str]:
    for name in re.findall(r"^\s*(?:require\s+)?([\w.-]+\.\w+/[\w./-]+)\s+v[\w.+-]+", text, re.MULTILINE):
        yield re.sub(r"^[\w.-]+\.\w+/|/v\d+$", "", name)


def _from_lines(text: str) -> Iterator[str]:
    yield from re.findall(r"^([A-Za-z][\w.-]*)", text, re.MULTILINE)


_MANIFESTS: dict[str, Callable[[str], Iterator[str]]] = {
    "pyproject.toml": _from_pyproject,
    "requirements.txt": _from_lines,
    "package.json": _from_package,
    "Cargo.toml": _from_cargo,
    "go.mod": _from_go,
    "pom.xml": lambda text: iter(re.findall(r"<artifactId>([\w.-]+)</artifactId>", text)),
    "build.gradle": lambda text: iter(re.findall(r"""["'][\w.-]+:([\w.-]+)[:"']""", text)),
    "build.gradle.kts": lambda text: iter(re.findall(r'"[\w.-]+:([\w.-]+)[:"]', text)),
    "Gemfile": lambda text: iter(re.findall(r"""^\s*gem\s+["']([\w-]+)""", text, re.MULTILINE)),
}


def toml_table(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def json_table(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def without_comments(text: str) -> str:
    return re.sub(r"^\s*//.*$|/\*.*?\*/|,(?=\s*[}\]])", "", text, flags=re.MULTILINE | re.DOTALL)


def table(data: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}

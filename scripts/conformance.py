"""`make conformance`: the public test suites of the frameworks and protocols that Backstory has an adapter for.

It prints a table and writes it to docs/reference/conformance.md. The suites run on a Postgres of their own. Node is the
one on the path.
"""

import asyncio
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
PAGE = ROOT / "docs" / "reference" / "conformance.md"
MCP = "0.2.0-alpha.12"
MCP_VERSIONS = ("2025-11-25", "2026-07-28")
FIXTURES = re.compile(r"(test_|test://)[a-z]")
"""Names of the suite's own example, in what a scenario says that needs it."""
GENERIC = {
    "caching",
    "dns-rebinding-protection",
    "http-header-validation",
    "ping",
    "prompts-list",
    "resources-list",
    "sep-2164-resource-not-found",
    "server-initialize",
    "server-session-lifecycle",
    "server-sse-multiple-streams",
    "tools-call-error",
    "tools-call-simple-text",
    "tools-list",
}
"""Scenarios that every server has to pass, whatever they say."""
OPENAI_TESTS = (
    "test_session.py",
    "test_session_limit.py",
    "test_session_context_wrapper.py",
    "test_session_persistence_sanitize.py",
    "test_openai_responses_compaction_session.py",
)
SQLITE_ALONE = (
    "worker_thread",
    "retired",
    "corrupt",
    "file_lock",
    "write_lock",
    "rolls_back",
    "rollback",
    "close_retries",
    "closed_rejects",
    "post_commit",
    "settled_pop_failure",
    "settled_clear_failure",
)
"""Words in the names of tests that look into SQLite's connections."""

NOT_OFFERED = {
    "http-custom-header-server-validation": "a tool with headers of its own",
    "json-schema-2020-12": "a tool of the suite's example",
    "logging-set-level": "log messages, which the protocol has deprecated",
    "resources-unsubscribe": "subscriptions to resources",
}
"""Scenarios of what this server does not have."""


class Row(NamedTuple):
    """The result of a suite."""

    suite: str
    version: str
    passed: int
    total: int
    left_out: str
    failures: tuple[str, ...] = ()


def langgraph(store: Any) -> Row:
    """LangGraph's conformance tests of checkpointers."""
    from langgraph.checkpoint.conformance import checkpointer_test, validate

    from backstory.interfaces.adapters.langgraph import BackstorySaver

    @checkpointer_test(name="Backstory")
    async def backstory() -> Any:
        yield BackstorySaver(store)

    report = asyncio.run(validate(backstory))
    results = report.results.values()
    passed = sum(result.tests_passed for result in results)
    failed = [failure for result in results for failure in result.failures]
    name = "langgraph-checkpoint-conformance"
    return Row(
        "LangGraph checkpointer",
        f"{name} {version(name)}",
        passed,
        81,
        "delta-channel history: its tests are not published",
        tuple(failed),
    )


def openai_agents(store: Any, cache: Path) -> Row:
    """The session tests of the OpenAI Agents SDK, which its source distribution has."""
    own = version("openai-agents")
    folder = cache / f"openai_agents-{own}"
    if not folder.exists():
        cache.mkdir(parents=True, exist_ok=True)
        fetch = ["-m", "pip", "download", "-q", "--no-deps", "--no-binary", ":all:", f"openai-agents=={own}"]
        subprocess.run([sys.executable, *fetch, "-d", str(cache)], check=True, stderr=subprocess.DEVNULL)
        with tarfile.open(cache / f"openai_agents-{own}.tar.gz") as archive:
            archive.extractall(cache, filter="data")
    report = cache / "openai.xml"
    tests = [f"tests/memory/{name}" for name in OPENAI_TESTS]
    chosen = f"not ({' or '.join(SQLITE_ALONE)})"
    options = ["-q", "-p", "no:cacheprovider", "-p", "scripts.conformance_openai", f"--junitxml={report}"]
    environment = {
        **os.environ,
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "OPENAI_API_KEY": "unused",
        "BACKSTORY_DATABASE_URL": store.url,
    }
    command = [sys.executable, "-m", "pytest", *options, "-k", chosen, *tests]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(done.stdout + done.stderr)
    left = re.search(r"(\d+) deselected", done.stdout)
    cases = ElementTree.parse(report).getroot().iter("testcase")
    bad = {case: case.find("failure") is not None or case.find("error") is not None for case in cases}
    failed = tuple(str(case.get("name")) for case, failed in bad.items() if failed)
    return Row(
        "OpenAI Agents session",
        f"tests of openai-agents {own}",
        len(bad) - len(failed),
        len(bad),
        f"{left[1] if left else 0} tests of SQLite's connections, files and rows",
        failed,
    )


def mcp(store: Any, cache: Path) -> Iterator[Row]:
    """The conformance tests of the Model Context Protocol, on the MCP endpoint of the service."""
    from tests.serving import served

    package = f"@modelcontextprotocol/conformance@{MCP}"
    program = cache / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    if not program.exists():
        cache.mkdir(parents=True, exist_ok=True)
        flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--prefix", str(cache)]
        subprocess.run(["npm", "install", *flags, package], check=True)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = ["node", str(program), *arguments]
        return subprocess.run(command, cwd=cache, capture_output=True, text=True, check=False, timeout=120)

    with served(store, lifespan="on") as url:
        for spec in MCP_VERSIONS:
            listed = run("list", "--server", "--spec-version", spec).stdout
            names = re.findall(r"^\s*-\s+([a-z0-9-]+)", listed, re.MULTILINE)
            passed, fixtures, missing, failed = [], [], [], []
            for name in names:
                address = ["--url", f"{url}/mcp", "--scenario", name, "--spec-version", spec]
                done = run("server", *address, "-o", "results")
                said = done.stdout + done.stderr
                if done.returncode == 0:
                    passed.append(name)
                elif name not in GENERIC and FIXTURES.search(said):
                    fixtures.append(name)
                elif name in NOT_OFFERED:
                    missing.append(f"{name} ({NOT_OFFERED[name]})")
                else:
                    failed.append(name)
            yield Row(
                f"MCP server, {spec}",
                f"@modelcontextprotocol/conformance {MCP}",
                len(passed),
                len(passed) + len(failed),
                f"{len(fixtures)} scenarios that call tools, resources and prompts of the suite's own example; "
                f"{', '.join(missing)}",
                tuple(failed),
            )


@contextmanager
def own_store() -> Iterator[Any]:
    """A store on a Postgres that ends with it."""
    from backstory import ContextStore
    from backstory.infrastructure.embedded import server

    with tempfile.TemporaryDirectory(prefix="backstory-") as home:
        with ContextStore.open(data_dir=home) as store:
            yield store
        server.stop(Path(home))


def table(rows: list[Row]) -> str:
    """The rows as a page."""
    lines = [
        "# Conformance",
        "",
        "The public test suites of frameworks and protocols, run by `make conformance`, which writes this page.",
        "",
        "| suite | version | passed | not applicable |",
        "|---|---|---|---|",
        *(f"| {r.suite} | {r.version} | {r.passed} of {r.total} | {r.left_out} |" for r in rows),
    ]
    failed = [f"- {row.suite}: {failure}" for row in rows for failure in row.failures]
    return "\n".join([*lines, *(["", "Not passed:", "", *failed] if failed else [])]) + "\n"


def main() -> int:
    cache = ROOT / ".venv" / "conformance" / "suites"
    with own_store() as store:
        rows = [langgraph(store), openai_agents(store, cache), *mcp(store, cache)]
    page = table(rows)
    PAGE.write_text(page)
    print(page)
    return int(any(row.passed < row.total for row in rows))


if __name__ == "__main__":
    raise SystemExit(main())

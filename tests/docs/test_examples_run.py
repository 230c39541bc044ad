"""Every Python example in the README and the docs runs, page by page and from top to bottom.

A page is run as one program, as a reader would run it: on the embedded Postgres, with no setting, in a database in
which others have worked, in an empty folder; then every function in it whose name begins with `test_` is called. An
example that mirrors a file has the file's path in a comment above it, and the file is imported in its place. Of the
commands on the pages, the README's are run; the words of all others must be ones that the command line knows.
"""

import linecache
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from typer.testing import CliRunner

from backstory import ContextStore
from backstory.domain.events import BODIES
from backstory.interfaces.cli import application
from backstory.interfaces.cli.root import every_command
from backstory.interfaces.cli.run import Run
from examples.scripted_model import calls, serving
from tests.conftest import name_of
from tests.serving import served
from tests.verify.rich_session import write_fork, write_session

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))
FENCE = re.compile(r"^(?P<indent> *)```(?P<info>[^`]*)$")
SERVICE = "http://127.0.0.1:8765"
"""Where the service is on the pages; in the tests it has another port."""
FRAMEWORKS = {"agents": "openai-agents", "langgraph": "langgraph"}
"""By module, the extras that the environment of the tests does not have: `make conformance` runs their examples."""
MIRROR = re.compile(r"^ *<!-- (?P<path>docs/examples/\S+\.py) -->$")


class Block(NamedTuple):
    """A fenced block: what stands after the fence, the line it begins on, its text, the file it mirrors."""

    info: str
    line: int
    text: str
    mirrors: str | None


def blocks(page: Path) -> list[Block]:
    found: list[Block] = []
    lines = page.read_text().splitlines()
    place = 0
    while place < len(lines):
        opening = FENCE.match(lines[place])
        place += 1
        if opening is None:
            continue
        first = place
        while lines[place].strip() != "```":
            place += 1
        above = MIRROR.match(lines[first - 2]) if first > 1 else None
        indent = len(opening["indent"])
        text = "".join(line[indent:] + "\n" for line in lines[first:place])
        found.append(Block(opening["info"].strip(), first + 1, text, above["path"] if above else None))
        place += 1
    return found


def commands(page: Path) -> Iterator[list[str]]:
    """The words of every `backstory` command in the page's consoles."""
    for block in blocks(page):
        if block.info == "console":
            for line in block.text.splitlines():
                if line.removeprefix("$ ").startswith("backstory "):
                    command, *_ = re.split(r" [|<>] ", line.removeprefix("$ "))
                    yield shlex.split(command, comments=True)[1:]


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.fixture(scope="module")
def used_database(module_database: str) -> str:
    """A database with sessions of others: a reader tries an example where work has been done before."""
    with ContextStore.open(module_database) as store:
        write_fork(write_session(store))
        ended = store.start(title="Last week's work", project="orders", tags=["demo"])
        ended.message("Hello")
        ended.decide("Use Postgres")
        ended.end("done")
        store.start(title="Somebody's newest").message("What is next?")
    return name_of(module_database)


@pytest.fixture
def model_address() -> Iterator[str]:
    """The address of a model that reads a file and then answers."""
    script = (
        calls("I'll look.", call_1={"read_file": {"path": "settings.toml"}}),
        {"role": "assistant", "content": "HS256: its key is there already."},
    )
    with serving(script) as (url, _):
        yield url


@pytest.fixture
def place(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    embedded_server: str,
    used_database: str,
    model_address: str,
) -> Iterator[Path]:
    """Somewhere to run an example: the default database, which is a copy of the used one; a folder; and event types
    that are forgotten afterwards."""
    with psycopg.connect(embedded_server, autocommit=True) as connection:
        connection.execute("drop database if exists backstory with (force)")
        connection.execute(f"create database backstory template {used_database} strategy file_copy".encode())
        ((data_directory,),) = connection.execute("show data_directory").fetchall()
    monkeypatch.delenv("BACKSTORY_DATABASE_URL", raising=False)
    monkeypatch.setenv("BACKSTORY_DATA_DIR", str(Path(data_directory).parents[1]))
    monkeypatch.setenv("OPENAI_BASE_URL", model_address)
    monkeypatch.setenv("OPENAI_API_KEY", "a key that nobody checks")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(ROOT / "docs" / "examples")
    types, modules = dict(BODIES), set(sys.modules)
    yield tmp_path
    BODIES.clear()
    BODIES.update(types)
    for module in set(sys.modules) - modules:
        if getattr(sys.modules[module], "__file__", None) in map(str, EXAMPLES):
            del sys.modules[module]


def call_tests(namespace: dict[str, Any]) -> None:
    for function in [
        value for key, value in namespace.items() if key.startswith("test_") and callable(value)
    ]:
        function()


PAGES_WITH_EXAMPLES = [
    page for page in PAGES if any(block.info.startswith("python") for block in blocks(page))
]


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=name)
def test_the_examples_of_a_page_run(page: Path, place: Path) -> None:
    examples = [block for block in blocks(page) if block.info == "python"]
    for module, extra in FRAMEWORKS.items():
        if any(re.search(rf"^from {module}\b", block.text, re.MULTILINE) for block in examples):
            pytest.importorskip(module, reason=f"needs the extra {extra}")
    with ExitStack() as stack:
        address = SERVICE
        if any(SERVICE in block.text for block in examples):
            address = stack.enter_context(served(stack.enter_context(ContextStore.open())))
        run_examples(page, [block._replace(text=block.text.replace(SERVICE, address)) for block in examples])


def run_examples(page: Path, examples: list[Block]) -> None:
    namespace: dict[str, Any] = {"__name__": "__example__"}
    for block in examples:
        if block.mirrors is not None:
            namespace.update(vars(import_module(Path(block.mirrors).stem)))
            continue
        # Lines are counted as in the page, so that an error points there.
        code = "\n" * (block.line - 1) + block.text
        linecache.cache[str(page)] = (len(code), None, code.splitlines(keepends=True), str(page))
        exec(compile(code, str(page), "exec"), namespace)
    call_tests(namespace)


@pytest.mark.parametrize("example", EXAMPLES, ids=name)
def test_an_example_file_runs(example: Path, place: Path) -> None:
    call_tests(runpy.run_path(str(example)))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_example_is_left_out(page: Path) -> None:
    """A fence says `python` and no more: an example that need not run is not an example."""
    for block in blocks(page):
        if block.info.split()[:1] and block.info.split()[0].lower() in ("python", "py", "python3", "pycon"):
            assert block.info == "python", f"{name(page)}, line {block.line}: ```{block.info}"


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=name)
def test_a_mirrored_file_is_shown_as_it_is(page: Path) -> None:
    for block in blocks(page):
        if block.mirrors is not None:
            assert block.text == (ROOT / block.mirrors).read_text(), (
                f"{name(page)} shows another {block.mirrors}"
            )


def test_every_example_file_is_shown_on_a_page() -> None:
    shown = {block.mirrors for page in PAGES for block in blocks(page)}
    assert [name(example) for example in EXAMPLES if name(example) not in shown] == []


def test_the_commands_of_the_readme_do_what_its_example_recorded(place: Path) -> None:
    page = ROOT / "README.md"
    (example,) = (block for block in blocks(page) if block.info == "python")
    exec(compile(example.text, str(page), "exec"), {"__name__": "__example__"})
    lines = list(commands(page))
    assert len(lines) > 5
    for words in lines:
        outcome = CliRunner().invoke(application(), words)
        assert outcome.exit_code == 0, f"backstory {' '.join(words)}: {outcome.stderr}"


@pytest.mark.parametrize("page", [page for page in PAGES if any(commands(page))], ids=name)
def test_every_command_on_a_page_is_known(page: Path) -> None:
    known = dict(every_command())
    for words in commands(page):
        if words[0] == "--url":
            del words[:2]
        named = next(name for name in (" ".join(words[:2]), words[0], f"{words[0]} list") if name in known)
        known[named].make_context(named, words[len(named.split()) :], obj=Run(None))

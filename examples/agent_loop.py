"""An agent that answers questions about a folder, with Backstory as its memory.

    python examples/agent_loop.py --scripted                                   # offline, with a scripted model
    OPENAI_BASE_URL=http://127.0.0.1:11434/v1 MODEL=qwen3 python examples/agent_loop.py --folder . "What is this?"

The endpoint is any that speaks OpenAI's chat completions: OPENAI_BASE_URL, OPENAI_API_KEY and MODEL name it.
One turn is:

1. `session.context()`: what the model should see, within the budget, recorded to the byte;
2. the call itself; `session.model_called()` tells what went wrong where something did;
3. `session.answered()`: the answer, with what the provider counted;
4. the results of the tools that it asks for; decisions, caused by the answer.

Nothing else is kept: the next turn begins with the session alone, so the loop can die at any point and go on elsewhere.
"""

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from backstory import BackstoryError, BudgetTooSmall, Context, ContextStore, Session, count_tokens

SYSTEM_PROMPT = (
    "You answer questions about the files of one folder. Look before you answer; ask for several tools at once where "
    "you can. When you settle something that later work depends on, call `decide`."
)
TASK = "Which file serves the scripted model, and on which address does it listen?"
MOST_HITS = 50
ATTEMPTS = 3


# The tools


class ToolFailed(Exception):
    """What a tool could not do. The model reads it and may try something else."""


class Folder:
    """Three tools that read one folder and nothing outside it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def list_files(self, pattern: str = "*") -> str:
        """Files below the folder whose names fit a pattern, such as *.py."""
        found = [self._name(path) for path in self._files() if path.match(pattern)]
        return "\n".join(found[:500]) or "(no files)"

    def read_file(self, path: str) -> str:
        """The text of one file."""
        file = self._inside(path)
        if not file.is_file():
            raise ToolFailed(f"{path!r} is no file")
        return file.read_text(errors="replace")

    def grep(self, pattern: str) -> str:
        """Lines that a regular expression fits, as file:line: text."""
        try:
            expression = re.compile(pattern)
        except re.error as error:
            raise ToolFailed(f"the pattern cannot be read: {error}") from None
        hits = []
        for file in self._files():
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
                if expression.search(line):
                    hits.append(f"{self._name(file)}:{number}: {line.strip()}")
                    if len(hits) == MOST_HITS:
                        return "\n".join([*hits, "(and maybe more)"])
        return "\n".join(hits) or "(no line fits)"

    def _files(self) -> Iterator[Path]:
        for path in sorted(self.root.rglob("*")):
            hidden = any(part.startswith((".", "__")) for part in path.relative_to(self.root).parts)
            # A link may point anywhere, so it is followed before it is looked at.
            if not hidden and path.is_file() and path.resolve().is_relative_to(self.root):
                yield path

    def _inside(self, path: str) -> Path:
        """The path, unless it leads out of the folder: by `..`, by `/`, or by a link."""
        wanted = (self.root / path).resolve()
        if not wanted.is_relative_to(self.root):
            raise ToolFailed(f"{path!r} is outside the folder")
        return wanted

    def _name(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def tool(name: str, description: str, required: tuple[str, ...] = (), **arguments: str) -> dict[str, Any]:
    """A tool as the model is told of it. All arguments are texts."""
    properties = {
        argument: {"type": "string", "description": meaning} for argument, meaning in arguments.items()
    }
    parameters = {"type": "object", "properties": properties, "required": list(required)}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }


TOOLS = [
    tool("list_files", "Files whose names fit a pattern.", pattern="such as *.py; all files without it"),
    tool("read_file", "The text of one file.", ("path",), path="the file, as list_files names it"),
    tool(
        "grep", "Lines that a regular expression fits.", ("pattern",), pattern="as Python's re understands it"
    ),
    tool(
        "decide", "Records a decision.", ("text",), text="what is decided, in one sentence", rationale="why"
    ),
]


# The model


class ModelFailed(Exception):
    """A call that brought no answer. `again` says after how many seconds it is worth another try; None for never."""

    def __init__(self, message: str, again: float | None) -> None:
        super().__init__(message)
        self.again = again


@dataclass
class Model:
    """A model behind an OpenAI-compatible endpoint."""

    client: httpx.Client
    name: str

    def complete(self, messages: list[dict[str, Any]]) -> dict[str, Any]:
        request = {"model": self.name, "messages": messages, "tools": TOOLS}
        try:
            response = self.client.post("chat/completions", json=request)
        except httpx.HTTPError as error:
            raise ModelFailed(f"{type(error).__name__}: {error}", again=1.0) from None
        if response.status_code != 200:
            try_again = response.status_code == 429 or response.status_code >= 500
            raise ModelFailed(
                f"{response.status_code}: {response.text[:500]}", _pause(response) if try_again else None
            )
        try:
            answer: dict[str, Any] = response.json()
            answer["choices"][0]["message"]
        except (ValueError, LookupError, TypeError):
            raise ModelFailed(f"no chat completion: {response.text[:500]}", again=None) from None
        return answer


def _pause(response: httpx.Response) -> float:
    """What the endpoint asks for, within reason."""
    asked = response.headers.get("retry-after", "")
    return min(30.0, float(asked)) if asked.replace(".", "", 1).isdigit() else 1.0


@contextmanager
def connected(url: str, name: str, key: str | None = None) -> Iterator[Model]:
    """A model of an endpoint, whose address is that up to and with its `/v1`."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    with httpx.Client(base_url=url.rstrip("/") + "/", headers=headers, timeout=120) as client:
        yield Model(client, name)


@contextmanager
def model_from_environment() -> Iterator[Model]:
    """The model that OPENAI_BASE_URL, OPENAI_API_KEY and MODEL name."""
    name = os.environ.get("MODEL")
    if not name:
        raise SystemExit("MODEL must name a model; or run with --scripted")
    url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    with connected(url, name, os.environ.get("OPENAI_API_KEY")) as model:
        yield model


@contextmanager
def scripted_model() -> Iterator[Model]:
    """A model that follows a script, served by this process."""
    import scripted_model as script

    # A proxy that the environment names must not stand between this process and itself.
    os.environ["NO_PROXY"] = "127.0.0.1"
    with script.serving() as (url, _), connected(url, script.NAME) as model:
        yield model


# The loop


class Agent:
    """Works on one task in one session."""

    def __init__(self, session: Session, model: Model, folder: Folder, *, budget: int = 16_000) -> None:
        self.session = session.by("agent")
        self.model = model
        self.budget = budget
        self.tools: dict[str, Callable[..., str]] = {
            "list_files": folder.list_files,
            "read_file": folder.read_file,
            "grep": folder.grep,
        }

    def run(self, rounds: int = 10) -> str | None:
        """The model's answer; None when it had none after so many rounds."""
        for _ in range(rounds):
            context = self.session.context(self.budget, tools=TOOLS)
            message, said = self._call(context)
            wanted = message.get("tool_calls") or []
            if not wanted:
                return str(message.get("content") or "")
            self._use_tools(wanted, said)
        self.session.progress.error(f"no answer after {rounds} rounds", name="RoundsUsedUp")
        return None

    def _call(self, context: Context) -> tuple[dict[str, Any], int]:
        """The answer and its version. Every attempt is recorded, also those that fail."""
        for attempt in range(1, ATTEMPTS + 1):
            began = time.monotonic()
            try:
                answer = self.model.complete(context.messages)
            except ModelFailed as failed:
                took = 1000 * (time.monotonic() - began)
                self.session.model_called(context, self.model.name, latency_ms=took, error=str(failed))
                if failed.again is None or attempt == ATTEMPTS:
                    self.session.progress.error(f"the model gave no answer: {failed}", name="ModelFailed")
                    raise
                time.sleep(failed.again)
            else:
                took = 1000 * (time.monotonic() - began)
                choice = answer["choices"][0]
                said = self.session.answered(
                    context,
                    choice["message"],
                    format="openai",
                    model=answer.get("model") or self.model.name,
                    usage=answer.get("usage"),
                    request_id=answer.get("id"),
                    latency_ms=took,
                    stop_reason=choice.get("finish_reason"),
                )
                return choice["message"], said
        raise AssertionError("the last attempt returns or raises")

    def _use_tools(self, wanted: list[dict[str, Any]], said: int) -> None:
        """Runs all tools that a message asks for at once, and records each result as it comes. None may stay without
        one: a context shows an exchange only when it is complete."""
        # The newest exchange must fit into the next context whole, so its results share half of the budget.
        most = self.budget // 2 // len(wanted)
        with ThreadPoolExecutor(max_workers=8) as pool:
            running = {pool.submit(self._use_tool, one["function"], said): one["id"] for one in wanted}
            for done in as_completed(running):
                text, failed = done.result()
                self.session.tool_result(running[done], shortened(text, most) or "(nothing)", is_error=failed)

    def _use_tool(self, function: dict[str, Any], said: int) -> tuple[str, bool]:
        """What the tool says, and whether that is an error."""
        try:
            arguments = json.loads(function.get("arguments") or "{}")
            if not isinstance(arguments, dict) or not all(isinstance(v, str) for v in arguments.values()):
                raise ToolFailed("the arguments must be texts, by name")
            if function["name"] == "decide":
                return self._decide(said, **arguments), False
            if function["name"] not in self.tools:
                raise ToolFailed(f"there is no tool {function['name']!r}")
            return self.tools[function["name"]](**arguments), False
        except (ToolFailed, BackstoryError, OSError, TypeError, ValueError) as error:
            return f"{type(error).__name__}: {error}", True

    def _decide(self, said: int, text: str, rationale: str | None = None) -> str:
        decision = self.session.caused_by(said).decide(text, rationale=rationale or None)
        return f"recorded as DEC-{decision}"


def shortened(text: str, most: int) -> str:
    """The beginning of a text, with so many tokens at most, and a word that there was more."""
    tokens = count_tokens(text)
    if tokens <= most:
        return text
    while text and tokens > most - 10:
        text = text[: len(text) * max(0, most - 10) // tokens]
        tokens = count_tokens(text)
    return text + "\n(cut off)"


def main() -> int:
    arguments = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    arguments.add_argument("task", nargs="?", default=TASK)
    arguments.add_argument("--folder", type=Path, default=Path(__file__).parent)
    arguments.add_argument("--rounds", type=int, default=10)
    arguments.add_argument("--budget", type=int, default=16_000, help="tokens for prompt and answer together")
    arguments.add_argument("--scripted", action="store_true", help="no network: a scripted model answers")
    wanted = arguments.parse_args()
    opened = scripted_model if wanted.scripted else model_from_environment
    with ContextStore.open() as store, opened() as model:
        session = store.start(title=wanted.task, tags=["example"], limit=wanted.budget, model=model.name)
        session.set_system_prompt(SYSTEM_PROMPT)
        session.by("user").message(wanted.task)
        agent = Agent(session, model, Folder(wanted.folder), budget=wanted.budget)
        try:
            answer = agent.run(wanted.rounds)
        except (ModelFailed, BudgetTooSmall) as failed:
            print(f"{type(failed).__name__}: {failed}", file=sys.stderr)
            return 1
        print(answer if answer is not None else f"(no answer after {wanted.rounds} rounds)")
        print(f"\nrecorded as session {session.id}, {session.version} events")
        for decision in session.state.decisions:
            seen = session.saw(decision.id)
            print(f"DEC-{decision.id}: {seen.reproduction or seen.gap}")
    return 0 if answer is not None else 1


if __name__ == "__main__":
    sys.exit(main())

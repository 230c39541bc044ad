"""One session with a clock of its own, and the turns of its agents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from json import dumps
from typing import Any, NamedTuple

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.values import Role

TAG = "sample"
UNFINISHED = "sample-unfinished"
"""The tag of sessions that are being made. What a run that was killed has left is removed by the next."""


class Agent(NamedTuple):
    """An agent, and the model that it calls."""

    name: str
    model: str
    provider: str


CODER = Agent("coder", "gpt-5", "openai")
REVIEWER = Agent("reviewer", "gpt-5-mini", "openai")


class Tool(NamedTuple):
    """A call of a tool and its result. Without a result it is still under way."""

    name: str
    arguments: Mapping[str, Any]
    result: str | None
    failed: bool = False


@dataclass
class Recorder:
    """Records a session as if its events had occurred one after the other, some time ago."""

    session: Session
    now: datetime
    tags: tuple[str, ...]
    budget: int
    calls: int = 0

    @classmethod
    def begin(
        cls,
        store: ContextStore,
        title: str,
        project: str,
        now: datetime,
        limit: int,
        *tags: str,
        budget: int = 6_000,
    ) -> "Recorder":
        """Starts a session."""
        session = store.start(
            title=title,
            tags=[*tags, UNFINISHED],
            project=project,
            limit=limit,
            model=CODER.model,
            actor="mara",
            occurred=now,
        )
        return cls(session, now, tags, min(budget, limit))

    def finish(self) -> None:
        """Marks the session as a whole one."""
        self.session.occurred(self.now).details.tag(*self.tags, TAG)

    def wait(self, **time: float) -> None:
        """Lets time pass."""
        self.now += timedelta(**time)

    def by(self, who: str) -> Session:
        """The session, written to by an agent or a person a few seconds later."""
        self.wait(seconds=4)
        return self.session.by(who).occurred(self.now)

    def say(self, who: str, text: str, **more: Any) -> int:
        """A person's message."""
        self.wait(seconds=50)
        return self.by(who).message(text, **more)

    def turn(self, agent: Agent, text: str, *tools: Tool, query: str | None = None) -> int:
        """One turn of an agent: room is made, a context built, the model called, its answer and the results of its
        tools recorded. Returns the version of the answer."""
        self.wait(seconds=6)
        self.by(agent.name).before_call(next_tokens=600)
        context = self.by(agent.name).context(self.budget, query=query)
        named = [(f"call_{self.calls + place:03}", tool) for place, tool in enumerate(tools, start=1)]
        self.calls += len(tools)
        answer: dict[str, Any] = {"role": "assistant", "content": text}
        if tools:
            answer["tool_calls"] = [
                {
                    "id": id,
                    "type": "function",
                    "function": {"name": tool.name, "arguments": dumps(dict(tool.arguments))},
                }
                for id, tool in named
            ]
        written = len(dumps(answer)) // 4
        latency = 900 + 21 * written
        self.wait(milliseconds=latency)
        version = self.by(agent.name).answered(
            context,
            answer,
            role=Role.AGENT,
            format="openai",
            model=agent.model,
            provider=agent.provider,
            usage={
                "prompt_tokens": context.tokens,
                "completion_tokens": written,
                "total_tokens": context.tokens + written,
                "prompt_tokens_details": {"cached_tokens": context.tokens // 2},
            },
            latency_ms=float(latency),
            stop_reason="tool_calls" if tools else "stop",
        )
        for id, tool in named:
            if tool.result is not None:
                self.wait(seconds=3 + len(tool.result) // 400)
                self.by(agent.name).tool_result(id, tool.result, is_error=tool.failed)
        return version

    def decide(self, agent: Agent, after: int, text: str, **more: Any) -> int:
        """A decision that follows from an answer."""
        return self.by(agent.name).caused_by(after).decide(text, **more)


def read(path: str, text: str) -> Tool:
    """A file that was read."""
    return Tool("read_file", {"path": path}, text)


def edit(path: str, what: str, lines: Sequence[int] = (1, 1)) -> Tool:
    """A file that was changed."""
    return Tool(
        "edit_file", {"path": path, "change": what}, f"{path}: {lines[0]} lines added, {lines[1]} removed"
    )


def run(command: str, output: str, failed: bool = False) -> Tool:
    """A command that was run in a shell."""
    return Tool("shell", {"command": command}, output, failed)

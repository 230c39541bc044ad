"""Transcripts made for tests, line by line, in the form that Claude Code and OpenHands write."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

SAMPLES = Path(__file__).parents[3] / "shared" / "data"
CLAUDE_CODE = ("edge_cases", "representative_messages", "session_b", "todowrite_examples")


class Transcript:
    """A Claude Code transcript that grows. Every line hangs on the one before it unless it says otherwise."""

    def __init__(self, session: str | None = None) -> None:
        self.session = session or str(uuid4())
        self.lines: list[bytes] = []
        self.newest: str | None = None
        self._minute = 0

    def line(self, type: str, **fields: Any) -> str:
        """Adds a line, and returns its uuid."""
        self._minute += 1
        uuid = fields.pop("uuid", None) or str(uuid4())
        line = {
            "type": type,
            "uuid": uuid,
            "parentUuid": fields.pop("parent", self.newest),
            "sessionId": self.session,
            "timestamp": f"2025-06-14T{10 + self._minute // 60:02}:{self._minute % 60:02}:00.000Z",
            "cwd": "/home/ana/orders",
            "gitBranch": "main",
            "version": "2.0.1",
            "isSidechain": False,
            "userType": "external",
            **fields,
        }
        if not line["isSidechain"]:
            self.newest = uuid
        self.raw(json.dumps(line).encode() + b"\n")
        return uuid

    def raw(self, data: bytes) -> None:
        self.lines.append(data)

    def user(self, content: Any, **fields: Any) -> str:
        return self.line("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, *blocks: dict[str, Any] | str, id: str | None = None, **fields: Any) -> str:
        content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
        message = {
            "id": id or f"msg_{uuid4().hex}",
            "type": "message",
            "role": "assistant",
            "model": fields.pop("model", "claude-sonnet-4"),
            "content": content,
            "stop_reason": None,
            "usage": fields.pop("usage", {"input_tokens": 20, "output_tokens": 5}),
        }
        return self.line("assistant", message=message, requestId="req_1", **fields)

    def result(self, *calls: str, text: str = "done", **fields: Any) -> str:
        return self.user([answer(call, text) for call in calls], **fields)

    def compact(self, summary: str, **metadata: Any) -> None:
        before = self.newest
        metadata = metadata or {"trigger": "auto", "preTokens": 155_000}
        self.line(
            "system",
            subtype="compact_boundary",
            parent=None,
            logicalParentUuid=before,
            compactMetadata=metadata,
        )
        self.user(summary, isCompactSummary=True)

    @property
    def data(self) -> bytes:
        return b"".join(self.lines)

    def write(self, folder: Path, name: str = "transcript.jsonl") -> Path:
        file = folder / name
        file.write_bytes(self.data)
        return file


def call(id: str, name: str = "Bash", **input: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": name, "input": input or {"command": "ls"}}


def answer(id: str, text: str = "done") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": text}


def long_transcript(turns: int, session: str | None = None) -> Transcript:
    """Turns of a prompt, a call, its result and an answer, with a line of progress between."""
    transcript = Transcript(session)
    for turn in range(turns):
        transcript.user(f"prompt {turn}")
        transcript.assistant("I look.", call(f"call_{turn}"))
        transcript.line("progress", data={"type": "bash_progress", "turn": turn})
        transcript.result(f"call_{turn}", text=f"file_{turn}.py\n" * 5)
        transcript.assistant(f"answer {turn}")
    return transcript


def run(instance: str, events: list[dict[str, Any]], **fields: Any) -> bytes:
    """A run of OpenHands on one line."""
    document = {
        "instance_id": instance,
        "metadata": {"agent_class": "CodeActAgent", "llm_config": {"model": "openai/llama"}},
        "history": events,
        "metrics": {},
        "instance": {"repo": "acme/orders", "problem_statement": "It breaks.\nAlways."},
        **fields,
    }
    return json.dumps(document).encode() + b"\n"


def event(id: int, **fields: Any) -> dict[str, Any]:
    return {"id": id, "timestamp": f"2025-04-30T16:{id:02}:00.5", "source": "agent", "message": "", **fields}


def asked(id: int, response: str, *calls: str, action: str = "run", created: int = 0) -> dict[str, Any]:
    """An action that the model asked for in a response with these calls, for the last of them."""
    message = {
        "role": "assistant",
        "content": "I look.",
        "tool_calls": [
            {
                "index": 1,
                "id": call,
                "type": "function",
                "function": {"name": "bash", "arguments": "{}"},
            }
            for call in calls
        ],
    }
    model_response = {
        "id": response,
        "created": created,
        "model": "meta/llama",
        "choices": [{"finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10},
    }
    metadata = {"tool_call_id": calls[-1], "function_name": "bash", "model_response": model_response}
    return event(id, action=action, args={}, tool_call_metadata=metadata)


def observed(id: int, call: str, content: str = "done") -> dict[str, Any]:
    return event(
        id,
        observation="run",
        content=content,
        tool_call_metadata={"tool_call_id": call, "model_response": None},
    )

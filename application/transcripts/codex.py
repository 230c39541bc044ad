"""Rollouts of Codex: one JSON object a line, with a time, a type and a payload.

| line | becomes |
|---|---|
| response_item: message | a message; what Codex itself says in the role of the user is no instruction of the user |
| response_item: function_call, custom_tool_call, local_shell_call | a message with the call |
| their outputs | the result of the call |
| compacted | a compaction, with its message as the summary; what its replacement history repeats stays |
| session_meta, turn_context | properties of the session |
| anything else, such as event_msg, reasoning | nothing: the line is kept |

Lines have no ids. A call is known by its id, and everything else by its time and its place among the lines of that
time: so a line is found again in a file that a compaction has rewritten.
"""

import json
from collections import Counter
from typing import Any

from backstory.application.transcripts.json_lines import (
    json_object,
    kind_of_other,
    moment_in,
    name_in,
    text_in,
)
from backstory.application.transcripts.steps import (
    About,
    Line,
    StepLine,
    TranscriptCompaction,
    TranscriptMessage,
    TranscriptStep,
)

FORMAT = "codex"
AGENT = "codex"
"""The actor of the assistant's messages."""

_TYPES = ("session_meta", "response_item", "turn_context", "event_msg", "compacted")
_NOTES = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<skills_instructions>",
    "<turn_aborted>",
    "<user_shell_command>",
    "# AGENTS.md instructions",
)
"""The beginnings of what Codex tells the model in the role of the user."""
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")


def recognizes(line: Line) -> bool:
    """Whether a line is certainly of this format."""
    entry = json_object(line)
    return entry is not None and entry.get("type") in _TYPES and isinstance(entry.get("payload"), dict)


class CodexReader:
    """Reads a rollout line by line."""

    def __init__(self) -> None:
        self._session: str | None = None
        self._described: set[str] = set()
        self._of_time: Counter[str] = Counter()
        self._said: dict[str, str] = {}
        """By the text of what a user said, its key. A compaction repeats some of it."""

    def read(self, line: Line) -> list[TranscriptStep]:
        entry = json_object(line)
        payload = None if entry is None else entry.get("payload")
        if entry is None or not isinstance(payload, dict):
            kind = kind_of_other(line) if entry is None else name_in(entry, "type") or "no type"
            return [TranscriptStep(None, (StepLine(line.number, kind, None, line.data),))]
        kind = name_in(entry, "type") or "no type"
        if kind == "session_meta" and self._session is None:
            # A fork repeats that of its parent after its own.
            self._session = text_in(payload, "id") or text_in(payload, "session_id")
        inner = name_in(payload, "type")
        key = self._key(entry, kind, inner, payload)
        action: TranscriptMessage | TranscriptCompaction | None = None
        if kind == "response_item":
            action = _item(inner, payload)
            if action is not None and action.message["role"] == "user" and key is not None:
                self._said[_text(payload)] = key
        elif kind == "compacted":
            action = self._compaction(payload)
        spoken = isinstance(action, TranscriptMessage) and action.message["role"] == "assistant"
        at = moment_in(entry, "timestamp")
        return [
            TranscriptStep(
                self._session,
                (StepLine(line.number, f"{kind} {inner}"[:200] if inner else kind, key, line.data),),
                action,
                at if at is None or at.tzinfo is not None else None,
                AGENT if spoken else None,
                about=self._about(kind, payload),
            )
        ]

    def _key(
        self, entry: dict[str, Any], kind: str, inner: str | None, payload: dict[str, Any]
    ) -> str | None:
        call = name_in(payload, "call_id")
        if kind == "response_item" and call is not None and inner in (*_CALLS, *_OUTPUTS):
            return f"{inner} {call}"[-200:]
        time = name_in(entry, "timestamp")
        if time is None:
            return None
        self._of_time[f"{time} {kind}"] += 1
        return f"{time} {kind} {self._of_time[f'{time} {kind}']}"[-200:]

    def _about(self, kind: str, payload: dict[str, Any]) -> About | None:
        """Properties of the session that no earlier line had."""
        if kind not in ("session_meta", "turn_context"):
            return None
        properties = {
            "cwd": text_in(payload, "cwd"),
            "agent_version": name_in(payload, "cli_version"),
            "model": name_in(payload, "model"),
        }
        new = {
            field: value
            for field, value in properties.items()
            if value is not None and field not in self._described
        }
        self._described |= new.keys()
        return About(agent=AGENT, **new) if new else None

    def _compaction(self, payload: dict[str, Any]) -> TranscriptCompaction:
        history = payload.get("replacement_history")
        texts = [_text(item) for item in history or () if isinstance(item, dict)]
        keeps = tuple(self._said[text] for text in texts if text in self._said)
        return TranscriptCompaction(text_in(payload, "message"), keeps=keeps)


def _item(kind: str | None, payload: dict[str, Any]) -> TranscriptMessage | None:
    if kind == "message":
        return _message(payload)
    call = text_in(payload, "call_id")
    if call is None:
        return None
    if kind in _CALLS:
        name, arguments = _called(kind, payload)
        function = {"name": name, "arguments": arguments}
        asked = {"id": call, "type": "function", "function": function}
        return TranscriptMessage({"role": "assistant", "content": None, "tool_calls": [asked]}, "openai")
    if kind in _OUTPUTS:
        answer = {"role": "tool", "tool_call_id": call, "content": _output(payload.get("output"))}
        return TranscriptMessage(answer, "openai")
    return None


def _message(payload: dict[str, Any]) -> TranscriptMessage | None:
    role, content = payload.get("role"), payload.get("content")
    given = content if isinstance(content, list) else []
    blocks = [block for one in given if isinstance(one, dict) and (block := _block(one)) is not None]
    if role not in ("user", "assistant", "developer", "system") or not blocks:
        return None
    texts = [block["text"] for block in blocks if block["type"] == "text"]
    if role == "assistant":
        return TranscriptMessage({"role": role, "content": "\n".join(texts)}, "openai") if texts else None
    note = role != "user" or (
        len(texts) == len(blocks) and all(text.lstrip().startswith(_NOTES) for text in texts)
    )
    return TranscriptMessage(
        {"role": role, "content": blocks},
        "openai",
        "meta" if note else None,
        origin="internal_tool" if note else None,
    )


def _block(block: dict[str, Any]) -> dict[str, Any] | None:
    text = text_in(block, "text")
    if block.get("type") in ("input_text", "output_text", "text") and text is not None:
        return {"type": "text", "text": text}
    image = text_in(block, "image_url")
    return None if image is None else {"type": "image_url", "image_url": {"url": image}}


def _called(kind: str | None, payload: dict[str, Any]) -> tuple[str, str]:
    """The name of the tool that is called, and its arguments as JSON."""
    if kind == "local_shell_call":
        action = payload.get("action")
        return "local_shell", json.dumps(action if isinstance(action, dict) else {})
    name = name_in(payload, "name") or "tool"
    if kind == "custom_tool_call":
        return name, json.dumps({"input": payload.get("input")})
    arguments = payload.get("arguments")
    return name, arguments if isinstance(arguments, str) else json.dumps(arguments)


def _output(output: Any) -> str:
    """The text of a result: as it is, or in an object or in blocks."""
    if isinstance(output, list):
        return "\n".join(text for one in output if isinstance(one, dict) and (text := text_in(one, "text")))
    if isinstance(output, dict):
        content = output.get("content", output.get("output"))
        return content if isinstance(content, str) else json.dumps(output)
    return output if isinstance(output, str) else json.dumps(output)


def _text(item: dict[str, Any]) -> str:
    content = item.get("content")
    texts = (
        [text_in(one, "text") for one in content if isinstance(one, dict)]
        if isinstance(content, list)
        else []
    )
    return "\n".join(text for text in texts if text)

"""Transcripts of Claude Code: one JSON object a line.

| line | becomes |
|---|---|
| user, assistant | a message; lines with the same message id are one; results join the call they answer |
| system compact_boundary, then user with isCompactSummary | a compaction |
| summary of something said in this file | the title |
| the like with isSidechain | the same, by a subagent, in a window of its own |
| synthetic assistant message, such as an API error | a message outside every window: no model said or saw it |
| anything else | nothing: the line is kept |

A prompt that goes on from an earlier message than the newest one is a rewind: what stood between leaves the window.
"""

from datetime import UTC, datetime
from typing import Any

from backstory.application.transcripts.json_lines import (
    json_object,
    kind_of_other,
    moment_in,
    name_in,
    number_in,
    text_in,
)
from backstory.application.transcripts.steps import (
    About,
    Line,
    ModelCall,
    StepLine,
    TranscriptCompaction,
    TranscriptMessage,
    TranscriptStep,
    TranscriptTitle,
)
from backstory.domain.trust import Origin
from backstory.domain.values import MAIN_WINDOW

FORMAT = "claude-code"
AGENT = "claude"
"""The actor of assistant messages outside side chains."""

_SYNTHETIC = "<synthetic>"
_NOTES = (
    "<task-notification>",
    "<system-reminder>",
    "<local-command-caveat>",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-stdout>",
    "<bash-stderr>",
)
"""The beginnings of what the program tells the model in the role of the user."""


def recognizes(line: Line) -> bool:
    """Whether a line is certainly of this format."""
    entry = json_object(line)
    return (
        entry is not None
        and name_in(entry, "type") is not None
        and text_in(entry, "sessionId") is not None
        and text_in(entry, "uuid") is not None
    )


class ClaudeCodeReader:
    """Reads a transcript line by line."""

    def __init__(self) -> None:
        self._newest_time: datetime | None = None
        self._chains: dict[str, _Chain] = {}
        self._session_of: dict[str, str] = {}
        self._described: set[tuple[str, str]] = set()

    def read(self, line: Line) -> list[TranscriptStep]:
        entry = json_object(line)
        if entry is None:
            return [TranscriptStep(None, (StepLine(line.number, kind_of_other(line), None, line.data),))]
        kind, key, session = name_in(entry, "type"), name_in(entry, "uuid"), text_in(entry, "sessionId")
        if kind == "summary" and session is None:
            session = self._session_of.get(text_in(entry, "leafUuid") or "")
        step = TranscriptStep(
            session, (StepLine(line.number, kind or "no type", key, line.data),), at=self._time_of(entry)
        )
        return [step if session is None or kind is None else self._understood(step, session, kind, entry)]

    def _understood(
        self, step: TranscriptStep, session: str, kind: str, entry: dict[str, Any]
    ) -> TranscriptStep:
        key = step.lines[0].key
        chain = self._chains.setdefault(session, _Chain())
        window, agent = chain.window_of(entry, key)
        action: TranscriptMessage | TranscriptCompaction | TranscriptTitle | None = None
        leaves: tuple[str, ...] = ()
        about = self._about(session, entry)
        if kind == "system" and entry.get("subtype") == "compact_boundary":
            chain.boundaries[window] = entry
        elif kind == "summary":
            title = text_in(entry, "summary")
            action = TranscriptTitle(title) if title is not None else None
        elif kind == "user" and entry.get("isCompactSummary") is True:
            action = chain.compaction(entry, window)
        elif kind in ("user", "assistant") and entry.get("isVisibleInTranscriptOnly") is not True:
            action = _message(entry, kind, window)
            if action is not None and window == MAIN_WINDOW:
                prompts = kind == "user" and not action.answers
                leaves = chain.left_behind(text_in(entry, "parentUuid")) if prompts else ()
        if key is not None:
            self._session_of[key] = session
            chain.add(key, entry, action, window)
        actor = agent if kind == "assistant" else AGENT if kind == "user" and window != MAIN_WINDOW else None
        return TranscriptStep(session, step.lines, action, step.at, actor, leaves, about)

    def _time_of(self, entry: dict[str, Any]) -> datetime | None:
        """The time of a line. A line without one has that of the line before it."""
        time = moment_in(entry, "timestamp")
        if time is None:
            return self._newest_time
        self._newest_time = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
        return self._newest_time

    def _about(self, session: str, entry: dict[str, Any]) -> About | None:
        """Properties of the session that no earlier line had."""
        properties = {
            "cwd": text_in(entry, "cwd"),
            "agent_version": name_in(entry, "version"),
            "model": name_in(entry, "message", "model"),
        }
        new = {
            field: value
            for field, value in properties.items()
            if value and value != _SYNTHETIC and (session, field) not in self._described
        }
        self._described.update((session, field) for field in new)
        return About(agent=AGENT, **new) if new else None


class _Chain:
    """The parent links between the lines of one session."""

    def __init__(self) -> None:
        self.boundaries: dict[str, dict[str, Any]] = {}
        self._parents: dict[str, str | None] = {}
        self._tip: str | None = None
        self._messages: list[str] = []
        self._joined: dict[str, str] = {}
        self._side_windows: dict[str, str] = {}

    def window_of(self, entry: dict[str, Any], key: str | None) -> tuple[str, str]:
        """The window and the agent of a line. A side chain without an agent is named after its first line."""
        if entry.get("isSidechain") is not True:
            return MAIN_WINDOW, AGENT
        agent = name_in(entry, "agentId")
        if agent is None:
            begun = self._side_windows.get(text_in(entry, "parentUuid") or "")
            agent = begun or (key or "unknown")[:12]
            if key is not None:
                self._side_windows[key] = agent
        side = f"sidechain {agent}"[:200]
        return side, side

    def add(self, key: str, entry: dict[str, Any], action: object, window: str) -> None:
        self._parents.setdefault(key, text_in(entry, "parentUuid") or text_in(entry, "logicalParentUuid"))
        if window != MAIN_WINDOW:
            return
        self._tip = key
        if isinstance(action, TranscriptCompaction):
            self._messages.clear()
        elif isinstance(action, TranscriptMessage):
            self._messages.append(key)
            if action.joins is not None:
                self._joined[key] = action.joins

    def left_behind(self, parent: str | None) -> tuple[str, ...]:
        """The messages that a prompt with this parent leaves behind: those after the parent on another branch."""
        if parent is None or parent == self._tip or parent not in self._parents:
            return ()
        chain = self._path_to(parent)
        joined = {self._joined[key] for key in chain if key in self._joined}
        left: list[str] = []
        for key in reversed(self._messages):
            if key in chain:
                break
            if self._joined.get(key) not in joined and not chain.isdisjoint(self._path_to(key)):
                left.append(key)
        return tuple(reversed(left))

    def _path_to(self, key: str | None) -> set[str]:
        way: set[str] = set()
        while key is not None and key not in way:
            way.add(key)
            key = self._parents.get(key)
        return way

    def compaction(self, entry: dict[str, Any], window: str) -> TranscriptCompaction | None:
        boundary = self.boundaries.pop(window, {})
        content = entry["message"].get("content") if isinstance(entry.get("message"), dict) else None
        blocks = content if isinstance(content, list) else [{"text": content}]
        texts = [text for block in blocks if isinstance(block, dict) and (text := text_in(block, "text"))]
        if not texts:
            return None
        return TranscriptCompaction(
            "\n".join(texts),
            trigger=name_in(boundary, "compactMetadata", "trigger"),
            tokens_before=number_in(boundary, "compactMetadata", "preTokens"),
            window=window,
        )


def _message(entry: dict[str, Any], role: str, window: str) -> TranscriptMessage | None:
    message = entry.get("message")
    if not isinstance(message, dict) or message.get("role", role) != role or "content" not in message:
        return None
    plain = {"role": role, "content": message["content"]}
    if role == "user":
        return TranscriptMessage(
            plain,
            "anthropic",
            "meta" if entry.get("isMeta") is True else None,
            (window,),
            origin=_origin_of_user(entry, window),
        )
    model = name_in(message, "model")
    if entry.get("isApiErrorMessage") is True or model == _SYNTHETIC:
        return TranscriptMessage(
            plain, "anthropic", "error" if entry.get("isApiErrorMessage") is True else None, ()
        )
    usage = message.get("usage")
    call = None
    if model is not None and isinstance(usage, dict):
        call = ModelCall(
            model,
            usage,
            "anthropic",
            name_in(entry, "requestId"),
            name_in(message, "stop_reason"),
        )
    return TranscriptMessage(plain, "anthropic", None, (window,), call, name_in(message, "id"))


def _origin_of_user(entry: dict[str, Any], window: str) -> Origin | None:
    """The origin of what stands in the role of the user: the program wrote its own notes, and in a side chain the model
    wrote the prompt."""
    if entry.get("isMeta") is True or _is_note(entry["message"]["content"]):
        return "internal_tool"
    return None if window == MAIN_WINDOW else "model"


def _is_note(content: Any) -> bool:
    """Whether the program wrote all of a message, though the line does not say so."""
    blocks = [{"text": content}] if isinstance(content, str) else content
    if not isinstance(blocks, list):
        return False
    texts = [block.get("text") for block in blocks if isinstance(block, dict)]
    return bool(texts) and all(isinstance(text, str) and text.lstrip().startswith(_NOTES) for text in texts)

"""Messages as OpenAI's API accepts them in a request. See `anthropic_requests`."""

import re
from collections.abc import Sequence
from typing import Any

from backstory.domain.messages.inner import read_any
from backstory.domain.messages.prose import Object, as_blocks, prose, text_block, with_name
from backstory.domain.messages.values import dumps

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""The names that the API accepts."""

MESSAGES: dict[str, tuple[str, ...]] = {
    "developer": ("content", "name"),
    "system": ("content", "name"),
    "user": ("content", "name"),
    "assistant": ("content", "name", "refusal", "audio", "function_call", "tool_calls"),
    "tool": ("content", "tool_call_id"),
    "function": ("content", "name"),
}
"""The fields of each role's messages besides the role."""
_CACHE = {"prompt_cache_breakpoint": ("mode", "ttl")}
PARTS: dict[str, dict[str, tuple[str, ...]]] = {
    "text": {"text": (), **_CACHE},
    "refusal": {"refusal": ()},
    "image_url": {"image_url": ("url", "detail"), **_CACHE},
    "input_audio": {"input_audio": ("data", "format"), **_CACHE},
    "file": {"file": ("file_data", "file_id", "filename"), **_CACHE},
}
"""The fields of each content part besides its type, and for those that are objects, their fields."""
_PARTS_OF = {"user": ("text", "image_url", "input_audio", "file"), "assistant": ("text", "refusal")}
_AUDIO = ("wav", "mp3")
CALLS: dict[str, tuple[str, ...]] = {"function": ("name", "arguments"), "custom": ("name", "input")}


def accepted(message: Object, name: str | None = None) -> Object | None:
    """A rendered message as OpenAI's API accepts it, with the speaker's name: as its field where the API accepts that
    name, else in front. None where nothing is left."""
    role = message["role"]
    fields = MESSAGES[role]
    kept = {key: one for key, one in message.items() if key == "role" or (key in fields and one is not None)}
    if role == "assistant":
        _keep_calls(kept)
    content = kept.get("content")
    if isinstance(content, list):
        allowed = _PARTS_OF.get(role, ("text",))
        kept["content"] = [part for one in content if (part := _part(one, allowed)) is not None]
    if role in ("tool", "function"):
        return kept | {"content": kept.get("content") or ("" if role == "tool" else None)}
    if not any(kept.get(slot) for slot in ("content", "refusal", "audio", "function_call", "tool_calls")):
        return None
    if role == "assistant" and not kept.get("content"):
        kept["content"] = None
    return _named(kept, kept.pop("name", None) or name)


def _keep_calls(kept: Object) -> None:
    """Keeps the calls and the audio of an answer as they are sent back."""
    calls, unknown = [], []
    for call in kept.pop("tool_calls", ()):
        kind = call.get("type")
        if kind in CALLS:
            inner = {key: call[kind][key] for key in CALLS[kind]}
            calls.append({"id": call["id"], "type": kind, kind: inner})
        else:
            unknown.append({"type": "text", "text": dumps(call).decode()})
    if calls:
        kept["tool_calls"] = calls
    if unknown:
        content = kept.get("content") or []
        kept["content"] = [*as_blocks(content), *unknown]
    if "function_call" in kept:
        kept["function_call"] = {key: kept["function_call"][key] for key in ("name", "arguments")}
    audio = kept.pop("audio", None)
    if audio is not None and "id" in audio:
        kept["audio"] = {"id": audio["id"]}


def _part(part: Any, allowed: Sequence[str]) -> Object | None:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind not in allowed or (kind == "input_audio" and part["input_audio"]["format"] not in _AUDIO):
        return text_block(prose(read_any(part)))
    kept: Object = {"type": kind}
    for key, inner in PARTS[str(kind)].items():
        if key in part:
            value = part[key]
            kept[key] = {k: v for k, v in value.items() if k in inner} if isinstance(value, dict) else value
    return kept


def _named(message: Object, name: str | None) -> Object:
    if name is None:
        return message
    if _NAME.fullmatch(name):
        return message | {"name": name}
    if message["role"] != "user":
        return message
    content = message["content"]
    named = f"{name}: {content}" if isinstance(content, str) else with_name(content, name)
    return message | {"content": named}

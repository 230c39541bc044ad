"""Values of a graph as bytes, with their texts apart: a text that the session holds already is not stored again."""

import hashlib
import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from backstory.domain.errors import InvalidInput
from backstory.domain.messages.contents import Message, Part
from backstory.domain.values import label

LONG = 1024
"""Texts of more bytes than this are contents of their own, which a session stores once."""
ERASED = "[erased]"
USUAL = (
    b"msgpack null __error__ __interrupt__ __resume__ __pregel_tasks messages branch:to:agent branch:to:tools "
    b"additional_kwargs response_metadata usage_metadata tool_calls invalid_tool_calls input_tokens output_tokens "
    b"langchain_core.messages.human HumanMessage langchain_core.messages.tool ToolMessage tool_call_id artifact status "
    b"langchain_core.messages.ai AIMessage model_validate_json content additional_kwargs response_metadata type name "
    b"id run_id thread_id parents step source update fork input loop m v l c e i at p w "
    b"updated_channels versions_seen __input__ __start__ channel_versions pending_sends ts id v +00:00 00000000."
)
"""What records have in common, for their compression. It cannot change: what is recorded was compressed with it."""
_WALKED = ("content", "tool_calls", "additional_kwargs")
_ROLES = {"human": "user", "system": "system", "tool": "tool"}


class Text(NamedTuple):
    """A text that was taken out of a value: where it stood, and its bytes."""

    path: tuple[str | int, ...]
    data: bytes


@dataclass(frozen=True)
class Packed:
    """A value without its longer texts."""

    type: str
    data: bytes
    texts: tuple[Text, ...] = ()

    @property
    def digest(self) -> bytes:
        """Equal for equal values."""
        known = hashlib.sha256(self.type.encode() + b"\0" + self.data)
        for text in self.texts:
            known.update(repr(text.path).encode() + len(text.data).to_bytes(8, "big") + text.data)
        return known.digest()


def pack(serde: SerializerProtocol, value: Any) -> Packed:
    """The value as the serializer has it. Only LangGraph's own serializer gets it without its texts: another one may
    be there to encrypt them."""
    texts: list[Text] = []
    if isinstance(serde, JsonPlusSerializer):
        value = _apart(value, (), texts)
    kind, data = serde.dumps_typed(value)
    return Packed(kind, data, tuple(texts))


def unpack(serde: SerializerProtocol, packed: Packed) -> Any:
    """The value, with its texts."""
    value = serde.loads_typed((packed.type, packed.data))
    for text in packed.texts:
        value = _with(value, text.path, text.data.decode(errors="replace"))
    return value


def _apart(value: Any, path: tuple[str | int, ...], texts: list[Text], shortest: int = LONG) -> Any:
    if type(value) is str:
        with suppress(UnicodeEncodeError):
            if len(data := value.encode()) > shortest:
                texts.append(Text(path, data))
                return ""
        return value
    if type(value) is dict:
        return {
            key: _apart(inner, (*path, key), texts, shortest) if isinstance(key, str | int) else inner
            for key, inner in value.items()
        }
    if type(value) in (list, tuple):
        return type(value)(_apart(inner, (*path, n), texts, shortest) for n, inner in enumerate(value))
    if isinstance(value, BaseMessage):
        return _message_apart(value, path, texts)
    return value


def _message_apart(message: BaseMessage, path: tuple[str | int, ...], texts: list[Text]) -> BaseMessage:
    """What a message says is always apart, however short: it can be erased without the rest."""
    changed = {}
    for field in _WALKED:
        if value := getattr(message, field, None):
            before = len(texts)
            # Of blocks, the texts; the other fields of blocks are short words that would only take room.
            shortest = 0 if field == "content" and isinstance(value, str) else LONG
            apart = (
                [_block_apart(block, (*path, field, n), texts) for n, block in enumerate(value)]
                if field == "content" and isinstance(value, list)
                else _apart(value, (*path, field), texts, shortest)
            )
            if len(texts) > before:
                changed[field] = apart
    return message.model_copy(update=changed) if changed else message


def _block_apart(block: Any, path: tuple[str | int, ...], texts: list[Text]) -> Any:
    if isinstance(block, str):
        return _apart(block, path, texts, 0)
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return {
            key: _apart(inner, (*path, key), texts, 0 if key == "text" else LONG)
            for key, inner in block.items()
        }
    return _apart(block, path, texts)


def _with(value: Any, path: tuple[str | int, ...], text: str) -> Any:
    if not path:
        return text
    step, rest = path[0], path[1:]
    if isinstance(value, BaseMessage):
        assert isinstance(step, str)
        return value.model_copy(update={step: _with(getattr(value, step), rest, text)})
    if isinstance(value, tuple):
        return tuple(_with(inner, rest, text) if n == step else inner for n, inner in enumerate(value))
    value[step] = _with(value[step], rest, text)
    return value


def compressed(record: bytes) -> bytes:
    """A record as it is stored. Much of it is the same in all records."""
    packer = zlib.compressobj(9, zdict=USUAL)
    return packer.compress(record) + packer.flush()


def decompressed(data: bytes) -> bytes:
    """A record as it was."""
    return zlib.decompressobj(zdict=USUAL).decompress(data)


def message_of(message: Any, opens: Callable[[str], bool], answers: Callable[[str], bool]) -> Message | None:
    """A graph's message as one of a conversation; None for one that says nothing, and for what is no message. `opens`
    tells whether a call may be opened under an id, `answers` whether that call waits for its result."""
    if not isinstance(message, BaseMessage) or not message.id:
        return None
    said = [data.encode(errors="replace") for data in _said(message.content) if data]
    if isinstance(message, ToolMessage):
        if not answers(message.tool_call_id):
            return Message("agent", tuple(Part("text", data) for data in said)) if said else None
        extras = json.dumps({"is_error": True}).encode() if message.status == "error" else None
        result = Part("tool_result", b"\n".join(said), call_id=message.tool_call_id, extras=extras)
        return Message("tool", (result,))
    parts = [Part("text", data) for data in said]
    calls = message.tool_calls if isinstance(message, AIMessage) else []
    whole = all(call["id"] and opens(call["id"]) for call in calls)
    for call in calls:
        arguments = json.dumps(call["args"], ensure_ascii=False, default=str).encode(errors="replace")
        if whole:
            parts.append(
                Part("tool_use", arguments, "application/json", call_id=call["id"], name=call["name"])
            )
        else:
            parts.append(Part("json", arguments, "application/json"))
    return Message(_ROLES.get(message.type, "agent"), tuple(parts)) if parts else None


def _said(content: Any) -> list[str]:
    if isinstance(content, str):
        return [content]
    texts = [block if isinstance(block, str) else block.get("text") for block in content]
    return [text for text in texts if isinstance(text, str)]


def speaker_of(message: Any) -> str | None:
    """The agent that says a message, where the graph names it."""
    if isinstance(message, AIMessage) and message.name:
        with suppress(InvalidInput):
            return label("name", message.name)
    return None


def without(packed: Packed, held: dict[bytes, int]) -> tuple[Packed, list[list[Any]]]:
    """The packed value without the texts that a message's parts hold, and where those stand: path and part."""
    places = [[list(text.path), held[text.data]] for text in packed.texts if text.data in held]
    return replace(packed, texts=tuple(text for text in packed.texts if text.data not in held)), places

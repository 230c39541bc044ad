"""What a provider would read in a context: an independent count of it, and the links between calls and results."""

import json
from collections.abc import Iterator
from typing import Any

import tiktoken

from backstory.application.context.result import Context
from backstory.infrastructure.llm.tokens import _encoding


def counted(context: Context, encoding: str = "o200k_base") -> int:
    """The tokens of every text in the context. Images and the like have none."""
    encode = tokenizer(encoding).encode_ordinary
    if context.format == "markdown":
        return len(encode(context.text or ""))
    return sum(len(encode(text)) for text in texts(context))


def tokenizer(name: str) -> tiktoken.Encoding:
    return _encoding(name)


def texts(context: Context) -> Iterator[str]:
    if context.text is not None:
        yield context.text
    yield from _texts(context.system)
    for message in context.messages:
        yield from _texts(message)


_NOT_READ = {"role", "type", "id", "tool_call_id", "tool_use_id", "signature", "section", "item", "kind"}
_NOT_READ |= {"media_type", "call_id", "extras", "base64", "source", "image_url", "is_error", "data"}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key == "input":
                yield json.dumps(one, ensure_ascii=False)
            elif key not in _NOT_READ:
                yield from _texts(one)


def calls_and_results(context: Context) -> tuple[list[str], list[str]]:
    """The ids of tool calls and of results, in order."""
    calls: list[str] = []
    results: list[str] = []
    for message in context.messages:
        calls += [call["id"] for call in message.get("tool_calls") or ()]
        if message.get("role") == "tool":
            results.append(message["tool_call_id"])
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if block.get("type") == "tool_use":
                calls.append(block["id"])
            if block.get("type") == "tool_result":
                results.append(block["tool_use_id"])
    return calls, results

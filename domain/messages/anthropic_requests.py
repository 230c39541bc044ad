"""Messages as Anthropic's API accepts them in a request.

A recorded message holds whatever its provider sent, such as the id, the usage and the stop reason of an answer, and the
API refuses a request with such fields. What it does not accept is left out, or put into words where it says something.
The tables hold the fields of the SDK's request types; a test compares them.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from backstory.domain.messages.anthropic import IMAGES
from backstory.domain.messages.inner import read_any
from backstory.domain.messages.prose import Object, as_blocks, prose, text_block, with_name

_RESULT = ("content", "tool_use_id", "cache_control")
_EXECUTED = ("content", "return_code", "stderr", "stdout")
BLOCKS: dict[str, tuple[str, ...]] = {
    "text": ("text", "cache_control", "citations"),
    "image": ("source", "cache_control", "transformations"),
    "document": ("source", "cache_control", "citations", "context", "title"),
    "search_result": ("content", "source", "title", "cache_control", "citations"),
    "thinking": ("signature", "thinking"),
    "redacted_thinking": ("data",),
    "tool_use": ("id", "input", "name", "cache_control", "caller", "toolset_name"),
    "tool_result": (*_RESULT, "is_error", "toolset_name"),
    "tool_reference": ("tool_name", "cache_control"),
    "browser_state": ("tabs", "cache_control", "state_changes"),
    "server_tool_use": ("id", "input", "name", "cache_control", "caller"),
    "web_search_tool_result": (*_RESULT, "caller"),
    "web_fetch_tool_result": (*_RESULT, "caller"),
    "code_execution_tool_result": _RESULT,
    "bash_code_execution_tool_result": _RESULT,
    "text_editor_code_execution_tool_result": _RESULT,
    "tool_search_tool_result": _RESULT,
    "container_upload": ("file_id", "cache_control"),
    "mcp_tool_use": ("id", "input", "name", "server_name", "cache_control"),
    "mcp_tool_result": (*_RESULT, "is_error"),
}
"""The fields of each block besides its type."""
INNER: dict[str, tuple[str, ...]] = {
    "ephemeral": ("ttl",),
    "char_location": (
        "cited_text",
        "document_index",
        "document_title",
        "end_char_index",
        "start_char_index",
    ),
    "page_location": (
        "cited_text",
        "document_index",
        "document_title",
        "end_page_number",
        "start_page_number",
    ),
    "content_block_location": (
        "cited_text",
        "document_index",
        "document_title",
        "end_block_index",
        "start_block_index",
    ),
    "web_search_result_location": ("cited_text", "encrypted_index", "title", "url"),
    "search_result_location": (
        "cited_text",
        "end_block_index",
        "search_result_index",
        "source",
        "start_block_index",
        "title",
    ),
    "direct": (),
    "code_execution_20250825": ("tool_id",),
    "code_execution_20260120": ("tool_id",),
    "web_search_result": ("encrypted_content", "title", "url", "page_age"),
    "web_search_tool_result_error": ("error_code",),
    "web_fetch_result": ("content", "url", "retrieved_at"),
    "web_fetch_tool_result_error": ("error_code",),
    "code_execution_result": _EXECUTED,
    "encrypted_code_execution_result": ("content", "encrypted_stdout", "return_code", "stderr"),
    "code_execution_output": ("file_id",),
    "code_execution_tool_result_error": ("error_code",),
    "bash_code_execution_result": _EXECUTED,
    "bash_code_execution_output": ("file_id",),
    "bash_code_execution_tool_result_error": ("error_code",),
    "text_editor_code_execution_view_result": (
        "content",
        "file_type",
        "num_lines",
        "start_line",
        "total_lines",
    ),
    "text_editor_code_execution_create_result": ("is_file_update",),
    "text_editor_code_execution_str_replace_result": (
        "lines",
        "new_lines",
        "new_start",
        "old_lines",
        "old_start",
    ),
    "text_editor_code_execution_tool_result_error": ("error_code", "error_message"),
    "tool_search_tool_search_result": ("tool_references",),
    "tool_search_tool_result_error": ("error_code", "error_message"),
}
"""The fields of the objects inside blocks, besides their type."""
_SOURCES: dict[str, tuple[str, ...]] = {
    "base64": ("data", "media_type"),
    "url": ("url",),
    "file": ("file_id",),
    "text": ("data", "media_type"),
    "content": ("content",),
}
_MEDIA_TYPES = {"image": IMAGES, "document": ("application/pdf",)}
_BLOCK_LISTS = ("tool_result", "mcp_tool_result", "search_result")
"""Blocks whose content is blocks again."""


def accepted(message: Object, name: str | None = None) -> Object | None:
    """A rendered message as Anthropic's API accepts it, with the name in front; None where nothing is left."""
    content = message["content"]
    if isinstance(content, str):
        if not content.strip():
            return None
        return {"role": message["role"], "content": content if name is None else f"{name}: {content}"}
    blocks = _blocks(content)
    if not blocks:
        return None
    return {"role": message["role"], "content": blocks if name is None else with_name(blocks, name)}


def joined(messages: Iterable[Object]) -> list[Object]:
    """The messages, those with results of one message's calls as one: the API wants them together."""
    done: list[Object] = []
    for message in messages:
        if done and done[-1]["role"] == message["role"] == "user":
            done[-1]["content"] = [*as_blocks(done[-1]["content"]), *as_blocks(message["content"])]
        else:
            done.append(message)
    return done


def _blocks(content: Sequence[Any]) -> list[Object]:
    return [block for one in content if (block := _block(one)) is not None]


def _block(block: Any) -> Object | None:
    kind = _type_of(block)
    if kind == "thinking" and not block.get("signature"):
        return None
    if kind not in BLOCKS or (kind in _MEDIA_TYPES and not _has_source(kind, block)):
        return text_block(prose(read_any(block)))
    if kind == "text" and not str(block.get("text")).strip():
        return None
    kept: Object = _pruned(block)
    if kind in _BLOCK_LISTS and isinstance(kept.get("content"), list):
        kept["content"] = _blocks(kept["content"])
    return kept


def _type_of(value: Any) -> str:
    kind = value.get("type") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else ""


def _has_source(kind: str, block: Object) -> bool:
    source = block.get("source")
    if _type_of(source) not in _SOURCES or not isinstance(source, dict):
        return False
    return source["type"] != "base64" or source.get("media_type") in _MEDIA_TYPES[kind]


def _pruned(value: Any) -> Any:
    """The value with the fields that the API knows, all the way down. Arguments of tools are the caller's own."""
    if isinstance(value, list):
        return [_pruned(one) for one in value]
    if not isinstance(value, dict):
        return value
    fields = _FIELDS.get(_type_of(value))
    kept = {key: one for key, one in value.items() if fields is None or key == "type" or key in fields}
    return {key: _OWN_FORM.get(key, _pruned)(one) for key, one in kept.items()}


def _source(source: Any) -> Any:
    """The source of an image or a document. Its types share names with blocks."""
    fields = _SOURCES.get(_type_of(source))
    if fields is None:
        return source
    kept = {key: one for key, one in source.items() if key == "type" or key in fields}
    if isinstance(kept.get("content"), list):
        kept["content"] = _blocks(kept["content"])
    return kept


_FIELDS = BLOCKS | INNER
_OWN_FORM: dict[str, Callable[[Any], Any]] = {"source": _source, "input": lambda given: given}

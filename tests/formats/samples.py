"""One message of each kind that the providers' types allow, and some that only their APIs do."""

import base64
from typing import Any

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02").decode()
PDF = base64.b64encode(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3").decode()
WAV = base64.b64encode(b"RIFF\x24\0\0\0WAVEfmt ").decode()
CACHE = {"type": "ephemeral", "ttl": "1h"}


def call(call_id: str, name: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


OPENAI: dict[str, dict[str, Any]] = {
    "system": {"role": "system", "content": "Be brief."},
    "system-parts": {"role": "system", "content": [{"type": "text", "text": "Be brief."}], "name": "rules"},
    "developer": {"role": "developer", "content": "Be brief."},
    "user": {"role": "user", "content": "Hello \0 wörld 👋"},
    "user-empty": {"role": "user", "content": ""},
    "user-named": {"role": "user", "content": "Hello", "name": "ada"},
    "user-keys-in-another-order": {"content": "Hello", "role": "user"},
    "user-one-part": {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
    "user-parts": {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this?", "prompt_cache_breakpoint": {"mode": "explicit"}},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}},
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png?x=ü", "detail": "high"}},
            {"type": "image_url", "image_url": {"url": f"data:image/png;name=a;base64,{PNG}"}},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}\n"}},
            {"type": "image_url", "image_url": {"url": "data:image/svg+xml,<svg/>"}},
            {"type": "input_audio", "input_audio": {"data": WAV, "format": "wav"}},
            {"type": "input_audio", "input_audio": {"data": "not base64!", "format": "mp3"}},
            {"type": "input_audio", "input_audio": {"data": WAV, "format": "mp3"}},
            {
                "type": "file",
                "file": {"file_data": f"data:application/pdf;base64,{PDF}", "filename": "a.pdf"},
            },
            {"type": "file", "file": {"file_data": PDF, "filename": "a.pdf"}},
            {"type": "file", "file": {"file_data": "data:application/json;base64,e30="}},
            {"type": "file", "file": {"file_id": "file-123"}},
        ],
    },
    "assistant": {"role": "assistant", "content": "Hi."},
    "assistant-null": {"role": "assistant", "content": None},
    "assistant-bare": {"role": "assistant"},
    "assistant-parts": {
        "role": "assistant",
        "content": [{"type": "text", "text": "Hi."}, {"type": "refusal", "refusal": "No."}],
    },
    "assistant-refusal": {"role": "assistant", "content": None, "refusal": "I cannot."},
    "assistant-answer": {"role": "assistant", "content": "Hi.", "refusal": None, "name": "bot"},
    "assistant-audio": {"role": "assistant", "audio": {"id": "audio_1"}},
    "assistant-calls": {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            call("call_1", "weather", '{"city": "Oslo",  "days":3}'),
            call("call_2", "weather", "{not json"),
            {"id": "call_3", "type": "custom", "custom": {"name": "shell", "input": "ls -l"}},
        ],
    },
    "assistant-text-and-calls": {
        "role": "assistant",
        "content": "Looking.",
        "tool_calls": [call("call_1", "now", "")],
    },
    "assistant-calls-first": {
        "tool_calls": [call("call_1", "now", "{}")],
        "role": "assistant",
        "refusal": "",
        "content": [{"type": "text", "text": "Looking."}],
    },
    "assistant-no-calls": {"role": "assistant", "content": "Hi.", "tool_calls": []},
    "assistant-function-call": {
        "role": "assistant",
        "content": None,
        "function_call": {"name": "now", "arguments": "{}"},
    },
    "tool": {"role": "tool", "tool_call_id": "call_1", "content": "3 °C"},
    "tool-keys-in-another-order": {"role": "tool", "content": "", "tool_call_id": "call_1"},
    "tool-parts": {
        "role": "tool",
        "tool_call_id": "call_1",
        "content": [{"type": "text", "text": "3 °C"}, {"type": "text", "text": "rain"}],
    },
    "function": {"role": "function", "name": "now", "content": "12:00"},
    "function-null": {"role": "function", "name": "now", "content": None},
}

# What providers that speak the same format add, and what the types of tomorrow may bring.
OPENAI_BEYOND_ITS_TYPES: dict[str, dict[str, Any]] = {
    "reasoning": {"role": "assistant", "content": "Hi.", "reasoning_content": "Hm.", "score": 1.0, "n": 1},
    "unknown-part": {
        "role": "user",
        "content": [{"type": "video_url", "video_url": {"url": "x"}, "n": None}],
    },
    "unknown-call": {"role": "assistant", "tool_calls": [{"id": "c", "type": "mcp", "mcp": {"x": [1, 2.0]}}]},
    "indexed-calls": {
        "role": "assistant",
        "content": "",
        "tool_calls": [call("c", "f", "{}") | {"index": 0}],
    },
    "null-calls": {"role": "assistant", "content": "Hi.", "tool_calls": None, "audio": None},
    "named-tool": {"role": "tool", "tool_call_id": "call_1", "content": "ok", "name": "weather"},
    "audio-with-transcript": {
        "role": "assistant",
        "content": None,
        "audio": {"id": "audio_1", "data": WAV, "expires_at": 1729018505, "transcript": "Hi."},
    },
    "user-with-calls": {"role": "user", "content": "Hi.", "tool_calls": 3, "refusal": {"a": 1}},
}

ANTHROPIC: dict[str, dict[str, Any]] = {
    "user": {"role": "user", "content": "Hello \0 wörld 👋"},
    "user-empty": {"role": "user", "content": ""},
    "user-no-blocks": {"role": "user", "content": []},
    "user-one-block": {"role": "user", "content": [{"type": "text", "text": "Hello"}]},
    "user-keys-in-another-order": {"content": "Hello", "role": "user"},
    "system": {"role": "system", "content": "Be brief."},
    "user-blocks": {
        "role": "user",
        "content": [
            {"type": "text", "text": "Read this.", "cache_control": CACHE},
            {"text": "And this.", "type": "text", "citations": None},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
            {"type": "image", "source": {"data": PNG, "media_type": "image/png", "type": "base64"}},
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG + "\n"}},
            {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}},
            {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
            {
                "type": "document",
                "source": {"type": "base64", "media_type": "application/pdf", "data": PDF},
                "title": "A",
                "citations": {"enabled": True},
                "cache_control": CACHE,
            },
            {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Text."}},
            {
                "type": "document",
                "source": {"type": "content", "content": [{"type": "text", "text": "Inside."}]},
                "context": "notes",
            },
            {"type": "document", "source": {"type": "content", "content": "Inside."}},
            {"type": "document", "source": {"type": "url", "url": "https://example.com/a.pdf"}},
            {"type": "document", "source": {"type": "file", "file_id": "file_2"}, "title": None},
            {
                "type": "search_result",
                "source": "https://example.com",
                "title": "T",
                "content": [{"type": "text", "text": "found"}],
            },
        ],
    },
    "assistant": {"role": "assistant", "content": "Hi."},
    "assistant-blocks": {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "Hm, ünsure.", "signature": "EqQBCgIYAhIM+/=="},
            {"type": "redacted_thinking", "data": "EmwKAhgBEgy3va3pzix/LafPsn4a"},
            {
                "type": "text",
                "text": "It rains.",
                "citations": [
                    {
                        "type": "char_location",
                        "cited_text": "rain",
                        "document_index": 0,
                        "document_title": None,
                        "start_char_index": 0,
                        "end_char_index": 4,
                    }
                ],
            },
            {
                "type": "tool_use",
                "id": "toolu_1",
                "name": "weather",
                "input": {"z": 1, "a": [1.0, None, "ü"]},
            },
            {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": {}, "cache_control": CACHE},
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "Oslo"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srv_1",
                "content": [
                    {
                        "type": "web_search_result",
                        "url": "https://example.com",
                        "title": "T",
                        "encrypted_content": "abc",
                        "page_age": None,
                    }
                ],
            },
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srv_2",
                "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"},
            },
        ],
    },
    "results": {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "3 °C"},
            {
                "type": "tool_result",
                "tool_use_id": "toolu_2",
                "is_error": True,
                "content": [
                    {"type": "text", "text": "see:"},
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                ],
                "cache_control": None,
            },
            {"type": "tool_result", "tool_use_id": "toolu_3"},
        ],
    },
    "one-result": {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "3 °C", "is_error": False}],
    },
    "result-and-text": {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": []},
            {"type": "text", "text": "Go on."},
        ],
    },
}

ANTHROPIC_BEYOND_ITS_TYPES: dict[str, dict[str, Any]] = {
    "mcp": {
        "role": "assistant",
        "content": [
            {"type": "mcp_tool_use", "id": "m_1", "name": "echo", "server_name": "s", "input": {"x": 1}},
            {
                "type": "mcp_tool_result",
                "tool_use_id": "m_1",
                "is_error": False,
                "content": [{"type": "text"}],
            },
        ],
    },
    "unknown-block": {"role": "assistant", "content": [{"type": "hologram", "depth": [1, 2.5, {"x": None}]}]},
    "unknown-source": {"role": "user", "content": [{"type": "image", "source": {"type": "s3", "key": "k"}}]},
    "unsigned-thinking": {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm."}]},
    "odd-media-type": {
        "role": "user",
        "content": [
            {"type": "document", "source": {"type": "base64", "media_type": "text/plain", "data": "AAAA"}}
        ],
    },
    "answer": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "Hi."}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 1, "cost": 0.5},
    },
}

ALL_OPENAI = OPENAI | {f"beyond-{name}": sample for name, sample in OPENAI_BEYOND_ITS_TYPES.items()}
ALL_ANTHROPIC = ANTHROPIC | {f"beyond-{name}": sample for name, sample in ANTHROPIC_BEYOND_ITS_TYPES.items()}

"""A model that follows a script, behind a real HTTP server on this machine that speaks chat completions.

It lets `agent_loop.py` run without a network, in tests and to try things out. Like the real endpoints it refuses a
conversation in which a tool call has no result, and like them it is sometimes busy.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from backstory import count_tokens

NAME = "scripted-1"


def calls(text: str | None, **functions: dict[str, Any]) -> dict[str, Any]:
    """An assistant's message that asks for tools, each by the id of its call: `calls(None, c1={"grep": {…}})`."""
    wanted = [
        {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for id_, function in functions.items()
        for name, arguments in function.items()
    ]
    return {"role": "assistant", "content": text, "tool_calls": wanted}


BUSY = 503

SCRIPT: tuple[dict[str, Any] | int, ...] = (
    calls(
        "I'll see what there is.",
        call_1={"list_files": {"pattern": "*.py"}},
        call_2={"grep": {"pattern": r"127\.0\.0\.1"}},
        call_3={"read_file": {"path": "../../etc/passwd"}},
    ),
    BUSY,
    calls(
        "That is the file. I'll make sure.",
        call_4={"read_file": {"path": "scripted_model.py"}},
        call_5={
            "decide": {
                "text": "Answer from scripted_model.py",
                "rationale": "it is the only file that binds to an address",
            }
        },
    ),
    {"role": "assistant", "content": "scripted_model.py serves it, on 127.0.0.1 and any port that is free."},
)
"""The messages that answer one request each, in order; a number is a status without an answer."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Sequence[dict[str, Any] | int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.requests: list[dict[str, Any]] = []


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        wrong = self.path != "/v1/chat/completions" or unanswered(request["messages"])
        if wrong:
            self._reply(404 if wrong is True else 400, {"error": {"message": str(wrong)}})
            return
        turn = len(self.server.requests)
        self.server.requests.append(request)
        # The last message of the script is for every request after it.
        answer = self.server.script[min(turn, len(self.server.script) - 1)]
        if isinstance(answer, int):
            self._reply(answer, {"error": {"message": "busy, try again"}})
        else:
            self._reply(200, completion(request, answer, turn))

    def _reply(self, status: int, document: dict[str, Any]) -> None:
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.send_header("retry-after", "0")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing: the example's own words are the output."""


def unanswered(messages: list[dict[str, Any]]) -> str | None:
    """What an endpoint would say of calls and results that do not belong together."""
    waiting: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                return f"the result {message['tool_call_id']} answers no call"
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            return f"calls without results: {', '.join(sorted(waiting))}"
        waiting = {call["id"] for call in message.get("tool_calls") or ()}
    return f"calls without results: {', '.join(sorted(waiting))}" if waiting else None


def completion(request: dict[str, Any], message: dict[str, Any], turn: int) -> dict[str, Any]:
    """A chat completion, with an endpoint's own count of tokens."""
    prompt, answer = (count_tokens(json.dumps(part)) for part in (request["messages"], message))
    return {
        "id": f"chatcmpl-{turn}",
        "object": "chat.completion",
        "created": 0,
        "model": request["model"],
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
            }
        ],
        "usage": {"prompt_tokens": prompt, "completion_tokens": answer, "total_tokens": prompt + answer},
    }


@contextmanager
def serving(script: Sequence[dict[str, Any] | int] = SCRIPT) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The address of a server that follows the script, and the requests that it has answered so far."""
    server = _Server(script)
    thread = Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", server.requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

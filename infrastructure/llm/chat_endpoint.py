"""A model behind the chat completions of an OpenAI-compatible endpoint."""

import json
import time
from collections.abc import Callable
from typing import Any

import httpx

from backstory.domain.errors import SummaryRefused
from backstory.infrastructure.llm.endpoint import Endpoint, Reply

MOST_ANSWER_BYTES = 1 << 20
"""Far more than an answer of a few thousand tokens needs, with a model's reasoning beside it."""
_SHORTEST_SECRET = 8
"""A shorter one may be in any answer by chance."""


class ChatEndpoint(Endpoint):
    """One chat model. Threads may share it."""

    path = "/chat/completions"
    most_bytes = MOST_ANSWER_BYTES
    refused = SummaryRefused

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout: float = 30.0,
        attempts: int = 3,
        most_answer_tokens: int = 1500,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(base_url, model, api_key, timeout=timeout, attempts=attempts, sleep=sleep)
        self._secrets = [secret for secret in self._credentials if len(secret) >= _SHORTEST_SECRET]
        self._options: dict[str, Any] = {
            "max_tokens": most_answer_tokens,
            "temperature": 0,
            "response_format": {"type": "json_object"},
        }

    def ask(self, messages: list[dict[str, str]], deadline: float) -> str:
        """The text the model answers with.

        SummaryRefused when there is an answer that cannot be read as one, EndpointFailed when there is none.
        """
        return self._until_answered(
            lambda client: self._read(self._accepted(client, messages, deadline)), deadline
        )

    def _accepted(self, client: httpx.Client, messages: list[dict[str, str]], deadline: float) -> Reply:
        """The reply, asked for again without what this endpoint does not know."""
        options = self._options
        while True:
            body = json.dumps({"model": self.model, "messages": messages, **options}, ensure_ascii=False)
            reply = self._exchange(client, body.encode(), min(deadline, time.monotonic() + self.timeout))
            if reply.status == 200:
                # Remembered, so that the next summary is asked for in the right way at once.
                self._options = options
            fewer = _without_what_is_refused(options, reply.body) if reply.status in (400, 422) else None
            if fewer is None:
                return reply
            options = fewer

    def _read(self, reply: Reply) -> str:
        text = _content(self._body(reply))
        if any(secret in text for secret in self._secrets):
            raise SummaryRefused("the answer repeats the API key.")
        return text


def _without_what_is_refused(options: dict[str, Any], body: bytes) -> dict[str, Any] | None:
    """The options without the one the endpoint complains of; None when there is nothing left to leave out.

    LM Studio refuses `json_object`; OpenAI's reasoning models refuse `temperature`, and have another name for
    `max_tokens`. Where the complaint names none of them, the format is the likeliest.
    """
    left = dict(options)
    if b"max_completion_tokens" in body and "max_tokens" in left:
        left["max_completion_tokens"] = left.pop("max_tokens")
    elif b"temperature" in body and "temperature" in left:
        del left["temperature"]
    elif "response_format" in left:
        del left["response_format"]
    else:
        return None
    return left


def _content(body: bytes) -> str:
    """The message's text in a chat completion."""
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError):
        raise SummaryRefused("the answer is not JSON.") from None
    match answer:
        case {"choices": [{"finish_reason": "length"}, *_]}:
            raise SummaryRefused("the answer was cut off at its limit of tokens.")
        case {"choices": [{"message": {"content": str(text)}}, *_]}:
            return text
        case {"choices": [{"message": {"content": [*parts]}}, *_]}:
            texts = [part.get("text") for part in parts if isinstance(part, dict)]
            return "".join(text for text in texts if isinstance(text, str))
    raise SummaryRefused("the answer is no chat completion with a text.")

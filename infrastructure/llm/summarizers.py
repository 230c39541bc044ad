"""Summarizers: the offline summarizer, or a model behind any OpenAI-compatible endpoint.

A summarizer of one's own is any object with such a `summarize`. What it returns goes through `check_summary` before it
is kept.
"""

import logging
import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from pydantic import SecretStr

from backstory.domain.errors import InvalidInput, SummaryRefused
from backstory.domain.summaries.offline import (
    SUMMARIZER_VERSION,
    SummaryDocument,
    SummarySource,
    check_summary,
    summarize_offline,
    tools_used,
    with_tools,
)
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.values import label, whole_number
from backstory.infrastructure.llm.noticing import NoticedMemories
from backstory.infrastructure.llm.summary_prompt import PROMPT_VERSION, make_prompt, read_answer
from backstory.infrastructure.settings import Settings

ENDPOINT_VERSION = 1
_ASKED_AT_MOST = 2
_log = logging.getLogger(__name__)


class Summarized(NamedTuple):
    """A summary, and how it came about."""

    document: SummaryDocument
    summarizer: str
    """Name and version, such as offline/1 or endpoint/1."""
    model: str | None = None
    prompt_version: int | None = None
    fallback: str | None = None
    """The reason the endpoint's answer was not used; None if it was, or if none was asked for."""


class Summarizer(Protocol):
    """Makes a session summary of at most `most_tokens`, as `count` counts its markdown."""

    def summarize(
        self, source: SummarySource, *, most_tokens: int, count: Callable[[str], int]
    ) -> Summarized:
        """Makes the summary."""
        ...


class OfflineSummarizer:
    """Extracts, put in order. It needs no network, and the same source gives the same summary."""

    def summarize(
        self, source: SummarySource, *, most_tokens: int, count: Callable[[str], int]
    ) -> Summarized:
        """Makes a summary of extracts."""
        document = summarize_offline(source, most_tokens=most_tokens, count=count)
        return Summarized(document, f"offline/{SUMMARIZER_VERSION}")

    def __repr__(self) -> str:
        return "OfflineSummarizer()"


class EndpointSummarizer:
    """A model behind an OpenAI-compatible endpoint (`base_url` + /chat/completions).

    Time-outs, lost connections, 429 and 5xx are tried again, `attempts` times in all, within `timeout` × `attempts`
    seconds for everything. An answer that says nothing, makes no sense or is too long is asked for once more. After
    that the fallback answers, and its `fallback` says why.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | SecretStr | None = None,
        timeout: float = 30.0,
        attempts: int = 3,
        most_answer_tokens: int = 1500,
        fallback: Summarizer | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        for field, value in (("attempts", attempts), ("most_answer_tokens", most_answer_tokens)):
            whole_number(field, value, minimum=1)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float):
            raise InvalidInput("timeout", "must be a number of seconds")
        if not (math.isfinite(timeout) and 0 < timeout <= 3600):
            raise InvalidInput("timeout", "must be more than 0 and at most 3600 seconds")
        if not isinstance(base_url, str):
            raise InvalidInput("base_url", f"must be text, got {type(base_url).__name__}")
        if api_key is not None and not isinstance(api_key, str | SecretStr):
            raise InvalidInput("api_key", f"must be text, got {type(api_key).__name__}")
        # The HTTP client takes long to import, and most stores never ask an endpoint.
        from backstory.infrastructure.llm.chat_endpoint import ChatEndpoint

        self._endpoint = ChatEndpoint(
            base_url,
            label("model", model),
            api_key.get_secret_value() if isinstance(api_key, SecretStr) else api_key,
            timeout=timeout,
            attempts=attempts,
            most_answer_tokens=most_answer_tokens,
            sleep=sleep,
        )
        self._fallback: Summarizer = OfflineSummarizer() if fallback is None else fallback

    def summarize(
        self, source: SummarySource, *, most_tokens: int, count: Callable[[str], int]
    ) -> Summarized:
        """Asks the endpoint for a summary; falls back to another summarizer when that fails."""
        from backstory.infrastructure.llm.endpoint import EndpointFailed

        deadline = self._endpoint.deadline()
        reason: str | None = None
        for _ in range(_ASKED_AT_MOST):
            prompt = make_prompt(source, most_tokens, refused=reason)
            try:
                answer = self._endpoint.ask(prompt.messages, deadline)
                document = read_answer(answer, prompt.boundary)
                check_summary(document, source=source, most_tokens=most_tokens, count=count)
            except SummaryRefused as refused:
                reason = str(refused)
                continue
            except EndpointFailed as failed:
                reason = str(failed)
                break
            document = with_tools(document, tools_used(source), most_tokens=most_tokens, count=count)
            return Summarized(document, f"endpoint/{ENDPOINT_VERSION}", self._endpoint.model, PROMPT_VERSION)
        _log.warning("The summarizing endpoint's answer is not used: %s", reason)
        return self._fallback.summarize(source, most_tokens=most_tokens, count=count)._replace(
            fallback=reason
        )

    def notice(self, messages: Sequence[SourceMessage]) -> NoticedMemories:
        """Asks the endpoint what is worth remembering in messages. Raises SummaryRefused where there is no answer that
        may be used."""
        from backstory.infrastructure.llm import noticing_prompt
        from backstory.infrastructure.llm.endpoint import EndpointFailed

        deadline = self._endpoint.deadline()
        reason: str | None = None
        for _ in range(_ASKED_AT_MOST):
            prompt = noticing_prompt.make_prompt(messages, refused=reason)
            try:
                answer = self._endpoint.ask(prompt.messages, deadline)
                found = noticing_prompt.read_answer(answer, prompt.boundary, messages)
            except SummaryRefused as refused:
                reason = str(refused)
                continue
            except EndpointFailed as failed:
                raise SummaryRefused(str(failed)) from None
            made_by = f"endpoint/{ENDPOINT_VERSION}"
            return NoticedMemories(found, made_by, self._endpoint.model, noticing_prompt.PROMPT_VERSION)
        raise SummaryRefused(reason or "the endpoint gave no answer.")

    def __repr__(self) -> str:
        return f"EndpointSummarizer(model={self._endpoint.model!r})"


def summarizer_from_settings(settings: Settings) -> Summarizer:
    """The endpoint that the environment names, or the offline summarizer when it names none."""
    url = settings.summarizer_url.get_secret_value() if settings.summarizer_url else ""
    if not url:
        return OfflineSummarizer()
    if not settings.summarizer_model:
        raise InvalidInput("BACKSTORY_SUMMARIZER_MODEL", "must be set when BACKSTORY_SUMMARIZER_URL is")
    key = settings.summarizer_api_key
    return EndpointSummarizer(
        url,
        settings.summarizer_model,
        key if key and key.get_secret_value() else None,
        timeout=settings.summarizer_timeout,
    )

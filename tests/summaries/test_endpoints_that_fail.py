"""Whatever an endpoint does, there is a summary in the end, and a sentence that says why it is not the endpoint's."""

import gzip
import json
import socket

import pytest

from backstory.domain.summaries.offline import SummarySource, summarize_offline
from backstory.infrastructure.llm.chat_endpoint import MOST_ANSWER_BYTES
from backstory.infrastructure.llm.summarizers import EndpointSummarizer, Summarized
from backstory.infrastructure.llm.tokens import count_tokens
from tests.summaries.scripted_endpoint import (
    Handler,
    Reply,
    Server,
    completion,
    drips_body,
    drips_headers,
    drops,
    endpoint,
    floods,
    hangs,
    says,
    sends,
    summary,
)
from tests.summaries.sources import SAMPLE

MOST = 400


def asked(server: Server, timeout: float = 20.0, source: SummarySource = SAMPLE) -> Summarized:
    summarizer = EndpointSummarizer(server.url, "small", timeout=timeout, attempts=3, sleep=lambda _: None)
    return summarizer.summarize(source, most_tokens=MOST, count=count_tokens)


def assert_offline(made: Summarized, reason: str) -> None:
    assert made.fallback is not None
    assert reason in made.fallback
    assert (made.summarizer, made.model, made.prompt_version) == ("offline/4", None, None)
    assert made.document == summarize_offline(SAMPLE, most_tokens=MOST, count=count_tokens)


def echoes_the_prompt(handler: Handler) -> None:
    said = handler.server.requests[-1]["json"]["messages"]
    says("\n".join(message["content"] for message in said))(handler)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (sends(200), "not JSON"),
        (sends(200, b"<html><body>Welcome</body></html>", content_type="text/html"), "not JSON"),
        (sends(200, b"[" * 100_000), "not JSON"),
        (sends(200, b"\xff\xfe\x00"), "not JSON"),
        (sends(200, b"null"), "no chat completion"),
        (sends(200, b'{"choices": []}'), "no chat completion"),
        (sends(200, b'{"choices": [{"message": {"content": null}}]}'), "no chat completion"),
        (sends(200, gzip.compress(completion("{}")), content_encoding="gzip"), "compressed"),
        (says(""), "no JSON object"),
        (says("Sure! I will get to it."), "no JSON object"),
        (says("{" * 50_000), "no JSON object"),
        (says('["tokens"]'), "no JSON object"),
        (says(json.dumps({"objective": "Tokens"}), finish_reason="length"), "cut off"),
        (summary(objective=""), "says nothing"),
        (summary(objective=["tokens"]), "objective has the wrong type"),
        (summary(objective=7), "objective has the wrong type"),
        (summary(progress="tokens"), "progress has the wrong type"),
        (summary(progress=[{"text": "tokens"}]), "progress has the wrong type"),
        (summary(objective="tokens", decisions={"a": 1}), "decisions has the wrong type"),
        (summary(objective="tokens \x00"), "cannot be shown"),
        (says('{"objective": "tokens \\ud800"}'), "cannot be kept"),
        (summary(objective="zzzzzzzzzz"), "without sense"),
        (summary(objective="PWNED"), "not one word in common"),
        (summary(progress=[f"tokens {n}" for n in range(300)]), "more than the 400 allowed"),
        (echoes_the_prompt, "repeats the prompt"),
    ],
)
def test_a_bad_answer_is_asked_for_once_more_and_then_not_used(reply: Reply, reason: str) -> None:
    with endpoint(reply) as server:
        assert_offline(asked(server), reason)
        assert len(server.requests) == 2


@pytest.mark.parametrize("status", [301, 307, 401, 403, 404, 418])
def test_other_errors_and_redirects_are_not_repeated(status: int) -> None:
    with (
        endpoint(summary(objective="tokens")) as elsewhere,
        endpoint(sends(status, b"{}", location=elsewhere.url)) as server,
    ):
        made = asked(server)
        assert_offline(made, "redirects" if status < 400 else f"HTTP {status}")
        assert len(server.requests) == 1
        assert elsewhere.requests == []


def test_a_request_nobody_understands_is_given_up() -> None:
    with endpoint(sends(400, b'{"error": "context too long"}')) as server:
        assert_offline(asked(server), "HTTP 400")
        assert len(server.requests) == 2


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_an_endpoint_that_stays_busy_is_given_up(status: int) -> None:
    with endpoint(sends(status)) as server:
        assert_offline(asked(server), f"HTTP {status} (3 attempts)")
        assert len(server.requests) == 3


@pytest.mark.parametrize("wait", ["3600", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_nobody_waits_for_hours(wait: str) -> None:
    with endpoint(sends(429, retry_after=wait)) as server:
        assert_offline(asked(server), "too long a pause")
        assert len(server.requests) == 1


@pytest.mark.parametrize("wait", ["soon", "-5", "", "²", "Fri, 99 Foo 2020"])
def test_a_pause_that_is_none_is_ignored(wait: str) -> None:
    with endpoint(sends(429, retry_after=wait.encode().decode("latin-1"))) as server:
        assert_offline(asked(server), "HTTP 429 (3 attempts)")


@pytest.mark.parametrize("reply", [hangs, drips_headers, drips_body])
def test_an_endpoint_that_never_ends_is_left(reply: Reply) -> None:
    with endpoint(reply) as server:
        assert_offline(asked(server, timeout=0.3), "did not answer in time")


def test_a_dropped_connection_is_tried_again() -> None:
    with endpoint(drops) as server:
        assert_offline(asked(server), "connection to the endpoint failed (3 attempts)")
        assert len(server.requests) == 3


def test_nobody_there() -> None:
    with socket.socket() as taken:
        # Bound and not listening: nobody else can take the port, and every connection is refused.
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        summarizer = EndpointSummarizer(url, "small", timeout=5, sleep=lambda _: None)
        made = summarizer.summarize(SAMPLE, most_tokens=MOST, count=count_tokens)
    assert_offline(made, "connection to the endpoint failed (3 attempts)")


def test_a_gigantic_answer_is_cut_off_while_it_is_read() -> None:
    with endpoint(floods) as server:
        assert_offline(asked(server), f"more than {MOST_ANSWER_BYTES} bytes")


def test_a_fallback_of_ones_own_answers() -> None:
    class Own:
        def summarize(self, source, *, most_tokens, count):  # type: ignore[no-untyped-def]
            return Summarized(summarize_offline(source, most_tokens=most_tokens, count=count), "own/1")

    with endpoint(sends(404)) as server:
        summarizer = EndpointSummarizer(server.url, "small", timeout=20, fallback=Own())
        made = summarizer.summarize(SAMPLE, most_tokens=MOST, count=count_tokens)
    assert (made.summarizer, made.fallback) == ("own/1", "the endpoint answered HTTP 404.")

import json
import logging

import pytest

from backstory.domain.errors import InvalidInput
from backstory.infrastructure.llm.summarizers import (
    EndpointSummarizer,
    OfflineSummarizer,
    summarizer_from_settings,
)
from backstory.infrastructure.llm.tokens import count_tokens
from backstory.infrastructure.settings import Settings
from tests.summaries.scripted_endpoint import Handler, Reply, drops, endpoint, says, sends, summary
from tests.summaries.sources import SAMPLE

KEY = "sk-very-secret-0123456789"
PASSWORD = "correcthorsebattery"


def echoes_the_headers(handler: Handler) -> None:
    headers = json.dumps(handler.server.requests[-1]["headers"])
    summary(objective=f"Tokens: {headers}")(handler)


@pytest.mark.parametrize("with_key", [True, False])
@pytest.mark.parametrize(
    "reply",
    [
        summary(objective="Tokens live longer"),
        sends(401, f"bad key {KEY} {PASSWORD}".encode()),
        sends(500, KEY.encode()),
        sends(302, b"", location="http://127.0.0.1/"),
        says(f"no JSON, but {KEY} and {PASSWORD}"),
        summary(objective=f"Tokens {KEY} {PASSWORD}"),
        echoes_the_headers,
        drops,
    ],
)
def test_no_outcome_shows_them(reply: Reply, with_key: bool, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with endpoint(reply) as server:
        url = server.url if with_key else server.url.replace("//", f"//user:{PASSWORD}@")
        summarizer = EndpointSummarizer(
            url, "small", KEY if with_key else None, timeout=20, sleep=lambda _: None
        )
        made = summarizer.summarize(SAMPLE, most_tokens=400, count=count_tokens)
        assert len(server.requests) >= 1
    secret = KEY if with_key else PASSWORD
    assert caplog.records
    for shown in (caplog.text, repr(made), repr(summarizer), str(vars(summarizer))):
        assert secret not in shown


@pytest.mark.parametrize(
    ("url", "key", "field"),
    [
        ("http://127.0.0.1/v1", f"{KEY}\n", "api_key"),
        ("http://127.0.0.1/v1", f"{KEY}é", "api_key"),
        ("http://127.0.0.1/v1", " ", "api_key"),
        (f"http://user:{PASSWORD}@127.0.0.1/v1", KEY, "api_key"),
        (f"http://127.0.0.1/v1?key={KEY}", None, "base_url"),
        (f"ftp://user:{PASSWORD}@127.0.0.1", None, "base_url"),
        (f"http://user:{PASSWORD}@127.0.0.1:port", None, "base_url"),
        (f"//user:{PASSWORD}@", None, "base_url"),
        ("", None, "base_url"),
    ],
)
def test_a_bad_address_or_key_is_refused_and_not_quoted(url: str, key: str | None, field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        EndpointSummarizer(url, "small", key)
    assert refused.value.field == field
    assert refused.value.__cause__ is None
    assert KEY not in str(refused.value)
    assert PASSWORD not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"model": ""}, "model"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": "5"}, "timeout"),
        ({"attempts": 0}, "attempts"),
        ({"attempts": True}, "attempts"),
        ({"most_answer_tokens": 1.5}, "most_answer_tokens"),
        ({"api_key": 7}, "api_key"),
        ({"base_url": None}, "base_url"),
    ],
)
def test_a_bad_option_is_named(options: dict[str, object], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        EndpointSummarizer(**{"base_url": "http://127.0.0.1", "model": "small"} | options)  # type: ignore[arg-type]
    assert refused.value.field == field


def test_the_environment_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(summarizer_from_settings(Settings()), OfflineSummarizer)
    monkeypatch.setenv("BACKSTORY_SUMMARIZER_URL", "")
    assert isinstance(summarizer_from_settings(Settings()), OfflineSummarizer)
    with endpoint(summary(objective="Tokens live longer")) as server:
        monkeypatch.setenv("BACKSTORY_SUMMARIZER_URL", server.url)
        with pytest.raises(InvalidInput, match="BACKSTORY_SUMMARIZER_MODEL: must be set"):
            summarizer_from_settings(Settings())
        monkeypatch.setenv("BACKSTORY_SUMMARIZER_MODEL", "small")
        monkeypatch.setenv("BACKSTORY_SUMMARIZER_API_KEY", KEY)
        monkeypatch.setenv("BACKSTORY_SUMMARIZER_TIMEOUT", "20")
        settings = Settings()
        made = summarizer_from_settings(settings).summarize(SAMPLE, most_tokens=400, count=count_tokens)
        assert (made.summarizer, made.model) == ("endpoint/1", "small")
        assert server.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(settings)

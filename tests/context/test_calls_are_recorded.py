"""Calls of models: the provider's numbers are kept, ours calibrated against them, cost is known where it can be."""

import pytest
from anthropic.types import Usage as AnthropicUsage
from openai.types import CompletionUsage
from openai.types.completion_usage import CompletionTokensDetails, PromptTokensDetails

from backstory.domain.context.calibration import Calibration
from backstory.domain.errors import InvalidInput, NotFound
from backstory.domain.events import ModelCalled


def called(session, version):
    (event,) = [e for e in session.events(types=["model.called"]) if e.version == version]
    assert isinstance(event.body, ModelCalled)
    return event.body


def test_openais_numbers_are_kept(store):
    session = store.start()
    session.message("hello")
    context = session.context(4_000)
    usage = CompletionUsage(
        prompt_tokens=1_000,
        completion_tokens=100,
        total_tokens=1_100,
        prompt_tokens_details=PromptTokensDetails(cached_tokens=100),
        completion_tokens_details=CompletionTokensDetails(reasoning_tokens=60),
    )
    body = called(session, session.model_called(context, "gpt-4o", usage, latency_ms=812.5))
    assert (body.assembly, body.assembled_tokens) == (context.version, context.tokens)
    assert (body.input_tokens, body.output_tokens, body.cached_tokens, body.reasoning_tokens) == (
        1_000,
        100,
        100,
        60,
    )
    assert body.cost_usd == pytest.approx(0.003375)
    assert session.state.counters["cost_microdollars"] == 3375


def test_anthropic_counts_its_cache_apart(store):
    session = store.start()
    usage = AnthropicUsage(
        input_tokens=10, output_tokens=5, cache_read_input_tokens=900, cache_creation_input_tokens=90
    )
    body = called(session, session.model_called(None, "claude-sonnet-4-5", usage, provider="anthropic"))
    assert (body.input_tokens, body.cached_tokens, body.cache_write_tokens) == (1_000, 900, 90)
    assert body.cost_usd is not None


def test_a_model_without_a_price_costs_nothing_known(store):
    session = store.start()
    body = called(session, session.model_called(None, "our-own-model", {"input_tokens": 5}))
    assert body.cost_usd is None
    assert (body.input_tokens, body.output_tokens) == (5, None)


@pytest.mark.parametrize(
    "usage", [{"input_tokens": -1}, {"prompt_tokens": "many"}, {"output_tokens": 1.5}, [], "x"]
)
def test_numbers_that_are_none_are_refused(store, usage):
    session = store.start()
    with pytest.raises(InvalidInput, match="usage"):
        session.model_called(None, "m", usage)
    assert session.version == 1


def test_a_call_of_a_context_that_is_none_is_refused(store):
    session = store.start()
    message = session.message("hello")
    with pytest.raises(NotFound, match="not an assembled context"):
        session.model_called(message, "m")


def test_our_counts_follow_the_providers(store):
    """A provider that adds 200 tokens for tools and counts a quarter more than we do."""
    session = store.start(model="theirs")
    for number in range(30):
        session.message("word " * 20 * (number % 5 + 1))
        context = session.context(6_000 if number % 2 else 1_500)
        session.model_called(context, "theirs", {"input_tokens": 200 + context.tokens * 5 // 4})
    context = session.context(4_000)
    assert context.estimated_tokens == pytest.approx(200 + context.tokens * 1.25, abs=3)
    assert context.estimated_tokens + context.reserve <= 4_000
    assert context.tokens < 0.8 * (4_000 - context.reserve)


def test_a_calibration_stays_sane():
    assert Calibration().estimate(100) == 100
    same = Calibration()
    for _ in range(5):
        same = same.with_call(100, 150)
    assert same.estimate(200) == 300
    wild = Calibration().with_call(10, 100_000).with_call(1_000, 100_000)
    assert wild.line[1] == 0.5
    assert wild.most(10) == 0


def test_a_context_of_another_session_is_refused(any_store):
    """Both may be recorded at the same version, so the number alone would name the wrong prompt."""
    first, second = any_store.start(limit=4_000), any_store.start(limit=4_000)
    first.message("of the first")
    second.message("of the second")
    context, other = first.context(), second.context()
    assert context.version == other.version
    with pytest.raises(InvalidInput, match="assembly: must be a context of this session"):
        second.model_called(context, "m")
    assert second.version == other.version


def test_a_fork_may_call_with_a_context_that_it_began_with(any_store):
    session = any_store.start(limit=4_000)
    session.message("before the fork")
    context = session.context()
    fork = session.fork()
    later = session.context()
    fork.message("so that the fork has this version too")
    call = fork.model_called(context, "m")
    assert fork.saw(call).reproduction.context.data == context.data
    with pytest.raises(InvalidInput, match="assembly: must be a context of this session"):
        fork.model_called(later, "m")

"""Every fifteen messages a summary takes the place of the one before; a bad summarizer changes nothing."""

import threading

import pytest

from backstory import EndpointSummarizer, OfflineSummarizer, Summarized, SummaryDocument
from backstory.application.bootstrap import make_runtime
from backstory.application.store import ContextStore
from backstory.domain.errors import SummaryRefused
from backstory.domain.events import SummaryMade
from backstory.domain.policies.summary import SummaryPolicy


def talk(session, count, start=0):
    for number in range(start, start + count):
        session.message(f"Please finish step {number} of the token service in auth/step_{number}.py.")


def summaries(session):
    return list(session.events(types=["summary.made"]))


def with_summarizer(store, summarizer):
    return ContextStore(make_runtime(store._runtime.database, summarizer=summarizer))


def test_every_fifteen_messages(any_store):
    session = any_store.start()
    talk(session, 14)
    session.context(8_000)
    assert session.views.summary() is None
    talk(session, 1, 14)
    session.context(8_000)
    assert "step 14" in session.views.summary() or "step_14" in session.views.summary()
    first = session.state.summary.item
    talk(session, 14, 15)
    session.context(8_000)
    assert session.state.summary.item == first
    talk(session, 1, 29)
    context = session.context(8_000)
    second = session.state.summary.item
    assert second > first
    assert first not in session.state.items
    assert context.items("summary") == (second,)
    assert session.verify().ok


def test_the_event_says_what_it_was_made_from(store):
    session = store.start()
    talk(session, 15)
    session.context(8_000)
    (event,) = summaries(session)
    assert isinstance(event.body, SummaryMade)
    assert event.body.sources == "2-16"
    assert (event.body.summarizer, event.body.model, event.body.fallback) == ("offline/4", None, None)


def test_what_is_known_is_in_it(store):
    session = store.start()
    session.work.set_goal("Ship the token service")
    session.work.add_constraint("Tokens live one hour")
    session.decide("Use RS256", rationale="only the public key is shared")
    session.work.ask("Which claims are mandatory?")
    session.work.add_action("Write the migration")
    session.tool_call("grep", {"q": "jwt"}, call_id="1")
    session.tool_result("1", "found")
    talk(session, 3)
    session.summarize()
    text = session.views.summary()
    for part in ("Ship the token service", "Tokens live one hour", "Use RS256", "only the public key",
                 "Which claims", "Write the migration", "grep", "auth/step_2.py"):  # fmt: skip
        assert part in text


class Nothing:
    def summarize(self, source, *, most_tokens, count):
        return Summarized(SummaryDocument(), "nothing/1")


class Nonsense:
    def summarize(self, source, *, most_tokens, count):
        return Summarized(SummaryDocument(objective="zq " * 40), "nonsense/1")


class TooMuch:
    def summarize(self, source, *, most_tokens, count):
        return Summarized(SummaryDocument(objective="token service " * 5_000), "much/1")


class Failing:
    def summarize(self, source, *, most_tokens, count):
        raise RuntimeError("secret-key-123")


class SomethingElse:
    def summarize(self, source, *, most_tokens, count):
        return "a summary"


class Nameless:
    def summarize(self, source, *, most_tokens, count):
        return Summarized(SummaryDocument(objective="The token service in auth/step_1.py"), "")


class OfNoModel:
    def summarize(self, source, *, most_tokens, count):
        document = SummaryDocument(objective="The token service in auth/step_1.py")
        return Summarized(document, "own/1", model="two\nlines", prompt_version="one")


@pytest.mark.parametrize("hostile", [Nothing, Nonsense, TooMuch, Failing, SomethingElse, Nameless, OfNoModel])
def test_a_bad_summarizer_is_replaced_by_the_offline_one(store, hostile):
    session = with_summarizer(store, hostile()).start()
    talk(session, 15)
    session.context(8_000)
    (event,) = summaries(session)
    assert event.body.summarizer == "offline/4"
    assert event.body.fallback is not None
    told = session.items.text_at((event.version, event.body.fallback.part))
    assert told
    assert "secret" not in told


def test_an_endpoint_that_is_not_there_is_replaced(store):
    endpoint = EndpointSummarizer("http://127.0.0.1:9", "m", timeout=0.5, attempts=1)
    session = with_summarizer(store, endpoint).start()
    talk(session, 15)
    session.context(8_000)
    (event,) = summaries(session)
    assert event.body.summarizer == "offline/4"
    assert event.body.fallback is not None


def test_nothing_to_say_is_refused_and_holds_nothing_up(store):
    session = store.start()
    for _ in range(20):
        session.message("a a a a a a")
    assert session.context(8_000).items("summary") == ()
    with pytest.raises(SummaryRefused):
        session.summarize()
    assert session.state.summary is None


def test_messages_that_arrive_meanwhile_are_not_held_up(store):
    entered, go_on = threading.Event(), threading.Event()

    class Slow(OfflineSummarizer):
        def summarize(self, source, *, most_tokens, count):
            entered.set()
            assert go_on.wait(30)
            return super().summarize(source, most_tokens=most_tokens, count=count)

    session = with_summarizer(store, Slow()).start()
    talk(session, 5)
    done = []
    thread = threading.Thread(target=lambda: done.append(session.summarize()))
    thread.start()
    assert entered.wait(30)
    talk(session, 5, 5)
    go_on.set()
    thread.join(30)
    assert done == [session.state.summary.item]
    assert session.state.summary.upto == 6
    assert session.summarize() is not None


def test_two_who_sum_up_at_once_make_one_summary(store):
    session = store.start()
    talk(session, 15)
    barrier = threading.Barrier(4)
    found = []

    def ask():
        handle = store.session(session.id)
        barrier.wait(30)
        found.append(handle.context(8_000))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == 4
    assert len(summaries(session)) == 1


def test_a_summary_is_a_policys(store):
    session = store.start()
    talk(session, 4)
    session.context(8_000, summary=SummaryPolicy(name="often", every=4, most_tokens=120))
    (event,) = summaries(session)
    assert event.body.policy == "often"
    assert session.state.items[event.version].tokens <= 120
    talk(session, 40, 4)
    session.context(8_000, summary=None)
    assert len(summaries(session)) == 1


@pytest.mark.parametrize("failed", [True, False])
def test_a_result_that_says_it_is_no_error_is_none(failed, store):
    seen = []

    class Listening:
        def summarize(self, source, *, most_tokens, count):
            seen.extend(source.messages)
            return OfflineSummarizer().summarize(source, most_tokens=most_tokens, count=count)

    session = store.start()
    call = {"type": "tool_use", "id": "t1", "name": "read", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "done", "is_error": failed}
    session.message("Please read auth/step_1.py of the token service.")
    session.message({"role": "assistant", "content": [call]}, format="anthropic")
    session.message({"role": "user", "content": [result]}, format="anthropic")
    session.summarize(Listening())
    assert [message.errors for message in seen] == [False, failed]


def test_plain_words_and_concepts_are_no_entities(store: ContextStore) -> None:
    session = store.start()
    session.message("Let `build` call `read_header()` for the big art project, please.")
    session.summarize()
    entities = session.text(session.state.summary.item).split("Entities:")[1]
    assert "read_header" in entities
    assert "build" not in entities
    assert "art project" not in entities


def test_a_first_summary_tells_what_a_compaction_took_out_of_the_window(store):
    session = store.start()
    asked = session.message("Please let the parser of the orders take commas.")
    talk(session, 20)
    session.window.compacted(
        "Steps.", summarized=range(asked, session.version + 1), algorithm="another tool's"
    )
    assert asked not in session.state.items
    talk(session, 3, 20)
    session.summarize()
    assert "Please let the parser of the orders take commas." in session.views.summary()
    (event,) = summaries(session)
    assert event.body.sources.startswith(f"{asked}-")

"""The auditor's question: from a decision to the exact prompt behind it."""

import pytest

from backstory.domain.errors import UnknownVersion


def turn(session, text):
    """A user's message, a call, the answer, and how they are linked."""
    session.message(text)
    context = session.context(4_000)
    answer = session.by("coder").message(f"I will do it: {text}", role="agent")
    call = session.model_called(
        context, "gpt-4o", {"prompt_tokens": 10, "completion_tokens": 5}, message=answer
    )
    return context, answer, call


def test_from_a_decision_to_the_prompt(any_store):
    session = any_store.start()
    turn(session, "first")
    context, answer, call = turn(session, "second")
    decision = session.by("coder").caused_by(answer).decide("Use RS256")
    turn(session, "third")
    seen = session.saw(decision)
    assert (seen.message, seen.call, seen.model, seen.assembly) == (answer, call, "gpt-4o", context.version)
    assert seen.reproduction.ok
    assert seen.reproduction.context.data == context.data
    assert seen.gap is None


def test_a_message_or_a_call_may_be_asked_about(store):
    session = store.start()
    context, answer, call = turn(session, "hello")
    assert session.saw(answer).assembly == session.saw(call).assembly == context.version
    assert session.saw(context.version).reproduction.ok


def test_an_answer_may_name_the_call_as_its_cause(store):
    session = store.start()
    session.message("hello")
    context = session.context(4_000)
    call = session.model_called(context, "m")
    answer = session.caused_by(call).message("I decided to use Redis.", role="agent")
    assert session.saw(answer).call == call


def test_a_noticed_decision_leads_to_its_message(store):
    session = store.start()
    session.message("hello")
    context = session.context(4_000)
    answer = session.by("coder").message("We decided to use Redis because it is there.", role="agent")
    call = session.model_called(context, "m", message=answer)
    session.message("fine")
    session.context(4_000)
    (noticed,) = session.state.candidates
    assert session.saw(noticed.id)[1:5] == (answer, call, "m", context.version)
    confirmed = session.decisions.confirm(noticed.id)
    assert session.saw(confirmed)[1:5] == (answer, call, "m", context.version)


def test_what_the_log_does_not_tell_is_said(store):
    session = store.start()
    answer = session.message("hello", role="agent")
    alone = session.decide("Use RS256")
    assert session.saw(alone).gap == "no message is named as its cause"
    caused = session.caused_by(answer).decide("Use RS512")
    assert session.saw(caused).gap == "no model call is linked to its message"
    session.model_called(None, "m", message=answer)
    assert session.saw(caused).gap == "the call names no assembled context"
    with pytest.raises(UnknownVersion):
        session.saw(99)


def test_an_abandoned_branch_can_be_asked_about(store):
    session = store.start()
    context, answer, _ = turn(session, "hello")
    decision = session.caused_by(answer).decide("the wrong way")
    session.backtrack(2, "another way")
    assert session.saw(decision).assembly == context.version
    assert session.saw(decision).reproduction.ok


def test_a_call_on_a_branch_that_was_left_is_still_found(store):
    session = store.start(limit=4_000)
    session.message("hello")
    context = session.context()
    call = session.model_called(context, "m")
    session.backtrack(context.version, "the answer took too long")
    answer = session.caused_by(call).message("here it is", role="agent")
    decision = session.caused_by(answer).decide("Use it")
    assert (session.saw(answer).call, session.saw(decision).call) == (call, call)


def test_from_a_tool_result_to_the_call_that_asked_for_it(store):
    session = store.start()
    session.message("How are tokens signed?")
    context = session.context(4_000)
    model = session.model_called(context, "gpt-4o")
    asked = session.caused_by(model).tool_call("grep", {"pattern": "jwt"}, call_id="c1")
    result = session.tool_result("c1", "ALGORITHM = 'HS256'")
    session.message("Another question.")
    decision = session.caused_by(result).decide("Use RS256")
    for version in (result, decision):
        seen = session.saw(version)
        assert (seen.message, seen.call, seen.assembly) == (asked, model, context.version)
        assert seen.reproduction.ok


def test_from_a_tool_result_without_a_call_of_a_model(store):
    session = store.start()
    asked = session.tool_call("grep", {}, call_id="c1")
    seen = session.saw(session.tool_result("c1", "nothing"))
    assert (seen.message, seen.gap) == (asked, "no model call is linked to its message")

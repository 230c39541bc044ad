"""Whatever is given: an answer or a named error. And what was accepted can be read, in every way there is."""

import json
from contextlib import suppress

from hypothesis import given, strategies as st

from backstory.domain.errors import ContentErased
from backstory.domain.messages.contents import PART_KINDS, Message, Part
from tests.bad_input.test_wrong_types_are_named import BAD, CALLS, call, prepared, refuses
from tests.properties import examples

fuzzing = examples(8)

text = st.text(st.characters(), max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
json_bytes = st.builds(lambda value: json.dumps(value).encode(errors="surrogatepass"), json_values)
data = st.binary(max_size=12) | json_bytes | st.just(b"x")
parts = st.builds(
    Part,
    kind=st.sampled_from(PART_KINDS) | text,
    data=data | text,
    media_type=st.sampled_from(("text/plain", "application/json", "image/png", "application/pdf")) | text,
    call_id=st.sampled_from((None, "c1", "c2", "")) | text,
    name=st.sampled_from((None, "tool")) | text,
    extras=st.none() | json_bytes | data,
)
messages = st.builds(
    Message,
    role=st.sampled_from(("user", "agent", "system", "tool")) | text,
    parts=st.lists(parts, max_size=3).map(tuple) | st.none(),
    format=st.sampled_from((None, "openai", "anthropic", "morse", 5)),
    extras=st.none() | json_bytes | data,
)


@fuzzing
@given(said=st.lists(messages, min_size=1, max_size=4))
def test_any_neutral_message(store, said):
    session = store.start()
    session.message("before")
    for message in said:
        refuses(lambda message=message: session.message(message), repr(message))
    everything_can_be_read(session)


provider_blocks = st.dictionaries(
    st.sampled_from(("type", "text", "id", "name", "input", "content", "source", "tool_use_id", "image_url"))
    | text,
    st.sampled_from(("text", "tool_use", "tool_result", "image", "image_url", "thinking", "c1"))
    | json_values,
    max_size=5,
)
provider_messages = st.fixed_dictionaries(
    {"role": st.sampled_from(("user", "assistant", "system", "tool"))},
    optional={
        "content": text | st.lists(provider_blocks, max_size=3) | json_values,
        "tool_calls": st.lists(provider_blocks, max_size=2) | json_values,
        "tool_call_id": st.sampled_from(("c1", "c2")) | json_values,
        "refusal": json_values,
        "odd": json_values,
    },
)


@fuzzing
@given(
    said=st.lists(
        st.tuples(provider_messages, st.sampled_from(("openai", "anthropic"))), min_size=1, max_size=4
    )
)
def test_any_message_of_a_providers(store, said):
    session = store.start()
    session.message("before")
    for message, format in said:
        refuses(lambda message=message, format=format: session.message(message, format=format), repr(message))
    everything_can_be_read(session)


def everything_can_be_read(session):
    for format in (None, "openai", "anthropic"):
        session.messages(format=format)
    for item in session.state.items:
        with suppress(ContentErased):
            session.items.parts(item)
            session.text(item)
    session.views.current_context()
    session.window.configure(encoding="cl100k_base")
    session.fork().messages()
    assert session.verify().problem is None


@fuzzing
@given(data=st.data())
def test_any_call_with_any_values(store, data):
    session, places = prepared(store)
    for _ in range(8):
        name = data.draw(st.sampled_from(sorted(CALLS)))
        chosen = data.draw(st.lists(st.sampled_from(sorted(CALLS[name])), max_size=3, unique=True))
        given_values = CALLS[name] | {parameter: data.draw(st.sampled_from(BAD)) for parameter in chosen}
        refuses(
            lambda name=name, given=given_values: call(session, name, given, places),
            f"{name}({given_values})",
        )
        session.refresh()
    everything_can_be_read(session)

"""What is shown of a tool's call: the tool, the arguments that matter, and the text around the hit, in words."""

import json
from typing import Any

from backstory.domain.messages.contents import Message, Part
from backstory.domain.messages.shapes import JSON
from backstory.domain.search.passages import LABEL, LABELLED, counted_terms, passages, whole_text
from backstory.domain.search.snippets import Snippet, snippet_of
from backstory.domain.search.terms import terms

LONG = "\n".join(f"{n}: moor the boat" for n in range(200))


def call(name: str, arguments: Any, id_: str = "c1") -> Message:
    data = arguments if isinstance(arguments, bytes) else json.dumps(arguments).encode()
    return Message("agent", (Part("tool_use", data, JSON, id_, name),))


def result(text: str, id_: str = "c1") -> Message:
    return Message("tool", (Part("tool_result", text.encode(), "text/plain", id_),))


def shown(query: str, *messages: Message) -> Snippet:
    return snippet_of(passages(messages), terms(query))


def marked(snippet: Snippet) -> list[str]:
    return [snippet.text[first:end] for first, end in snippet.marks]


def test_a_call_is_told_in_words() -> None:
    edit = {"replace_all": False, "file_path": "src/a.py", "old_string": "one\n\ttwo", "new_string": "three"}
    (passage,) = passages([call("Edit", edit)])
    assert passage.text == "[Edit] src/a.py | one\n\ttwo | three"
    assert passage.label == "[Edit] src/a.py | three"
    assert whole_text(passages([call("Read", {"path": "a.py", "limit": 30})])) == "[Read] a.py | limit: 30"


def test_arguments_within_arguments_have_their_names() -> None:
    plan = {"todos": [{"content": "Mend the lamp", "done": False}, {"content": "Paint"}], "of": None}
    assert whole_text(passages([call("Plan", plan)])) == "[Plan] todos: content: Mend the lamp content: Paint"


def test_words_behind_escapes_are_words() -> None:
    """In JSON, a line that begins with "func" reads "\\nfunc"."""
    found = terms(
        whole_text(passages([call("Edit", {"new": "x\nfunc moor\tboat"}), result('{"a": "b\\nlamp"}')]))
    )
    assert {"func", "moor", "boat", "lamp"} <= found.keys()
    assert "nfunc" not in found


def test_what_is_no_json_is_shown_as_it_is() -> None:
    for written in (b'{"path": "a.py', b"[" * 5_000, b'"' + b"x " * 150_000 + b'"'):
        text = whole_text(passages([call("read", written)]))
        assert text == f"[read] {written.decode()}"
    assert whole_text(passages([result("{not json}")])) == "→ {not json}"


def test_a_hit_far_within_a_result_comes_after_its_call() -> None:
    told = f"{LONG}\nthe lighthouse burns\n{LONG}"
    found = shown("lighthouse", call("Bash", {"command": "cat log.txt"}), result(told))
    assert found.text.startswith("[Bash] cat log.txt … ")
    assert marked(found) == ["lighthouse"]
    assert len(found.text) < 260


def test_each_result_comes_after_its_own_call() -> None:
    calls = Message(
        "agent", (*call("Read", {"path": "a.py"}).parts, *call("Read", {"path": "b.py"}, "c2").parts)
    )
    found = shown("lighthouse", calls, result(f"{LONG} lighthouse", "c1"), result(LONG, "c2"))
    assert found.text.startswith("[Read] a.py … ")
    found = shown("lighthouse", calls, result(LONG, "c1"), result(f"{LONG} lighthouse", "c2"))
    assert found.text.startswith("[Read] b.py … ")


def test_the_label_of_a_call_is_short_and_marked() -> None:
    arguments = {"path": f"{'deep/' * 30}harbour.py", "pattern": "lighthouse " * 30, "more": "x " * 40}
    found = shown("harbour burns and burns", call("Grep", arguments), result(f"{LONG} burning it burns"))
    label = found.text.split(" … ")[0]
    assert label.startswith("[Grep] …")
    assert label.endswith("/harbour.py")
    assert len(label) <= LABEL
    assert marked(found) == ["harbour", "burning", "burns"]


def test_a_hit_near_the_beginning_of_a_call_begins_there() -> None:
    found = shown("harbour", call("Edit", {"file_path": f"{'deep/' * 15}harbour.py", "new_string": LONG}))
    assert found.text.startswith("[Edit] deep/deep/")
    assert marked(found) == ["harbour"]


def test_marks_are_where_the_words_stand() -> None:
    """Whatever is cut off before them."""
    for distance in (0, 30, 59, 61, 100, 500):
        told = f"{'pad ' * distance}lighthouse {'pad ' * 100}"
        found = shown("lighthouse", call("Bash", {"command": "cat harbour.txt"}), result(told))
        assert marked(found) == ["lighthouse"], distance
        assert "[Bash] cat harbour.txt" in found.text, distance


def test_words_of_a_label_count_more_than_those_of_a_result() -> None:
    counts = counted_terms(passages([call("Read", {"path": "harbour.py"}), result("boat")]))
    assert counts["harbour"] == 1 + LABELLED
    assert counts["boat"] == 1

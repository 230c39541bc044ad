"""Where the summarizer asks a model, the model notices; an answer without sources is refused, and the rules do it."""

import json
from typing import Any
from uuid import uuid4

import pytest

from backstory import ContextStore, Project
from backstory.domain.summaries.source import SourceMessage
from backstory.infrastructure.llm.noticing import NoticedMemories, notice
from backstory.infrastructure.llm.noticing_prompt import PROMPT_VERSION
from backstory.infrastructure.llm.summarizers import EndpointSummarizer
from tests.summaries.scripted_endpoint import Reply, endpoint, says, sends

SAID = (
    SourceMessage(2, "user", "ana", "Remember that the tide gauge reports feet."),
    SourceMessage(3, "agent", "coder", "The gauge of the north pier is calibrated in May each year."),
)
GAUGE = {
    "kind": "knowledge",
    "text": "The gauge of the north pier is calibrated in May.",
    "items": [3],
    "sure": True,
}


def answers(*memories: Any) -> Reply:
    return says(json.dumps({"memories": memories}))


def asked(*script: Reply) -> tuple[NoticedMemories, list[dict[str, Any]]]:
    with endpoint(*script) as server:
        summarizer = EndpointSummarizer(server.url, "small", timeout=20, attempts=1, sleep=lambda _: None)
        return notice(summarizer, SAID), server.requests


def test_the_models_memories_name_their_messages() -> None:
    found, requests = asked(answers(GAUGE))
    assert [(one.kind, one.text, one.items, one.sure) for one in found.noticed] == [
        ("knowledge", GAUGE["text"], (3,), True)
    ]
    assert (found.made_by, found.model, found.prompt_version) == ("endpoint/1", "small", PROMPT_VERSION)
    shown = requests[0]["json"]["messages"][1]["content"]
    assert "calibrated in May each year" in shown


def test_nothing_is_a_good_answer() -> None:
    found, _ = asked(answers())
    assert (found.noticed, found.fallback) == ((), None)


@pytest.mark.parametrize(
    "bad",
    [
        {**GAUGE, "items": []},
        {**GAUGE, "items": [99]},
        {**GAUGE, "text": "Deploys run curl evil.example every Friday night."},
        {**GAUGE, "kind": "fragment"},
        {**GAUGE, "text": "aaaaaaaa"},
        {**GAUGE, "text": "The gauge \u202e of the north pier is calibrated in May."},
        "no object",
    ],
)
def test_what_no_message_says_is_left_out(bad: object) -> None:
    found, _ = asked(answers(GAUGE, bad))
    assert [one.text for one in found.noticed] == [GAUGE["text"]]


@pytest.mark.parametrize(
    "bad",
    [
        says("I would remember the gauge."),
        says("{}"),
        answers({**GAUGE, "items": [99]}),
        sends(500),
    ],
)
def test_where_no_answer_may_be_used_the_rules_do_it_and_say_why(bad: Reply) -> None:
    found, _ = asked(bad)
    assert [(one.kind, one.items) for one in found.noticed] == [("note", (2,))]
    assert found.made_by == "rules/1"
    assert found.fallback


def test_it_is_asked_once_more_with_the_reason() -> None:
    found, requests = asked(says("What?"), answers(GAUGE))
    assert (found.fallback, len(requests)) == (None, 2)
    assert "no JSON object" in requests[1]["json"]["messages"][-1]["content"]


def test_what_an_agent_says_of_a_persons_preference_is_a_candidate() -> None:
    found, _ = asked(answers({**GAUGE, "kind": "preference"}))
    assert [one.sure for one in found.noticed] == [False]


def test_a_memory_of_a_model_is_no_more_trusted_than_its_sources(url: str) -> None:
    name = f"harbour-{uuid4()}"
    with endpoint(says(json.dumps({"objective": "Calibrate the gauge of the pier"}))) as server:
        summarizer = EndpointSummarizer(server.url, "small", timeout=20, attempts=1, sleep=lambda _: None)
        with ContextStore.open(url, summarizer=summarizer) as store:
            session = store.start(project=name)
            item = session.of_origin("document").message("The gauge of the north pier is calibrated in May.")
            server.script[:] = [
                says(json.dumps({"objective": "Calibrate the gauge of the north pier"})),
                answers({**GAUGE, "items": [item]}),
            ]
            server.requests.clear()
            made = session.memory.archive()
            project: Project = store.project(name)
            (memory,) = [project.memory(id) for id in made.memories]
    assert (memory.made_by, memory.trust, memory.origin) == ("endpoint/1", "untrusted", "model")
    assert memory.sources[0].items == (item,)

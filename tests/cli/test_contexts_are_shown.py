"""`context`, `reproduce` and `saw`: what the next call would see, and what a past one saw."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from backstory.application.session import Session
from backstory.application.store import ContextStore
from tests.cli.conftest import Cli
from tests.cli.test_verify_finds_tampering import tamper

PROMPT = "You are a careful engineer."
ANSWER = "RS256 it is: services only need the public key."


class Recorded(NamedTuple):
    """A session with one call of a model, and the versions of its links."""

    session: Session
    said: int
    assembly: int
    call: int
    message: int
    decision: int
    data: bytes


@pytest.fixture
def recorded(store: ContextStore) -> Recorded:
    session = store.start(title="Sign tokens", limit=8_000)
    session.set_system_prompt(PROMPT)
    said = session.by("ana").message("How should tokens be signed?")
    session.by("ana").work.add_constraint("No new dependencies")
    session.by("coder").message(
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "c1",
                    "type": "function",
                    "function": {"name": "grep", "arguments": '{"pattern": "jwt"}'},
                }
            ],
        },
        format="openai",
    )
    session.tool_result("c1", "auth/jwt.py:12: ALGORITHM = 'HS256'")
    coder = session.by("coder")
    context = coder.context()
    assert context.version is not None
    usage = {"prompt_tokens": 1_234, "completion_tokens": 56, "prompt_tokens_details": {"cached_tokens": 78}}
    call = coder.model_called(context, "gpt-5-mini", usage, provider="openai", latency_ms=1_500)
    message = coder.caused_by(call).message(ANSWER, role="agent")
    decision = coder.caused_by(message).decide("Use RS256", rationale="only the login service can sign")
    return Recorded(session, said, context.version, call, message, decision, context.data)


def test_a_preview_shows_its_parts_and_the_prompt_and_writes_nothing(cli: Cli, recorded: Recorded) -> None:
    before = recorded.session.version
    outcome = cli("context", recorded.session.id, "--budget", 4_000)
    assert outcome.code == 0
    assert recorded.session.version == before
    assert "preview, not recorded" in outcome.out
    for part in ("system", "rules", "history", "reserve", "free"):
        assert f"\n{part} " in outcome.out
    assert PROMPT in outcome.out
    assert 'grep({"pattern": "jwt"})' in outcome.out
    assert "→ auth/jwt.py:12: ALGORITHM = 'HS256'" in outcome.out


def test_numbers_are_whole_on_a_narrow_terminal(cli: Cli, store: ContextStore) -> None:
    session = store.start(limit=100_000)
    for number in range(40):
        session.message(f"{number}: " + "word " * 200)
        session.progress.set_phase(f"phase-{number}")  # so that the items are no single range
    lines = cli("context", session.id, env={"COLUMNS": "80"}).out.splitlines()
    shown = session.context(record=False)
    rows = {line.split()[0]: line.split()[1] for line in lines[-12:] if len(line.split()) > 1}
    assert rows["prompt"] == f"{shown.tokens:,}"
    assert {section.name: f"{section.tokens:,}" for section in shown.sections}.items() <= rows.items()
    assert all(len(line) <= 80 for line in lines)


def test_what_is_recorded_can_be_made_again(cli: Cli, recorded: Recorded) -> None:
    shown = cli("context", recorded.session.id, "--record", "--actor", "ana", "--json").document
    assert shown["version"] == recorded.session.version
    assert sum(section["tokens"] for section in shown["sections"]) == shown["tokens"]
    made = cli("reproduce", recorded.session.id, "--json").document
    assert (made["version"], made["ok"], made["prompt"]) == (shown["version"], True, shown["prompt"])


@pytest.mark.parametrize("format", ["openai", "anthropic", "markdown", "parts"])
def test_every_format_is_shown_and_printed_raw(
    cli: Cli, raw_bytes: Callable[..., bytes], recorded: Recorded, format: str
) -> None:
    shown = cli("context", recorded.session.id, "--format", format)
    assert shown.code == 0
    assert ANSWER in " ".join(shown.out.split())
    assert "auth/jwt.py:12" in shown.out
    raw = raw_bytes("context", recorded.session.id, "--format", format, "--raw")
    if format == "markdown":
        assert raw.decode().startswith(PROMPT)
    else:
        assert PROMPT in json.dumps(json.loads(raw), ensure_ascii=False)
    expected = recorded.session.context(format=format, record=False).data  # type: ignore[arg-type]
    assert raw == expected


def test_raw_of_a_recorded_context_is_its_exact_bytes(
    recorded: Recorded, raw_bytes: Callable[..., bytes]
) -> None:
    assert raw_bytes("reproduce", recorded.session.id, recorded.assembly, "--raw") == recorded.data
    assert raw_bytes("saw", recorded.session.id, recorded.decision, "--raw") == recorded.data


@pytest.mark.parametrize("name", ["{}", "DEC-{}", "D{}", "dec-{}"])
def test_saw_leads_from_the_decision_to_the_prompt(cli: Cli, recorded: Recorded, name: str) -> None:
    outcome = cli("saw", recorded.session.id, name.format(recorded.decision))
    assert outcome.code == 0
    lines = outcome.out.splitlines()[-4:]
    assert [line.split()[:2] for line in lines] == [
        ["decision", str(recorded.decision)],
        ["message", str(recorded.message)],
        ["call", str(recorded.call)],
        ["context", str(recorded.assembly)],
    ]
    assert "Use RS256" in lines[0]
    assert "gpt-5-mini" in lines[2]
    assert "1,234 tokens in" in lines[2]
    assert "same bytes" in outcome.out
    assert PROMPT in outcome.out


@pytest.mark.parametrize("link", ["message", "call", "assembly"])
def test_saw_answers_for_every_link(cli: Cli, recorded: Recorded, link: str) -> None:
    found = cli("saw", recorded.session.id, getattr(recorded, link), "--json").document
    assert found["asked"] == getattr(recorded, link)
    assert found["assembly"] == recorded.assembly
    assert found["gap"] is None
    assert found["reproduction"]["ok"] is True
    assert found["reproduction"]["prompt"] == recorded.data.decode()


def test_saw_says_which_link_is_missing(cli: Cli, recorded: Recorded) -> None:
    alone = recorded.session.by("ana").decide("Ship on Friday")
    outcome = cli("saw", recorded.session.id, alone)
    assert outcome.code == 3
    assert "Ship on Friday" in outcome.out
    assert "no message is named as its cause" in outcome.err
    by_hand = recorded.session.caused_by(recorded.said).decide("Answer ana")
    outcome = cli("saw", recorded.session.id, by_hand, "--json")
    assert outcome.code == 3
    assert outcome.document["message"] == recorded.said
    assert outcome.document["gap"] == "no model call is linked to its message"
    unlinked = recorded.session.model_called(None, "gpt-5-mini")
    outcome = cli("saw", recorded.session.id, unlinked)
    assert (outcome.code, "names no assembled context" in outcome.err) == (3, True)


def test_an_erased_content_is_named_and_nothing_is_made_up(cli: Cli, recorded: Recorded) -> None:
    recorded.session.erase(recorded.said, "personal data")
    erased_at = recorded.session.version
    for words in (("reproduce", recorded.assembly), ("saw", recorded.decision)):
        outcome = cli(words[0], recorded.session.id, words[1])
        assert outcome.code == 4
        assert [str(recorded.said), "history", str(erased_at)] in [
            line.split() for line in outcome.out.splitlines()
        ]
        assert "cannot be made again" in outcome.err
    raw = cli("reproduce", recorded.session.id, recorded.assembly, "--raw")
    assert (raw.code, raw.out) == (4, "")
    made = cli("reproduce", recorded.session.id, recorded.assembly, "--json").document
    assert made["missing"] == [{"item": recorded.said, "section": "history", "erased_at": erased_at}]
    assert (made["ok"], made["found"], made["prompt"]) == (False, None, None)


def test_bytes_that_differ_end_with_seven(cli: Cli, new_database: Callable[[], str]) -> None:
    url = new_database()
    with ContextStore.open(url) as store:
        session = store.start(limit=8_000)
        session.message("pay 100")
        version = session.context().version
    another = "regexp_replace(convert_from(payload, 'UTF8'), '[0-9a-f]{64}', repeat('0', 64))"
    tamper(
        url, f"update backstory.events set payload = convert_to({another}, 'UTF8') where version = {version}"
    )
    outcome = cli("--url", url, "reproduce", session.id, version)
    assert outcome.code == 7
    assert "differs from what was recorded" in " ".join(outcome.err.split())
    found = cli("--url", url, "reproduce", session.id, version, "--json")
    assert (found.code, found.document["ok"]) == (7, False)
    assert found.document["found"] != found.document["expected"]
    assert cli("--url", url, "reproduce", session.id, version, "--raw").out == ""


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("context", "--budget", "20"), 4, "must be at least"),
        (("context", "--budget", "-1"), 2, "budget"),
        (("context", "--format", "xml"), 2, "xml"),
        (("context", "--window", "side"), 2, "window"),
        (("context", "--raw", "--json"), 2, "raw"),
        (("reproduce", "1"), 3, "not an assembled context"),
        (("reproduce", "9999"), 3, "does not exist"),
        (("saw", "GOAL-3"), 2, "decision"),
        (("saw", "9999"), 3, "does not exist"),
    ],
)
def test_what_cannot_be_done_has_its_exit_code(
    cli: Cli, recorded: Recorded, words: tuple[str, ...], code: int, said: str
) -> None:
    outcome = cli(words[0], recorded.session.id, *words[1:])
    assert outcome.code == code
    assert said in outcome.err
    assert outcome.out == ""


def test_a_session_without_a_context_has_none_to_make_again(cli: Cli, store: ContextStore) -> None:
    session = store.start()
    outcome = cli("reproduce", session.id)
    assert (outcome.code, "no context was recorded" in outcome.err) == (3, True)
    assert cli("context", session.id, "--json").document["budget"] == 8_000


def test_sessions_show_tells_of_summary_pins_noticed_decisions_and_cost(cli: Cli, recorded: Recorded) -> None:
    session = recorded.session
    session.items.pin(recorded.said, why="it is the question")
    noticed = session.by("ana").message("We decided to use Redis for sessions because it is already there.")
    summary = session.summarize()
    session.context()
    found = cli("sessions", "show", session.id, "--json").document
    assert found["pins"] == [recorded.said]
    assert found["summary_item"] == summary
    (waiting,) = found["candidates"]
    assert (found["model_calls"], found["input_tokens"], found["output_tokens"]) == (1, 1_234, 56)
    assert found["cost_usd"] > 0
    shown = cli("sessions", "show", session.id).out
    assert "model calls: 1, 1,234 tokens in, 56 out, $0.000" in shown
    assert "\nPinned\n" in shown
    assert "\nSummary\n" in shown
    assert f"noticed in {noticed}" in shown
    session.decisions.confirm(waiting)
    assert cli("sessions", "show", session.id, "--json").document["candidates"] == []


def test_tools_and_parameters_are_shown(store: ContextStore, cli: Cli, tmp_path: Path) -> None:
    session = store.start(limit=8_000)
    session.message("How are tokens signed?")
    tools = [{"name": "grep", "description": "Finds lines.", "input_schema": {"type": "object"}}]
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(tools))
    recorded = cli("context", session.id, "--record", "--tools", file, "--json").document
    assert recorded["tools"] == tools
    call = session.model_called(recorded["version"], "claude-x", parameters={"temperature": 0.2})
    made = cli("reproduce", session.id, "--json").document
    assert (made["tools"], made["calls"][0]["parameters"]) == (tools, {"temperature": 0.2})
    assert cli("saw", session.id, call, "--json").document["parameters"] == {"temperature": 0.2}
    shown = cli("saw", session.id, call).out
    assert '"temperature": 0.2' in shown
    assert "Finds lines." in shown


@pytest.mark.parametrize("text", ["{}", "[1]", "not JSON"])
def test_a_file_without_tools_is_refused(store: ContextStore, cli: Cli, tmp_path: Path, text: str) -> None:
    session = store.start(limit=8_000)
    session.message("Hello")
    file = tmp_path / "tools.json"
    file.write_text(text)
    refused = cli("context", session.id, "--record", "--tools", file, "--json")
    assert refused.code == 2
    assert refused.error["message"].startswith("tools")
    assert session.version == 2

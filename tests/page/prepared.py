"""The session that the tests of the page look at."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from backstory.application.session import Session
from backstory.application.store import ContextStore

TITLE = "Add JWT login to the orders API"
HS256 = "Sign tokens with HS256 and SECRET_KEY"
RS256 = "Sign tokens with RS256, publish the public key"
SUMMARY = "The API was read, file by file. Orders are read in `api/part_2.py`."
QUESTION, ANSWER = "How does the gateway get the public key?", "From **/.well-known/jwks.json**."
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "read_file",
            "description": "The text of a file.",
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
        },
    }
]
By = Callable[[str], Session]


class Prepared(NamedTuple):
    """A session with something of everything, and the versions that stand out in it."""

    session: Session
    checkpoint: int
    wrong: int
    """A decision that a backtrack left."""
    backtrack: int
    decision: int
    compaction: int
    summarized: tuple[int, ...]
    prompts: tuple[int, ...]
    fork: Session


def prepare(store: ContextStore) -> Prepared:
    """Records the session."""
    session = store.start(title=TITLE, tags=["auth"], project="orders", limit=8_000, actor="ana")
    minutes = _minutes()

    def by(actor: str) -> Session:
        return session.by(actor).occurred(next(minutes))

    session.set_system_prompt("You are a careful engineer. Change as little as you can.")
    by("ana").message("Add login with JWT to the orders API. The partner's gateway calls it too.")
    goal = by("planner").work.set_goal("Users log in and call the API with a token", priority="high")
    question = by("planner").work.ask("How long may a token live?", blocks=[goal])
    by("ana").work.add_constraint("No new services")
    reads = [_read(by, place) for place in range(4)]
    checkpoint = by("planner").checkpoints.create("before the choice")
    wrong = by("planner").decide(HS256, rationale="the key is already in every service's settings")
    by("coder").tool_call("run_tests", {"path": "tests/auth"}, call_id="call_test")
    by("coder").tool_result("call_test", "2 failed: test_gateway_cannot_mint", is_error=True)
    backtrack = by("planner").backtrack(wrong - 1, "with HS256 the gateway could make tokens")
    session.refresh()
    by("ana").work.answer(question, "15 minutes, with a refresh token")
    decision = by("planner").decide(
        RS256, rationale="only the login service can sign", alternatives_rejected=[HS256], priority="high"
    )
    fork = session.by("bo").fork(decision - 1, title="The same with EdDSA")
    first = _turn(by, "Which algorithm signs the tokens?", "RS256: services only need the public key.")
    compaction = by("coder").window.compacted(SUMMARY, summarized=reads, algorithm="by-hand")
    by("coder").tool_call("read_file", {"path": "api/part_2.py"}, call_id="call_again")
    by("coder").tool_result("call_again", "def part_2(): ...")
    second = _turn(by, QUESTION, ANSWER)
    return Prepared(
        session=session.refresh(),
        checkpoint=checkpoint,
        wrong=wrong,
        backtrack=backtrack,
        decision=decision,
        compaction=compaction,
        summarized=tuple(reads),
        prompts=(first, second),
        fork=fork,
    )


def _minutes() -> Iterator[datetime]:
    at = datetime(2026, 11, 19, 9, 0, tzinfo=UTC)
    while True:
        yield at
        at += timedelta(minutes=1)


def _read(by: By, place: int) -> int:
    call = by("coder").tool_call("read_file", {"path": f"api/part_{place}.py"}, call_id=f"call_{place}")
    by("coder").tool_result(f"call_{place}", f"def part_{place}():\n    return orders[{place}]\n" * 8)
    return call


def _turn(by: By, question: str, answer: str) -> int:
    """A message and the call of a model that answers it: the version of the prompt."""
    by("ana").message(question)
    context = by("planner").context(4_000, tools=TOOLS)
    by("planner").answered(
        context,
        {"role": "assistant", "content": answer},
        format="openai",
        model="gpt-5-mini",
        usage={"prompt_tokens": context.tokens, "completion_tokens": 37},
    )
    assert context.version is not None
    return context.version

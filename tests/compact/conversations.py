"""Conversations that fill a window, for tests."""

from backstory.application.session import Session
from backstory.application.store import ContextStore

WORDS = (
    "The parser in src/parser.py fails on empty input and raises ParseError in read_header().",
    "Please look at config/settings.toml before changing load_settings().",
    "The tests in tests/test_parser.py pass again, the cache is still slow.",
    "We should measure how long read_header() takes with large files.",
)


def a_session(store: ContextStore, limit: int = 4_000) -> Session:
    session = store.start(limit=limit)
    session.set_system_prompt("You are a careful engineer.")
    session.work.add_constraint("Never touch the network.")
    session.work.set_goal("Make the parser robust")
    session.work.start_task("T-1", "Handle empty input")
    return session


def talk(session: Session, messages: int, start: int = 0) -> list[int]:
    """So many messages, by user and agent in turn."""
    return [
        session.message(f"{number}: {WORDS[number % len(WORDS)]}", role=("user", "agent")[number % 2])
        for number in range(start, start + messages)
    ]


def use_tools(session: Session, calls: int, words: int = 120, start: int = 0) -> list[int]:
    """So many answered calls, each with a long result."""
    exchanges = []
    for number in range(start, start + calls):
        call = f"call-{number}"
        exchanges.append(session.tool_call("read_file", {"path": f"src/module_{number}.py"}, call_id=call))
        listing = f"src/module_{number}.py defines class Module{number}.\n" + "some line of code\n" * (
            words // 4
        )
        session.tool_result(call, listing)
    return exchanges


def live(session: Session, window: str = "main") -> set[int]:
    return {item.id for item in session.state.live(window)}

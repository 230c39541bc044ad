"""A summary takes in the one before it, round after round."""

from backstory.domain.summaries.offline import (
    SourceMessage,
    SummaryDocument,
    SummarySource,
    check_summary,
    summarize_offline,
)
from backstory.infrastructure.llm.tokens import count_tokens

ROUNDS = 40
MOST = 1000
CONSTRAINTS = ("Never log a token", "Python 3.11 is the oldest we support")


def messages(number: int) -> tuple[SourceMessage, ...]:
    texts = (
        ("user", f"Please look at module_{number}.py, the report {number} says it is slow."),
        (
            "agent",
            f"I found that loop_{number} reads the file {number + 2} times, because nothing is cached.",
        ),
        (
            "agent",
            f"Fixed module_{number}.py: the cache_{number} now holds {number * 7} rows and all tests pass.",
        ),
        ("agent", f"Next, I will measure module_{number + 1}.py."),
    )
    return tuple(
        SourceMessage(number * 10 + place, role, None, text, ("edit",) if role == "agent" else (), 0.6)
        for place, (role, text) in enumerate(texts)
    )


def rounds(decisions_given: int) -> list[SummaryDocument]:
    """Summaries of summaries, with a decision in every fourth round, of which each source has only the newest."""
    made: list[SummaryDocument] = []
    decided: list[tuple[str, str | None]] = []
    for number in range(ROUNDS):
        if number % 4 == 0:
            decided.append((f"Use strategy {number} for module {number}", "measured faster"))
        source = SummarySource(
            previous=made[-1] if made else None,
            messages=messages(number),
            decisions=tuple(decided[-decisions_given:]),
            constraints=CONSTRAINTS,
        )
        document = summarize_offline(source, most_tokens=MOST, count=count_tokens)
        check_summary(document, source=source, most_tokens=MOST, count=count_tokens)
        made.append(document)
    return made


def test_every_round_stays_within_the_limit() -> None:
    assert all(count_tokens(document.to_markdown()) <= MOST for document in rounds(50))


def test_all_decisions_and_constraints_are_still_there_at_the_end() -> None:
    for given in (1, 3, 50):
        last = rounds(given)[-1]
        assert [text.split(" (")[0] for text in last.decisions] == [
            f"Use strategy {number} for module {number}" for number in range(0, ROUNDS, 4)
        ]
        assert last.constraints == CONSTRAINTS


def test_the_objective_of_the_first_round_lasts() -> None:
    assert rounds(50)[-1].objective == "Please look at module_0.py, the report 0 says it is slow."


def test_progress_is_the_newest_and_the_oldest_went_first() -> None:
    last = rounds(50)[-1]
    numbers = [number for text in last.progress for number in range(ROUNDS) if f"module_{number}.py:" in text]
    assert numbers == sorted(numbers)
    assert numbers[-1] == ROUNDS - 1
    assert 0 not in numbers


def test_calls_add_up() -> None:
    assert rounds(50)[-1].tools == {"edit": 3 * ROUNDS}


def test_a_decision_that_was_taken_back_is_gone() -> None:
    before = SummaryDocument(decisions=("Use A", "Use B (faster)", "Use C"))
    source = SummarySource(previous=before, decisions=(("Use A", None), ("Use C", None)))
    assert summarize_offline(source, most_tokens=500, count=count_tokens).decisions == ("Use A", "Use C")


def test_a_constraint_that_was_lifted_is_gone() -> None:
    before = SummaryDocument(constraints=("No new dependencies", "Stay offline"))
    source = SummarySource(previous=before, constraints=("Stay offline",))
    assert summarize_offline(source, most_tokens=500, count=count_tokens).constraints == ("Stay offline",)


def test_what_is_no_longer_blocked_is_not_said_again() -> None:
    before = SummaryDocument(progress=("Wrote the parser.", "⏳ Deploy: no access"))
    source = SummarySource(previous=before, blocked=("Release: no key",))
    document = summarize_offline(source, most_tokens=500, count=count_tokens)
    assert document.progress == ("Wrote the parser.", "⏳ Release: no key")

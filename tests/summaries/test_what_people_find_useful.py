"""Summaries tell a stranger what it is about, what happened and what is open, without narration and fragments."""

import pytest

from backstory.domain.summaries.offline import (
    SourceMessage,
    SummaryDocument,
    SummarySource,
    summarize_offline,
)
from backstory.infrastructure.llm.tokens import count_tokens


def summed_up(*told: tuple[str, str], tools: tuple[str, ...] = ("edit",)) -> SummaryDocument:
    """The summary of messages, each of a role or of the person named."""
    messages = []
    for place, (who, text) in enumerate(told, 1):
        role = who if who in ("user", "agent", "tool") else "user"
        name = None if who == role else who
        messages.append(SourceMessage(place, role, name, text, tools if who == "agent" else ()))
    return summarize_offline(SummarySource(messages=tuple(messages)), most_tokens=1000, count=count_tokens)


@pytest.mark.parametrize(
    ("told", "objective"),
    [
        (["hmm, so what about the tests?", "Sort branches by date, please."],
         "Sort branches by date, please."),
        (["<note>Done</note>\nRead the file with the result, please.", "Sort the branches by date, please."],
         "Sort the branches by date, please."),
        (["why are the tests of the parser so slow?"], "why are the tests of the parser so slow?"),
        (["do 1, 2 and 5", "One more thing. The author of the last commit is not set."],
         "The author of the last commit is not set."),
        (["We load the settings from a file. It is long. Can you make that a variable?"],
         "We load the settings from a file. … Can you make that a variable?"),
        (["Implement the following plan:\n\n# Plan: One parser for all formats\n\nUse `parse()`."],
         "Plan: One parser for all formats"),
        (["<files>\n/srv/app\n</files>\nConsider this issue:\n<issue>\nThe parser drops the last row\n"
          + "It is long.\n" * 300], "The parser drops the last row"),
        (["Please fix the slow parser.\n```\n" + "x = 1\n" * 400 + "```"], "Please fix the slow parser."),
        (["have a look at ticket ABC-108, we work on that here", "[Request interrupted by user]",
          "have a look at ticket ENT-108, we work on that here"],
         "have a look at ticket ENT-108, we work on that here"),
        (["Please fix the parser of dates.", "Please document the parser of dates."],
         "Please fix the parser of dates."),
    ],
)  # fmt: skip
def test_the_objective(told: list[str], objective: str) -> None:
    assert summed_up(*(("user", text) for text in told), ("agent", "Looking.")).objective == objective


def test_an_objective_of_two_sentences_hides_nothing_that_was_said() -> None:
    told = "We load the settings from a file. It is long. Can you make that a variable?"
    document = summed_up(("user", told), ("agent", "Yes."), ("user", "Please sort the branches by date."))
    assert document.objective.startswith("We load the settings from a file. …")
    assert document.said == ("user: Please sort the branches by date.",)


def test_the_mark_of_a_factorial_ends_no_sentence() -> None:
    told = "I want to understand why 3! equals 6 here."
    assert summed_up(("user", "Please sort the branches."), ("user", told), ("agent", "Hm.")).said == (
        f"user: {told}",
    )


def test_a_long_sentence_ends_with_a_clause() -> None:
    text = (
        "I'm trying to write tests for the module that hashes passwords and checks logins, and for its settings in "
        "the file, but I'm having so much trouble to find out how the fixtures of the framework are meant to be used "
        "for that at all"
    )
    (told,) = summed_up(("user", "Please sort the branches by date."), ("user", text), ("agent", "Hm.")).said
    assert told.endswith("in the file…")


@pytest.mark.parametrize(
    "text",
    [
        "Renamed files in the index - not handled yet.",
        "Added a check to the setup of strategies instead, or",
        "Updated on every hook that the agent calls.",
        "This makes the test pass in any case.",
        "The hook will fail without the new setting.",
        "Race condition: two prompts might fail to find their agents.",
        "The bug was that the parser failed on empty rows.",
        "I looked at both. 254 tests ran, 0 failed, no failures.",
        "Let me fix the parser in core/parse.py.",
    ],
)
def test_no_progress(text: str) -> None:
    assert summed_up(("user", "Please fix the parser of the rows."), ("agent", text)).progress == ()


def test_what_an_agent_offers_is_not_done() -> None:
    options = (
        "- Added a field to the parser rows\n- Removed the old parser rows\n\nWhich option do you prefer?"
    )
    assert summed_up(("user", "Please fix the rows."), ("agent", options)).progress == ()
    report = options.replace("Which option do you prefer?", "Want me to commit?")
    assert len(summed_up(("user", "Please fix the rows."), ("agent", report)).progress) == 2


@pytest.mark.parametrize(
    "text",
    [
        "`core/parse.py` — Added a guard for empty rows.",
        "The rule for empty rows has been modified in `parse.py`.",
        "12 passed, 0 failed in 3 s of the parser suite.",
        "Tests of the parser: 209s → 48.7s (4.3x faster)",
    ],
)
def test_done(text: str) -> None:
    assert summed_up(("user", "Please fix the rows."), ("agent", text)).progress == (f"✅ {text}",)


def test_of_all_passing_checks_the_last_one_counts() -> None:
    document = summed_up(
        ("user", "Please fix the rows."),
        ("agent", "All unit tests pass."),
        ("agent", "Fixed the parser for empty rows."),
        ("agent", "All tests pass, lint is clean."),
        ("agent", "There's one more failing test of the writer."),
    )
    assert document.progress == (
        "✅ Fixed the parser for empty rows.",
        "✅ All tests pass, lint is clean.",
        "🔄 There's one more failing test of the writer.",
    )


def test_an_old_failure_is_not_open() -> None:
    steps = [("agent", f"Read part {number} of the long module.") for number in range(8)]
    failure = ("agent", "The build of the writer fails.")
    assert summed_up(("user", "Fix the rows."), failure, *steps).progress == ()
    assert summed_up(("user", "Fix the rows."), *steps, failure).progress == (
        "🔄 The build of the writer fails.",
    )


def test_a_next_step_is_from_the_last_messages_of_an_agent_that_works() -> None:
    ahead = ("agent", "Next, I will write the docs of the parser.")
    steps = [("agent", f"Read part {number} of the long module.") for number in range(4)]
    start = ("user", "Fix the rows.")
    assert summed_up(start, *steps, ahead).next_steps == (ahead[1],)
    assert summed_up(start, ahead, *steps).next_steps == ()
    assert summed_up(start, ahead, tools=()).next_steps == ()


def test_between_people_what_happened_is_told() -> None:
    document = summed_up(
        ("mel", "I painted this! I love it so much."),
        ("caro", "Melly, I won't quit on my dreams. I know you'll believe in yours, mel!"),
        ("mel", "Last month I moved to Oslo with my sister and her dog."),
        (
            "caro",
            "I just joined a choir near the harbour. Don't be afraid to sing, it's fun on Fridays for us.",
        ),
    )
    assert document.said == (
        "mel: Last month I moved to Oslo with my sister and her dog.",
        "caro: I just joined a choir near the harbour.",
    )


def test_where_nothing_happened_anything_is_told() -> None:
    document = summed_up(
        ("mel", "People should always accept other people and we do."), ("caro", "Yes, so true, mel!")
    )
    assert document.said == (
        "mel: People should always accept other people and we do.",
        "caro: Yes, so true, mel!",
    )


def test_what_a_user_pasted_is_not_said() -> None:
    pasted = "> the old branch is gone [4 points]\n   I think we need the branch back\n\nCan you cut the branch names?"
    assert summed_up(
        ("user", "Please sort the branches by date."), ("user", pasted), ("agent", "Hm.")
    ).said == ("user: Can you cut the branch names?",)


def test_a_failure_that_is_only_quoted_is_not_open() -> None:
    report = 'I added logs to `resume.py`:\n- Logs "resume of the session failed" where no log is found'
    assert not [line for line in summed_up(("user", "Add logs."), ("agent", report)).progress if "🔄" in line]


def test_of_checks_of_several_rounds_the_last_one_counts() -> None:
    first = summed_up(
        ("user", "Fix the parser of dates."), ("agent", "All 11 parser tests pass (4 old + 7 new).")
    )
    assert first.progress == ("✅ All 11 parser tests pass (4 old + 7 new).",)
    text = "254 passed, 0 failed, 51.5s.\n\nAll tests pass, including the slow ones."
    later = SourceMessage(9, "agent", None, text, ("edit",))
    source = SummarySource(messages=(later,), previous=first)
    document = summarize_offline(source, most_tokens=1000, count=count_tokens)
    assert document.progress == ("✅ All tests pass, including the slow ones.",)


@pytest.mark.parametrize(
    "text",
    [
        "Crazy stuff's been happening since we last chatted.",
        "So much has happened since we last spoke!",
        "Been a busy week since we talked.",
        "As for me, lots of stuff happened since our last talk.",
    ],
)
def test_that_much_happened_tells_nothing(text: str) -> None:
    told = ("I sold my car to a museum in Oslo yesterday.", "We moved to Bergen last week.")
    document = summed_up(("Ana", f"{text} {told[0]}"), ("Ben", told[1]), ("Ana", text))
    assert document.said == (f"Ana: {told[0]}", f"Ben: {told[1]}")


def test_words_that_only_announce_are_left_out() -> None:
    text = "I just wanted to let you know I sold my car to a museum in Oslo yesterday."
    document = summed_up(("Ana", text), ("Ben", "We moved to Bergen last week."))
    assert document.said[0] == "Ana: I sold my car to a museum in Oslo yesterday."

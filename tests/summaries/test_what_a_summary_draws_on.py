from dataclasses import replace

from backstory.domain.summaries.offline import (
    SourceMessage,
    SummaryDocument,
    SummarySource,
    summarize_offline,
)
from backstory.infrastructure.llm.tokens import count_tokens
from tests.summaries.sources import SAMPLE


def summed_up(source: SummarySource) -> SummaryDocument:
    return summarize_offline(source, most_tokens=1000, count=count_tokens)


def test_the_sample_as_people_read_it() -> None:
    assert (
        summed_up(SAMPLE).to_markdown()
        == """\
# Session summary

## Objective
Tokens expire too early in auth/jwt.py, please fix that.

## Progress
- ✅ I fixed it in generate_token() and all 12 tests pass now.

## What was said
- coder: The root cause is a missing exp claim.

## Key decisions
1. Use RS256 (services only need the public key)
2. Tokens live one hour

## Open questions
- Who rotates the keys?

## Constraints
- Never log a token

## Files and entities
- Files: auth/jwt.py, auth/keys.py
- Entities: RS256, generate_token

## Next steps
- Next, I will update the documentation.

## Tools used
- grep: 2
- edit: 1
- read_file: 1
"""
    )


def test_open_goals_and_the_task_are_the_objective() -> None:
    goals = (("Ship the parser", "in-progress"), ("Write its tests", "pending"))
    document = summed_up(SummarySource(goals=goals, task="Fix the lexer", messages=SAMPLE.messages))
    assert document.objective == "Ship the parser; Fix the lexer"


def test_without_goals_the_previous_objective_stays() -> None:
    previous = SummaryDocument(objective="Ship the parser")
    document = summed_up(SummarySource(previous=previous, messages=SAMPLE.messages))
    assert document.objective == "Ship the parser"


def test_the_objective_is_the_first_line_that_says_enough() -> None:
    heading = "<context>\n/srv/web/report/page.py\nHello there!\n</context>\n\n"
    text = heading + "- Add a cache to the slow report page.\n- Keep it small."
    document = summed_up(SummarySource(messages=(SourceMessage(1, "user", None, text),)))
    assert document.objective == "Add a cache to the slow report page."


def test_plans_are_not_progress() -> None:
    text = "Let me verify that the parser is fixed in core/parse.py."
    assert summed_up(SummarySource(messages=(SourceMessage(1, "agent", None, text),))).progress == ()


def test_what_a_user_wishes_is_not_progress() -> None:
    wishes = (
        "Please rename parse_date() to read_date() in core/dates.py because the name is wrong.",
        "Your task is to make the smallest change so that the tests in core/ pass again.",
        "Use RS256 instead of HS256 for every token that the gateway gets.",
        "The report page should show the totals that were added last week.",
    )
    messages = tuple(SourceMessage(place, "user", None, text, (), 1.0) for place, text in enumerate(wishes))
    assert summed_up(SummarySource(messages=messages)).progress == ()


def test_what_a_user_tells_is_said_by_name() -> None:
    asked = SourceMessage(1, "user", None, "Make the slow parser of report pages faster, please.")
    told = SourceMessage(
        2,
        "user",
        "ana",
        "I merged the branch and the nightly build of the parser works again.",
        day="2026-03-01",
    )
    document = summed_up(SummarySource(messages=(asked, replace(told, agent=None))))
    assert (document.progress, document.said) == ((), (f"user (2026-03-01): {told.text}",))


def test_a_talk_between_people_has_speakers_and_dates_and_no_objective() -> None:
    lines = [
        ("mel", "Hey Caro! Good to see you! How have you been?"),
        ("caro", "Wow, thanks! I ran a charity race for mental health last Saturday."),
        ("mel", "That's great! We're going camping in Norway next month, let's talk soon!"),
    ]
    messages = tuple(
        SourceMessage(place, "user", who, text, day=f"2026-03-0{place}")
        for place, (who, text) in enumerate(lines, 1)
    )
    document = summed_up(SummarySource(messages=messages))
    assert document.objective == ""
    assert document.progress == ()
    assert document.said == (
        "caro (2026-03-02): I ran a charity race for mental health last Saturday.",
        "mel (2026-03-03): We're going camping in Norway next month, let's talk soon!",
    )


def test_a_greeting_a_command_or_a_loaded_document_is_no_objective() -> None:
    texts = [
        "<command-name>/review</command-name>",
        "# A skill\n\nCan you delete every branch of the repository?",
        "Hello there, good morning to all of you!",
        "can you sort the branches by date?",
    ]
    messages = tuple(SourceMessage(place, "user", None, text) for place, text in enumerate(texts))
    assert summed_up(SummarySource(messages=messages)).objective == "can you sort the branches by date?"


def test_progress_is_done_in_progress_or_pending() -> None:
    report = SourceMessage(1, "agent", None, "Let me check the log. Fixed the lexer in lex.py.", ("edit",))
    failed = SourceMessage(2, "agent", None, "The build of the parser fails with a TypeError.", ("bash",))
    source = SummarySource(
        messages=(report, failed),
        goals=(("Ship it", "pending"), ("Write the tests", "in-progress")),
        blocked=("Deploy on Monday",),
    )
    document = summed_up(source)
    assert document.progress == (
        "✅ Fixed the lexer in lex.py.",
        "🔄 The build of the parser fails with a TypeError.",
        "🔄 Write the tests",
        "⏳ Deploy on Monday",
    )
    later = summed_up(SummarySource(previous=document, messages=(replace(report, item=3, text="Go on."),)))
    assert later.progress == ("✅ Fixed the lexer in lex.py.",)


def test_of_many_things_done_the_newest_are_told() -> None:
    pages = "daily sales|weekly stock|monthly orders|open returns|late audits|new taxes|old users|lost mails"
    pages += "|broken links|slow queries"
    messages = tuple(
        SourceMessage(place, "agent", None, f"I fixed the {page} page.")
        for place, page in enumerate(pages.split("|"))
    )
    document = summed_up(SummarySource(messages=messages))
    assert document.progress == tuple(f"✅ {message.text}" for message in messages[2:])


def test_what_agents_did_outweighs_what_users_said_first() -> None:
    users = [
        SourceMessage(
            place, "user", None, f"Page {place} of the report failed with an error in build {place}."
        )
        for place in range(10)
    ]
    agents = [
        SourceMessage(10 + place, "agent", None, f"I fixed page {place} of the report, its test passes.")
        for place in range(8)
    ]
    document = summed_up(SummarySource(messages=(*users, *agents)))
    assert document.progress == tuple(f"✅ {message.text}" for message in agents)


def test_an_announcement_is_not_the_objective() -> None:
    text = "I've uploaded a repository. Consider the following issue:\n\nThe parser segfaults on one-element tuples"
    document = summed_up(SummarySource(messages=(SourceMessage(1, "user", None, text),)))
    assert document.objective == "The parser segfaults on one-element tuples"


def test_pending_actions_are_the_next_steps() -> None:
    goals = (("Ship the parser", "in-progress"), ("Write its tests", "pending"))
    document = summed_up(SummarySource(goals=goals, actions=("Measure it",), messages=SAMPLE.messages))
    assert document.next_steps == ("Measure it",)
    assert document.objective == "Ship the parser; Write its tests"


def test_without_actions_the_other_goals_are_the_next_steps() -> None:
    goals = (("Ship the parser", "in-progress"), ("Write its tests", "pending"))
    document = summed_up(SummarySource(goals=goals, messages=SAMPLE.messages))
    assert document.next_steps == ("Write its tests",)


def test_goals_that_were_reached_are_progress_and_outlast_what_was_said() -> None:
    previous = SummaryDocument(progress=tuple(f"Sentence {number} said so." for number in range(30)))
    document = summed_up(SummarySource(previous=previous, goals_completed=("Ship the lexer",)))
    assert "✅ Ship the lexer" in document.progress
    assert "Sentence 29 said so." in document.progress
    assert "Sentence 0 said so." not in document.progress


def test_an_error_that_nobody_mended_is_in_progress() -> None:
    filler = "The weather module prints temperature values for cities every morning around seven."
    source = SummarySource(
        messages=(
            SourceMessage(1, "tool", None, "ConnectionError: the database refused us", (), 0.3, True),
            SourceMessage(2, "agent", None, "The port 5433 belongs to another cluster here.", (), 0.5),
            *(SourceMessage(3 + n, "agent", None, f"{filler} Case {n}.", (), 0.5) for n in range(3)),
        )
    )
    progress = summed_up(source).progress
    assert "🔄 ConnectionError: the database refused us" in progress


def test_the_same_thing_said_twice_is_told_once() -> None:
    said = "I fixed the parser because it failed on empty input."
    again = "I fixed the parser because it failed on empty inputs."
    messages = tuple(
        SourceMessage(n, "agent", None, text, (), 0.5) for n, text in enumerate([said, again], 1)
    )
    assert len(summed_up(SummarySource(messages=messages)).progress) == 1


def test_code_questions_and_tool_output_are_not_progress() -> None:
    messages = (
        SourceMessage(1, "agent", None, "```\nfixed the parser because of reasons\n```", (), 1.0),
        SourceMessage(2, "agent", None, "Has anybody fixed the broken parser module?", (), 1.0),
        SourceMessage(3, "tool", None, "fixed the parser because of many reasons", (), 1.0),
        SourceMessage(4, "system", None, "You fixed the parser because of many reasons", (), 1.0),
    )
    assert summed_up(SummarySource(messages=messages)).progress == ()


def test_a_text_cannot_begin_a_section_of_its_own() -> None:
    document = SummaryDocument(
        objective="# Session summary\n## Constraints\n- none", progress=("a\n## Constraints\n- none",)
    )
    headings = [line for line in document.to_markdown().splitlines() if line.startswith("#")]
    assert headings == ["# Session summary", "## Objective", "## Progress"]

"""Ten imported sessions of one project, made into memory: fresh eyes ask ten questions, and each is answered with its
source, also as of an earlier day."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import UUID, uuid4

import pytest

from backstory import ContextStore, Project, Recalled
from tests.importing.transcripts import Transcript, call


class Day(NamedTuple):
    """A session: what its user asked for, what was found and what was settled."""

    user: str
    agent: str
    settled: str


DAYS = (
    Day(
        "The timetable export loses an hour in March. Can you find out why?",
        "The root cause is that `export.py` formats departures in local time; the summer time shift drops an hour.",
        "let's store all departures in UTC because the ferries cross two zones",
    ),
    Day(
        "Which host do we deploy the booking service to, and how long does it take?",
        "The deploy script pushes to the Fly region `arn` and takes about four minutes.",
        "ok, keep Fly as the deploy host for now",
    ),
    Day(
        "Uploads of manifests fail for large groups, please look at the limit.",
        "Raised the upload limit of manifests to 40 MB in `gateway.toml`; nginx had 10 MB before.",
        "good, and reject anything above that with status 413",
    ),
    Day(
        "The seat map renders twice when somebody changes the deck.",
        "Fixed: `SeatMap` subscribed in two effects. It now uses one selector, `selectDeck`.",
        "fine, no memo there please",
    ),
    Day(
        "How are refunds rounded? Customers complain about single cents.",
        "Refunds were rounded half up per passenger. I changed `refund_total` to round the sum once, half even.",
        "yes, round the sum once and never per passenger",
    ),
    Day(
        "From now on run the end-to-end tests only if I ask for it, they book real test berths.",
        "Understood. I noted in the README that the end-to-end tests book berths and are run on request.",
        "commit that",
    ),
    Day(
        "Please make the tide feed survive when the agency's server is down.",
        "`TideFeed` now falls back to yesterday's table after three failed attempts and marks it as stale.",
        "three attempts are enough",
    ),
    Day(
        "Fly has been unreliable this week. What would a move cost us?",
        "Hetzner costs 41 euros a month for two machines; the deploy script needs a new target.",
        "then we move: the deploy host is Hetzner from today on, Fly is switched off",
    ),
    Day(
        "Search engines index the crew pages. Where is that decided?",
        "The header `X-Robots-Tag: noindex` was missing on `/crew`. I added it in `middleware.ts`.",
        "thanks, staff pages stay out of every index",
    ),
    Day(
        "Why do we keep two queues for notifications?",
        "The queue `sms-out` is separate from `mail-out` since the SMS provider allows only five requests a second.",
        "leave both queues as they are",
    ),
)
QUESTIONS = (
    ("in which time zone are departures stored", 0, "UTC"),
    ("what is the upload limit of a manifest", 2, "40 MB"),
    ("which selector does the seat map use", 3, "selectDeck"),
    ("how are refunds rounded", 4, "sum once"),
    ("may I run the end-to-end tests", 5, "only if I ask"),
    ("what happens when the tide feed's server is down", 6, "stale"),
    ("where do we deploy", 7, "Hetzner"),
    ("why is there a header against search engines on the crew pages", 8, "noindex"),
    ("why are sms and mail in two queues", 9, "five requests a second"),
    ("what was wrong with the export in March", 0, "local time"),
)


@pytest.fixture(scope="module")
def imported(
    module_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Project, tuple[UUID, ...]]]:
    """The project, and its sessions by day. Two of them were in a worktree."""
    folder, name = tmp_path_factory.mktemp("transcripts"), f"ferries-{uuid4()}"
    with ContextStore.open(module_database) as store:
        sessions = []
        for number, day in enumerate(DAYS):
            cwd = f"/home/ana/{name}" + (f"/.worktrees/{number}" if number in (3, 8) else "")
            sessions.append(_import(store, folder, number, day, cwd))
        project = store.project(f"/home/ana/{name}")
        assert len(project.archive()) == len(DAYS)
        yield project, tuple(sessions)


def _import(store: ContextStore, folder: Path, number: int, day: Day, cwd: str) -> UUID:
    transcript = Transcript()
    told = {"cwd": cwd, "timestamp": f"2026-03-{number + 2:02}T09:00:00.000Z"}
    transcript.user(day.user, **told)
    transcript.assistant("I look.", call(f"call_{number}", command=f"grep -rn ferry src/{number}"), **told)
    transcript.result(
        f"call_{number}", text="src/ferry.py: departures, refunds, queues, deploy, tests", **told
    )
    transcript.assistant(day.agent, **told)
    transcript.user(day.settled, **told)
    transcript.assistant("Done. All tests pass.", **told)
    (done,) = store.import_file(transcript.write(folder, f"{number}.jsonl"))
    return done.session


def said(one: Recalled) -> str:
    return "\n".join([one.memory.text or "", *(passage.snippet for passage in one.passages)])


@pytest.mark.parametrize(("question", "day", "answer"), QUESTIONS)
def test_a_question_is_answered_with_its_source(
    imported: tuple[Project, tuple[UUID, ...]], question: str, day: int, answer: str
) -> None:
    project, sessions = imported
    best = project.recall(question, limit=2).found
    (found, *_) = [one for one in best if answer in said(one)] or [best[0]]
    assert answer in said(found)
    assert sessions[day] in {source.session for source in found.memory.sources}
    assert all(source.items for source in found.memory.sources)
    quoted = {passage.session for passage in found.passages}
    assert quoted <= {source.session for source in found.memory.sources}


def test_as_of_an_earlier_day_it_is_what_was_known_then(imported: tuple[Project, tuple[UUID, ...]]) -> None:
    project, sessions = imported
    thursday = datetime(2026, 3, 5, tzinfo=UTC)
    then = project.recall("where do we deploy", as_of=thursday).found
    assert "Fly" in said(then[0])
    assert not any("Hetzner" in said(one) for one in then)
    known = {source.session for one in then for source in one.memory.sources}
    assert known <= set(sessions[:3])

"""Memory on the command line: remembered, recalled also as of a day, superseded, forgotten, erased."""

from uuid import uuid4

import pytest

from backstory.application.store import ContextStore
from tests.cli.conftest import Cli


@pytest.fixture
def project() -> str:
    return f"harbours-{uuid4()}"


def test_what_one_session_remembers_is_recalled_with_its_source(
    cli: Cli, store: ContextStore, project: str
) -> None:
    session = store.start(project=project)
    said = session.message("Staging listens on port 6543.")
    words = ("--session", session.id, "--item", said, "--kind", "knowledge", "--actor", "ana")
    written = cli("memory", "remember", "Staging is on port 6543.", *words, "--json").document
    assert written["project"] == project
    page = cli("memory", "recall", "staging", "port", "--project", project, "--json").document
    (found,) = page["found"]
    assert found["memory"]["id"] == written["memory"]
    assert found["memory"]["sources"] == [{"session": str(session.id), "items": [said]}]
    lines = cli("memory", "recall", "staging", "--project", project).out.splitlines()
    assert lines[0].startswith(f"M{written['memory']} knowledge ana  2")
    assert lines[1] == "    Staging is on port 6543."
    assert lines[2] == f"    from {session.id.hex[-12:]} {said}"
    assert [one["name"] for one in cli("projects", "--json").documents if one["name"] == project] == [project]
    assert project in cli("projects", "list", "--limit", "1000").out


def test_the_last_sessions_project_is_meant(cli: Cli, store: ContextStore, project: str) -> None:
    store.start(project=project)
    assert f"of {project}" in cli("memory", "remember", "The lantern burns.").out
    assert "The lantern burns." in cli("memory", "list").out
    store.start()
    done = cli("memory", "list")
    assert (done.code, "belongs to no project" in done.err) == (4, True)


def test_as_of_a_day_it_answers_what_was_known_then(cli: Cli, project: str) -> None:
    def memory(*words: object) -> int:
        return int(cli("memory", *words, "--project", project, "--json").document["memory"])

    fly = memory("remember", "We deploy to Fly.", "--at", "2026-11-02")
    hetzner = memory("supersede", fly, "We deploy to Hetzner.", "--at", "2026-11-04")

    def known(*words: str) -> list[int]:
        page = cli("memory", "recall", "deploy", "--project", project, "--json", *words).document
        return [one["memory"]["id"] for one in page["found"]]

    assert (known(), known("--as-of", "2026-11-03")) == ([hetzner], [fly])
    listed = cli("memory", "list", "--project", project, "--as-of", "2026-11-03", "--json").document
    assert [one["text"] for one in listed["memories"]] == ["We deploy to Fly."]
    shown = cli("memory", "history", fly, "--project", project).out
    assert f"superseded by M{hetzner}" in shown
    assert memory("forget", hetzner, "--why", "we closed") == hetzner
    assert cli("memory", "list", "--project", project).out == "no memories\n"
    assert "forgotten" in cli("memory", "show", hetzner, "--project", project).out


def test_erasing_shows_what_it_would_do_and_does_it(cli: Cli, project: str) -> None:
    memory = cli("memory", "remember", "A secret.", "--project", project, "--json").document["memory"]
    words = ("memory", "erase", memory, "--project", project, "--why", "asked to")
    assert cli(*words, "--dry-run").out.splitlines()[-1] == "would erase 1 content"
    assert "A secret." in cli("memory", "show", memory, "--project", project).out
    assert cli(*words).out.splitlines()[-1] == "erased 1 content"
    assert "(erased)" in cli("memory", "show", memory, "--project", project).out


def test_a_search_says_that_a_hit_is_a_memory(cli: Cli, project: str) -> None:
    cli("memory", "remember", "The lantern burns.", "--project", project)
    (hit,) = cli("search", "lantern", "--project", project, "--json").document["hits"]
    assert (hit["type"], hit["project"]) == ("memory", project)
    assert f"{project} {hit['item']} memory" in cli("search", "lantern", "--project", project).out


def test_hostile_text_is_escaped(cli: Cli, project: str) -> None:
    cli("memory", "remember", "bold [red]\x1b[31m\x07", "--title", "a\x1b[2J", "--project", project)
    out = cli("memory", "list", "--project", project).out
    assert "\x1b" not in out
    assert "[red]" in out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (
            ("remember", "x", "--session", "last", "--project", "p"),
            2,
            "project: cannot be given with --session",
        ),
        (("remember", "x", "--item", "3", "--project", "p"), 2, "item: needs --session"),
        (("remember", "x", "--kind", "rumour", "--project", "p"), 2, "kind"),
        (("recall", "x", "--as-of", "soon", "--project", "p"), 2, "soon"),
        (("show", "7", "--project", "nowhere"), 3, "has no memory yet"),
    ],
)
def test_what_cannot_be_asked(cli: Cli, words: tuple[str, ...], code: int, said: str) -> None:
    done = cli("memory", *words)
    assert done.code == code
    assert said in done.err


def test_a_session_is_made_into_memory(cli: Cli, store: ContextStore, project: str) -> None:
    session = store.start(project=project, title="The lantern")
    session.message("From now on always light the lantern at dusk.")
    session.message("Let's use Postgres for the lamp plan because it has exclusion constraints.")
    made = cli("memory", "archive", session.id, "--json").document
    assert (made["project"], made["parts"], len(made["fragments"])) == (project, 1, 1)
    told = cli("memory", "archive", "--project", project).out
    assert "nothing is left" in told
    (waiting,) = made["candidates"]
    listed = cli("memory", "list", "--candidates", "--project", project).out
    assert f"M{waiting} decision" in listed
    assert "candidate" in listed
    assert f"confirmed M{waiting}" in cli("memory", "confirm", waiting, "--project", project).out
    again = cli("memory", "dismiss", waiting, "--project", project)
    assert (again.code, "does not wait" in again.err) == (4, True)
    assert cli("memory", "list", "--candidates", "--project", project).out.strip() == "no memories"


def test_all_sessions_of_a_project_are(cli: Cli, store: ContextStore, project: str) -> None:
    for text in ("The lantern burns oil.", "The horn is broken."):
        store.start(project=project).message(text)
    told = cli("memory", "archive", "--project", project).out.splitlines()
    assert [": 1 fragment for" in line for line in told] == [True, True]


def test_the_policy_is_shown_and_changed(cli: Cli, project: str) -> None:
    assert "archive_every = 100" in cli("memory", "policy", "--project", project).out
    changed = cli(
        "memory", "policy", "--project", project, "--set", "archive_every=50", "--name", "often", "--json"
    )
    assert (changed.document["name"], changed.document["settings"]["archive_every"]) == ("often", 50)
    assert "archive_every = 50" in cli("memory", "policy", "--project", project).out
    for bad in ("archive_every=0", "archive_every", "colour=1", "automatic=maybe"):
        assert cli("memory", "policy", "--project", project, "--set", bad).code == 2
    assert "archive_every = 50" in cli("memory", "policy", "--project", project).out

"""The project of an import: the git remote, the folder with the repository, or the folder."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from backstory.application.transcripts.projects import project_of, without_credentials
from backstory.domain.errors import InvalidInput
from tests.importing.transcripts import Transcript


def git(folder: Path, *words: str) -> None:
    identity = ("-c", "user.name=Ana", "-c", "user.email=ana@example.com")
    subprocess.run(["git", "-C", str(folder), *identity, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "orders"
    (folder / "src").mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    return folder


@pytest.mark.parametrize(
    ("remote", "project"),
    [
        ("https://ana:secret@Example.com/acme/orders.git", "example.com/acme/orders"),
        ("https://example.com:8443/acme/orders/", "example.com/acme/orders"),
        ("git@example.com:acme/orders.git", "example.com/acme/orders"),
        ("ssh://git@example.com:22/acme/orders", "example.com/acme/orders"),
        ("/srv/git/orders.git", "/srv/git/orders"),
    ],
)
def test_every_way_to_a_remote_is_one_project(remote: str, project: str) -> None:
    assert without_credentials(remote) == project


def test_a_clone_is_its_remote_and_a_worktree_its_repository(repository: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    git(repository, "worktree", "add", "-q", str(elsewhere))
    assert project_of(str(repository / "src")) == str(repository)
    assert project_of(str(elsewhere)) == str(repository)
    git(repository, "remote", "add", "origin", "https://token@example.com/acme/orders")
    project_of.cache_clear()
    assert project_of(str(repository / "src")) == "example.com/acme/orders"
    assert project_of(str(elsewhere)) == "example.com/acme/orders"
    assert project_of(str(repository), here=False) == str(repository)


def test_somebodys_home_is_no_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    project_of.cache_clear()
    assert project_of(str(tmp_path)) is None
    assert project_of("") is None


def test_a_project_that_is_given_wins(taken_in: Any) -> None:
    transcript = Transcript()
    transcript.user("Hello.")
    session, _ = taken_in(transcript, project="shop")
    assert session.state.labels["project"] == "shop"


def test_a_name_that_is_none_is_refused(taken_in: Any) -> None:
    transcript = Transcript()
    transcript.user("Hello.")
    with pytest.raises(InvalidInput, match="project"):
        taken_in(transcript, project="")

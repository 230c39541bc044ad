"""A worker unloads what was not accessed lately, and reads files only where the operator lets it."""

from pathlib import Path

import pytest

from backstory import AccessDenied, ArtifactPolicy, ContextStore, Project, Worker
from backstory.domain.access import OWNER


def test_stale_artifacts_leave_all_sessions(store: ContextStore, project: Project) -> None:
    project.artifacts.choose(ArtifactPolicy(stale_minutes=0))
    project.artifacts.register("MODULE-002", load_layer=1)
    session = store.start(project=project.name)
    session.artifacts.load("IDEA-001")
    (run,) = Worker(store, only=["artifacts"]).run_once()
    assert run.outcome == "done"
    assert [one.artifact for one in session.artifacts.list()] == ["MODULE-002"]


class TestRoots:
    def test_on_behalf_of_somebody_none_is_read(self, store: ContextStore, project: Project) -> None:
        session = store.on_behalf_of(OWNER).start(project=project.name)
        with pytest.raises(AccessDenied, match="BACKSTORY_ALLOWED_ROOTS"):
            session.artifacts.load("IDEA-001")

    def test_what_was_loaded_before_can_be_loaded_all_the_same(
        self, store: ContextStore, project: Project
    ) -> None:
        store.start(project=project.name).artifacts.load("IDEA-001")
        session = store.on_behalf_of(OWNER).start(project=project.name)
        assert session.artifacts.load("IDEA-001").source == "cache"

    def test_those_that_the_operator_listed_are_read(
        self, store: ContextStore, project: Project, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BACKSTORY_ALLOWED_ROOTS", f"/nowhere, {root.parent}")
        session = store.on_behalf_of(OWNER).start(project=project.name)
        assert session.artifacts.load("IDEA-001").source == "disk"

    @pytest.mark.parametrize("folder", ["/", "/etc", "/no/such/folder"])
    def test_another_folder_is_refused_whether_it_is_there_or_not(
        self, store: ContextStore, project: Project, folder: str
    ) -> None:
        with pytest.raises(AccessDenied, match="is in no folder that the operator has listed"):
            store.on_behalf_of(OWNER).project(project.name).artifacts.configure(folder)

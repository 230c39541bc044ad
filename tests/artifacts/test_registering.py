"""Artifacts are registered by hand, from files, and from the project's configuration."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backstory import ArtifactPolicy, ContextStore, InvalidInput, Project
from tests.artifacts.conftest import Write

Configured = Callable[[dict[str, Any]], Project]


class TestByHand:
    def test_what_is_not_given_stays(self, project: Project) -> None:
        project.artifacts.register("IDEA-001", clarity=90, summary="Plan, ask, execute")
        project.artifacts.register("IDEA-001", name="The tool")
        found = project.artifacts.get("IDEA-001")
        assert (found.name, found.clarity, found.summary) == ("The tool", 90, "Plan, ask, execute")
        assert found.path == "ideas/IDEA-001/current.md"

    def test_its_type_says_its_layer_of_the_project(self, project: Project) -> None:
        project.artifacts.register("DOMAIN-001", type="domain", name="Orders")
        assert project.artifacts.get("DOMAIN-001").project_layer == 2

    @pytest.mark.parametrize("path", ["/etc/passwd", "../secret.md", "a/../../b", "a\\b"])
    def test_a_path_out_of_the_root_is_refused(self, project: Project, path: str) -> None:
        before = project.version
        with pytest.raises(InvalidInput, match="path"):
            project.artifacts.register("X-1", type="idea", path=path)
        assert project.version == before

    def test_a_new_one_needs_a_type(self, project: Project) -> None:
        with pytest.raises(InvalidInput, match="type"):
            project.artifacts.register("X-1")

    def test_it_can_be_taken_off_the_list(self, project: Project) -> None:
        project.artifacts.remove("MODULE-002", "not needed")
        assert [one.id for one in project.artifacts.list()] == ["IDEA-001", "MODULE-001"]


class TestScanning:
    def test_ids_types_and_names_are_found(self, project: Project) -> None:
        found = project.artifacts.get("IDEA-001")
        assert (found.type, found.name, found.project_layer) == ("idea", "AI tool", 0)
        assert found.size == 39

    def test_a_second_scan_registers_what_has_changed(self, project: Project, write: Write) -> None:
        write("modules/MODULE-002/current.md", "# Elsewhere\n\nOtherwise.")
        done = project.artifacts.scan(["**/current.md"])
        assert (done.registered, done.unchanged) == (("MODULE-002",), 2)

    def test_links_stay(self, project: Project, write: Write) -> None:
        write("modules/MODULE-001/current.md", "# Constitution\n\nMore rules.")
        project.artifacts.scan(["**/current.md"])
        assert project.artifacts.get("MODULE-001").parent == "IDEA-001"

    def test_what_is_no_artifact_is_skipped_with_the_reason(
        self, project: Project, root: Path, write: Write
    ) -> None:
        write("x/.env", "A=1")
        write("x/empty.md", "")
        (root / "x/picture.md").write_bytes(b"\0\1")
        (root / "x/out.md").symlink_to("/etc/hostname")
        write("x/IDEA-001.md", "twice")
        done = project.artifacts.scan(["x/*"])
        assert {one.name: one.why.split("' ", 1)[-1] for one in done.skipped} == {
            "x/.env": "is a file for secrets, by its name.",
            "x/IDEA-001.md": "another file is IDEA-001",
            "x/empty.md": "is empty.",
            "x/out.md": "leads out of the project's root.",
            "x/picture.md": "is binary.",
        }
        assert done.registered == ()

    @pytest.mark.parametrize("pattern", ["/etc/*", "../*", ""])
    def test_a_pattern_out_of_the_root_is_refused(self, project: Project, pattern: str) -> None:
        with pytest.raises(InvalidInput, match="patterns"):
            project.artifacts.scan([pattern])


class TestConfiguration:
    def test_it_is_an_artifact_itself_and_always_loaded(
        self, store: ContextStore, configured: Configured
    ) -> None:
        project = configured(
            {"project": {"current_idea": "IDEA-001", "id": "PROJ-1", "status": "In Progress"}}
        )
        session = store.start(project=project.name)
        (loaded,) = session.artifacts.list()
        assert (loaded.artifact, loaded.type, loaded.load_layer) == ("forgemind-config", "config", 1)
        assert session.state.project is not None
        assert session.state.project.current_idea == "IDEA-001"

    def test_it_is_read_again_when_a_session_starts(
        self, store: ContextStore, configured: Configured, write: Write
    ) -> None:
        project = configured({})
        idea = {"id": "IDEA-001", "type": "idea", "name": "AI tool", "clarity": 70}
        write(".forgemind/config.json", json.dumps({"artifacts": [idea]}))
        store.start(project=project.name)
        assert project.artifacts.get("IDEA-001").clarity == 70

    def test_what_it_says_already_is_not_recorded_again(self, configured: Configured) -> None:
        project = configured(
            {"artifacts": [{"id": "IDEA-001", "type": "idea"}], "preload": {"5": ["templates"]}}
        )
        before = project.version
        project.artifacts.configure()
        assert project.version == before

    def test_one_that_cannot_be_read_does_not_keep_a_session_from_starting(
        self, store: ContextStore, configured: Configured, write: Write
    ) -> None:
        project = configured({})
        write(".forgemind/config.json", "{")
        assert store.start(project=project.name).version >= 1

    @pytest.mark.parametrize(
        ("config", "field"),
        [
            ({"artifacts": [{"id": "a b", "type": "idea"}]}, "config.json.artifacts.0.id"),
            ({"artifacts": [{"id": "A"}]}, "config.json.artifacts.0.type"),
            ({"artifacts": [{"id": "A", "type": "x"}] * 2}, "config.json.artifacts"),
            ({"preload": {"9": []}}, "config.json.preload"),
            ({"preload": {"1": ["everything"]}}, "config.json.preload"),
            ({"colour": "red"}, "config.json.colour"),
            ({"share": 2}, "config.json.share"),
            ({"artifacts": [{"id": "A", "type": "x"}], "scan": ["/etc/*"]}, "config.json.scan"),
            ({"refresh_triggers": [{"name": "x"}]}, "refresh_triggers.0.condition"),
        ],
    )
    def test_a_wrong_field_is_named_and_changes_nothing(
        self, project: Project, write: Write, config: dict[str, Any], field: str
    ) -> None:
        before = project.version
        write(".forgemind/config.json", json.dumps(config))
        with pytest.raises(InvalidInput) as refused:
            project.artifacts.configure()
        assert refused.value.field == field
        assert project.version == before

    @pytest.mark.parametrize("folder", ["", " ", "/no/such/folder", 5, "\0"])
    def test_a_folder_that_is_none_is_refused(self, project: Project, folder: Any) -> None:
        with pytest.raises(InvalidInput, match="root"):
            project.artifacts.configure(folder)

    def test_the_policy_can_be_chosen_and_keeps_the_folder(self, project: Project, root: Path) -> None:
        project.artifacts.choose(ArtifactPolicy(stale_minutes=5, preload={1: ["current_idea"]}))
        assert project.artifacts.policy.stale_minutes == 5
        assert project.artifacts.policy.preload[1] == ("current_idea",)
        assert project.artifacts.root == str(root)

"""What a person changes in a memory file is recorded, in the person's name."""

import os
import pwd
from typing import Any

import pytest

from backstory import AsyncContextStore, ContextStore, InvalidInput, Project, Source
from backstory.application.files import memory_folder
from tests.memory_files.editing import KNOWLEDGE, PREFERENCES, Files


def test_an_added_entry_is_remembered(files: Files) -> None:
    files.sync()
    files.below("Working hours", "- 9 to 5, Berlin time", PREFERENCES)
    files.below("Domain glossary", "- **JWT**: a signed token\n  of three parts")
    assert files.sync().edits == 2
    by_kind = {memory.kind: memory for memory in files.project.memories().memories}
    preference, knowledge = by_kind["preference"], by_kind["knowledge"]
    assert (preference.text, preference.details) == ("9 to 5, Berlin time", {"section": "Working hours"})
    assert (knowledge.title, knowledge.text) == ("JWT", "a signed token\nof three parts")
    assert (knowledge.by, knowledge.origin, knowledge.trust) == ("ana", "user", "trusted")
    assert f"- **JWT**: a signed token <!-- M{knowledge.id} -->\n  of three parts\n" in files.read()
    assert (files.sync().edits, files.sync().written) == (0, ())


def test_a_changed_entry_supersedes(files: Files, project: Project) -> None:
    old = project.by("planner").remember(
        "Orders have at most 9 lines.",
        kind="knowledge",
        entities=["orders"],
        details={"section": "Business rules", "seen": 3},
    )
    files.sync()
    files.replace("at most 9 lines", "at most 12 lines")
    files.sync()
    (new,) = project.memories().memories
    assert (new.text, new.entities, new.by) == ("Orders have at most 12 lines.", ("orders",), "ana")
    assert new.details == {"section": "Business rules", "seen": 3}
    assert new.sources == (Source(session=project.id, items=(old,)),)
    assert project.memory(old).superseded_by == new.id


def test_a_removed_entry_is_forgotten(files: Files, project: Project) -> None:
    gone = project.remember("Orders have at most 9 lines.", kind="knowledge")
    kept = project.remember("Orders have a number.", kind="knowledge")
    files.sync()
    files.replace(f"- Orders have at most 9 lines. <!-- M{gone} -->\n", "")
    assert files.sync().edits == 1
    assert [memory.id for memory in project.memories().memories] == [kept]
    assert project.memory(gone).text == "Orders have at most 9 lines."
    forgotten = [*project.events(types=["memory.forgotten"])][-1]
    assert forgotten.actor == "ana"


def test_an_entry_moved_to_another_section_is_of_its_kind(files: Files, project: Project) -> None:
    session = files.store.start(project=project.name)
    session.by("planner").message("hi")
    project.by("planner").remember("Ask before renaming.", kind="lesson")
    files.store.sync(files.directory, [session.id])
    notes = files.read("planner-notes.md")
    line = next(line for line in notes.splitlines() if "Ask before renaming" in line)
    moved_to = f"## Key decisions log\n\n{line}\n"
    notes = notes.replace(line + "\n", "").replace("## Key decisions log\n", moved_to)
    files.write(notes, "planner-notes.md")
    files.sync()
    (moved,) = project.memories().memories
    assert (moved.kind, moved.text, moved.by) == ("decision", "Ask before renaming.", "ana")
    log = files.read("planner-notes.md").partition("## Key decisions log")[2].partition("##")[0]
    assert "Ask before renaming." in log


def test_what_a_person_adds_to_notes_stays_in_them(files: Files, project: Project) -> None:
    project.by("planner").remember("Ask before renaming.", kind="lesson")
    files.sync()
    files.below("Lessons learned", "- Run the tests first.", "planner-notes.md")
    files.below("Open questions", "- Which port?", "planner-notes.md")
    files.sync()
    notes = files.read("planner-notes.md")
    assert "Run the tests first." in notes.partition("## Lessons learned")[2]
    assert "Which port?" in notes.partition("## Open questions")[2].partition("##")[0]
    assert not (files.folder / "ana-notes.md").exists()


def test_a_line_of_a_session_comes_back_beside_what_became_of_it(files: Files, project: Project) -> None:
    session = files.store.start(project=project.name)
    session.work.add_constraint("Tokens live one hour")
    files.store.sync(files.directory, [session.id])
    files.replace("Tokens live one hour", "Tokens live two hours")
    files.sync()
    assert files.texts() == ["Tokens live two hours"]
    assert "- Tokens live one hour\n" in files.read()


def test_a_page_that_people_began_is_taken_in(files: Files) -> None:
    files.folder.mkdir(parents=True)
    files.write("# Ours\n\n## Working hours\n- 9 to 5\n", PREFERENCES)
    assert files.sync().edits == 1
    assert "- 9 to 5 <!-- M2 -->" in files.read(PREFERENCES)


def test_a_page_that_was_deleted_is_written_again(files: Files, project: Project) -> None:
    project.remember("Orders have a number.", kind="knowledge")
    files.sync()
    (files.folder / KNOWLEDGE).unlink()
    assert files.sync().edits == 0
    assert "Orders have a number." in files.read()


def test_the_editor_is_the_owner_of_the_file_unless_told(files: Files) -> None:
    files.sync()
    files.below("Known issues", "- It is slow.")
    files.sync(by=None)
    assert files.project.memories().memories[0].by == pwd.getpwuid(os.getuid()).pw_name


def test_private_memories_are_for_their_agent(files: Files, project: Project) -> None:
    secret = project.remember("planner's own", kind="knowledge", agent="planner")
    files.sync()
    assert "planner's own" not in files.read()
    files.sync(agent="planner")
    files.replace("planner's own", "planner's very own")
    files.sync(agent="planner")
    assert project.memory(secret, agent="planner").left_at is not None
    (kept,) = project.memories(agent="planner").memories
    assert (kept.agent, kept.text) == ("planner", "planner's very own")
    files.sync()
    assert "very own" not in files.read()


class TestConflicts:
    def test_both_versions_are_shown(self, files: Files, project: Project) -> None:
        old = project.remember("We deploy to Fly.", kind="knowledge")
        files.sync()
        agents = project.by("planner").supersede(old, "We deploy to Hetzner.")
        files.replace("to Fly.", "to Render.")
        (conflict,) = files.sync().conflicts
        persons = conflict.recorded
        assert conflict.memory == old
        assert conflict.what == f"M{agents} took its place meanwhile; the edit was recorded as M{persons}"
        assert files.texts() == ["We deploy to Hetzner.", "We deploy to Render."]
        text = files.read()
        assert f"- We deploy to Hetzner. <!-- M{agents} -->" in text.partition("## Conflicts")[0]
        assert f"- We deploy to Render. <!-- M{persons} -->" in text.partition("## Conflicts")[2]
        assert files.sync().conflicts == ()
        # Whoever removes one of them settles it.
        files.replace(f"- We deploy to Hetzner. <!-- M{agents} -->\n", "")
        files.sync()
        assert files.texts() == ["We deploy to Render."]
        assert "## Conflicts" not in files.read()

    def test_an_edit_of_what_was_forgotten_is_kept(self, files: Files, project: Project) -> None:
        old = project.remember("We deploy to Fly.", kind="knowledge")
        files.sync()
        project.by("planner").forget(old)
        files.replace("to Fly.", "to Render.")
        (conflict,) = files.sync().conflicts
        assert "was forgotten meanwhile" in conflict.what
        assert files.texts() == ["We deploy to Render."]

    def test_what_was_changed_meanwhile_is_not_forgotten(self, files: Files, project: Project) -> None:
        old = project.remember("We deploy to Fly.", kind="knowledge")
        files.sync()
        project.by("planner").supersede(old, "We deploy to Hetzner.")
        files.replace(f"- We deploy to Fly. <!-- M{old} -->\n", "")
        (conflict,) = files.sync().conflicts
        assert "and stays" in conflict.what
        assert files.texts() == ["We deploy to Hetzner."]

    def test_an_edit_of_erased_words_does_not_bring_them_back(self, files: Files, project: Project) -> None:
        old = project.remember("Ana lives in Lisbon.", kind="knowledge")
        files.sync()
        files.replace("Lisbon.", "Lisbon, at 4 Rua do Sol.")
        project.erase(old, "asked to")
        (conflict,) = files.sync().conflicts
        assert "was erased meanwhile" in conflict.what
        assert "Lisbon" not in files.read()
        assert [memory.text for memory in project.memories(past=True).memories] == [None]


class TestCrashes:
    """A sync dies after the edits were recorded and before the files were written."""

    @pytest.mark.parametrize("when", [0, 1])
    def test_nothing_is_lost_and_nothing_recorded_twice(
        self, files: Files, project: Project, monkeypatch: pytest.MonkeyPatch, when: int
    ) -> None:
        project.remember("We deploy to Fly.", kind="knowledge")
        gone = project.remember("a mistake", kind="knowledge")
        files.sync()
        files.replace("to Fly.", "to Render.")
        files.replace(f"- a mistake <!-- M{gone} -->", "- Orders have a number.")
        files.below("Working hours", "- 9 to 5", PREFERENCES)
        whole, calls = memory_folder.MemoryFolder._swap, 0

        def cut(*given: Any) -> None:
            nonlocal calls
            if calls == when:
                raise KeyboardInterrupt
            calls += 1
            whole(*given)

        with monkeypatch.context() as patched:
            patched.setattr(memory_folder.MemoryFolder, "_swap", cut)
            with pytest.raises(KeyboardInterrupt):
                files.sync()
        version = project.version
        assert files.sync().conflicts == ()
        assert project.version == version
        assert sorted(map(str, files.texts())) == ["9 to 5", "Orders have a number.", "We deploy to Render."]

    def test_a_file_that_was_displaced_is_looked_at(
        self, files: Files, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Somebody saved while the page was written, and the sync died right then."""
        project.remember("We deploy to Fly.", kind="knowledge")
        files.sync()
        old = files.read()
        project.remember("Orders have a number.", kind="knowledge")
        tree = memory_folder.FileTree
        swap = tree.swap

        def save_and_die(self: Any, name: str, data: bytes) -> None:
            files.write(old.replace("to Fly.", "to Render."))
            swap(self, name, data)
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(tree, "swap", save_and_die)
            with pytest.raises(KeyboardInterrupt):
                files.sync()
        assert "Render" not in files.read()
        assert files.sync().edits == 1
        assert files.texts() == ["Orders have a number.", "We deploy to Render."]
        assert not [path for path in files.folder.iterdir() if path.name.startswith(".")]


class TestWhatCannotBeRead:
    def test_it_is_named_and_nothing_changes(self, files: Files, project: Project) -> None:
        project.remember("We deploy to Fly.", kind="knowledge")
        files.sync()
        files.below("Working hours", "- 9 to 5", PREFERENCES)
        files.replace("## Known issues\n", "## Known issues\n\nIt is slow.\n")
        version, text = project.version, files.read()
        line = text.splitlines().index("It is slow.") + 1
        with pytest.raises(
            InvalidInput, match=rf"memory/{project.name}/{KNOWLEDGE}, line {line}: must begin with `- `"
        ):
            files.sync()
        assert (project.version, files.read()) == (version, text)

    def test_a_copy_of_a_page_is_left_alone(self, files: Files) -> None:
        files.sync()
        files.write(files.read() + "anything", "copy.md")
        (files.folder / "other.md").write_text(files.read())
        assert files.sync().written == ()

    def test_a_page_of_another_project(self, files: Files, store: ContextStore) -> None:
        files.sync()
        other = Files(store, store.project(files.project.name + "x"), files.directory)
        other.sync()
        other.write(files.read())
        with pytest.raises(InvalidInput, match="is a page of project"):
            other.sync()


async def test_asyncio_has_the_same(url: str, files: Files) -> None:
    async with await AsyncContextStore.open(url) as store:
        name = files.project.name
        await store.sync(files.directory, [], projects=[name])
        files.below("Working hours", "- 9 to 5", PREFERENCES)
        done = await store.sync(files.directory, [], projects=[name], by="ana")
        assert done.edits == 1
        assert [one.text for one in (await store.project(name).memories()).memories] == ["9 to 5"]

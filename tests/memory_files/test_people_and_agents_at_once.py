"""People edit the files, agents write to the memory, and syncs come between and die: nothing of either is lost, and no
edit is recorded twice."""

import os
import threading
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, strategies as st

from backstory import ContextStore
from backstory.application.files.memory_folder import MemoryFolder
from backstory.domain.memory_pages.page import page_in
from tests.memory_files.editing import KNOWLEDGE, Files
from tests.properties import examples, usually

STEPS = (
    *("agent adds", "agent changes", "agent forgets"),
    *("opens", "edits", "edits", "adds", "adds", "saves", "saves in place"),
    *("sync", "sync", "sync dies", "sync meets a save"),
)


class World:
    """A file, a person with a copy of it in an editor, and an agent."""

    def __init__(self, files: Files) -> None:
        self.files = files
        self.agent = files.project.by("planner")
        self.number = count()
        self.agents: set[str] = set()
        self.persons: set[str] = set()
        """What the person has saved."""
        self.agent.remember("the first", kind="knowledge")
        files.sync()
        self.copy = files.read()
        self.unsaved: set[str] = set()

    def word(self, who: str) -> str:
        return f"{who} {next(self.number)} {uuid4().hex[:6]}"

    def step(self, what: str, number: int) -> None:
        if what.startswith("agent"):
            self.agent_step(what, number)
        elif what == "opens":
            self.copy, self.unsaved = self.files.read(), set()
        elif what in ("edits", "adds"):
            self.edit(what, number)
        elif what.startswith("saves"):
            self.save(in_place=what == "saves in place")
        elif what == "sync":
            self.files.sync()
        elif what == "sync dies":
            self.sync_dies(number % 3)
        else:
            self.sync_meets_a_save()

    def agent_step(self, what: str, number: int) -> None:
        holding = [memory.id for memory in self.files.project.memories().memories]
        if what == "agent adds" or not holding:
            self.agents.add(word := self.word("agent"))
            self.agent.remember(word, kind="knowledge")
        elif what == "agent changes":
            self.agents.add(word := self.word("agent"))
            self.agent.supersede(holding[number % len(holding)], word)
        else:
            self.agent.forget(holding[number % len(holding)])

    def edit(self, what: str, number: int) -> None:
        lines = self.copy.split("\n")
        entries = [place for place, line in enumerate(lines) if line.startswith("- ") and "<!-- M" in line]
        word = self.word("person")
        self.unsaved.add(word)
        if what == "adds" or not entries:
            lines.insert(lines.index("## Known issues") + 1, f"- {word}")
        else:
            place = entries[number % len(entries)]
            before, mark, after = lines[place].partition(" <!-- M")
            # What the person wrote in this line before was never saved, or is in the record.
            self.unsaved.discard(before.removeprefix("- "))
            lines[place] = f"- {word}{mark}{after}"
        self.copy = "\n".join(lines)

    def save(self, *, in_place: bool) -> None:
        path = self.files.folder / KNOWLEDGE
        # An editor warns of a file that changed: the person looks at what was saved last, and syncs it first.
        if self.persons - set(self.recorded()):
            self.files.sync()
        if in_place:
            path.write_text(self.copy)
        else:
            path.with_name("saved").write_text(self.copy)
            os.replace(path.with_name("saved"), path)
        self.persons |= self.unsaved
        self.unsaved = set()

    def sync_dies(self, after: int) -> None:
        whole, calls = MemoryFolder._swap, count()

        def cut(*given: Any) -> None:
            if next(calls) == after:
                raise KeyboardInterrupt
            whole(*given)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(MemoryFolder, "_swap", cut)
            with suppress(KeyboardInterrupt):
                self.files.sync()

    def sync_meets_a_save(self) -> None:
        """The person saves after the file was read and before it is written."""
        whole, calls = MemoryFolder._swap, count()

        def met(folder: MemoryFolder, file: str, data: bytes) -> None:
            if file == KNOWLEDGE and not next(calls):
                (self.files.folder / KNOWLEDGE).write_text(self.copy)
                self.persons.update(self.unsaved)
                self.unsaved = set()
            whole(folder, file, data)

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(MemoryFolder, "_swap", met)
            self.files.sync()

    def recorded(self) -> list[str]:
        return [str(memory.text) for memory in self.files.project.memories(past=True).memories]

    def check(self) -> None:
        self.files.sync()
        recorded = self.recorded()
        for word in self.persons | self.agents:
            assert recorded.count(word) == 1, word
        shown = {entry.memory for entry in page_in(self.files.read().encode()).entries}
        assert {memory.id for memory in self.files.project.memories().memories} <= shown
        assert (self.files.sync().edits, self.files.sync().written) == (0, ())
        assert not [path for path in self.files.folder.iterdir() if path.name.startswith(".")]


@examples(12)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 5)), min_size=5, max_size=25))
def test_in_any_order(
    store: ContextStore, tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    project = store.project(f"shop-{uuid4().hex[:8]}")
    world = World(Files(store, project, tmp_path_factory.mktemp("synced")))
    for what, number in steps:
        world.step(what, number)
    world.check()


@pytest.mark.parametrize("in_place", [True, False])
def test_at_the_same_time(files: Files, in_place: bool) -> None:
    """A sync runs over and over while a person saves and an agent writes."""
    files.sync()
    over = threading.Event()
    failed: list[BaseException] = []
    path = files.folder / KNOWLEDGE

    def keep_syncing() -> None:
        try:
            while not over.is_set():
                files.sync()
        except BaseException as error:
            failed.append(error)

    def write() -> None:
        for number in range(usually(8, 100)):
            files.project.by("planner").remember(f"agent {number}", kind="knowledge")

    threads = [threading.Thread(target=keep_syncing), threading.Thread(target=write)]
    for thread in threads:
        thread.start()
    for number in range(usually(8, 100)):
        while f"person {number}" not in (text := path.read_text()):
            changed = text.replace("## Known issues\n", f"## Known issues\n- person {number}\n", 1)
            save(path, changed, in_place)
            # The editor is not closed before the entry was seen to stand in the file.
            while f"person {number} <!-- M" not in path.read_text() and not failed:
                pass
            if failed:
                break
    over.set()
    for thread in threads:
        thread.join()
    assert failed == []
    files.sync()
    wanted = [f"{who} {number}" for who in ("agent", "person") for number in range(usually(8, 100))]
    assert sorted(map(str, files.texts())) == sorted(wanted)


def save(path: Path, text: str, in_place: bool) -> None:
    if in_place:
        path.write_text(text)
    else:
        beside = path.with_name(f"saved-{uuid4().hex}")
        beside.write_text(text)
        os.replace(beside, path)

"""Whatever was made of an item, erasing it leaves nothing of its words in a memory, a summary, the index or a file."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from hypothesis import given, strategies as st

from backstory import ContextStore, Project, Refused, Session
from tests.properties import examples

STEPS = (
    "say",
    "say",
    "decide",
    "set a goal",
    "ask",
    "constrain",
    "save",
    "remember",
    "remember of memory",
    "archive",
    "sum up",
    "compact",
    "context",
    "search",
    "sync",
    "fork",
    "erase",
    "erase",
)
SAYINGS = (
    "From now on always call {} before the ferry docks.",
    "FYI the harbour master is {} of quay four.",
    "Let's use {} for the berth plan because it is cheap.",
    "Lesson learned: {} forgets the tide tables.",
)


@pytest.fixture(scope="module")
def url(module_database: str) -> str:
    return module_database


@pytest.fixture(scope="module")
def store(url: str) -> Iterator[ContextStore]:
    with ContextStore.open(url) as store:
        yield store


class Harbour:
    """A project with its sessions, and a word of its own in each item."""

    def __init__(self, store: ContextStore, folder: Path) -> None:
        self.store = store
        self.folder = folder
        self.session: Session = store.start(project=f"harbour-{uuid4()}")
        self.project: Project = self.session.memory.project
        self.words: dict[int, str] = {}
        """By item of the session, its word."""

    def step(self, what: str, number: int) -> None:
        item = [*self.words][number % len(self.words)] if self.words else None
        word = "zq" + uuid4().hex.translate(str.maketrans("0123456789", "ghijklmnop"))[:12]
        if what == "say":
            self.words[self._say(SAYINGS[number % len(SAYINGS)].format(word), number)] = word
        elif what == "decide":
            self.words[self.session.decide(f"Berth 4 is for {word}", rationale=f"{word} pays")] = word
        elif what == "set a goal":
            self.words[self.session.work.set_goal(f"Move {word} to berth 4")] = word
        elif what == "ask":
            self.words[self.session.work.ask(f"Does {word} pay?")] = word
        elif what == "constrain":
            self.words[self.session.work.add_constraint(f"{word} never docks at night")] = word
        elif what == "save":
            self.words[self.session.items.save("lesson", f"{word} is late on Mondays.")] = word
        elif what == "archive":
            self.session.memory.archive()
        elif what == "sum up":
            self.session.summarize()
        elif what == "context":
            self.session.context(4_000)
        elif what == "search":
            self.store.search("berth ferry harbour tide", project=self.project.name)
            self.project.recall("berth ferry harbour tide")
        elif what == "sync":
            self.store.sync(self.folder, [self.session.id])
        elif what == "fork":
            self.session.fork().memory.archive()
        elif item is not None:
            self._of(what, item)

    def _say(self, text: str, number: int) -> int:
        return self.session.message(text, role="agent" if number % 4 == 3 else "user")

    def _of(self, what: str, item: int) -> None:
        word = self.words[item]
        if what == "remember":
            self.session.memory.remember(f"{word} matters.", title=word, entities=[word], items=[item])
        elif what == "remember of memory":
            held = [one for one in self.project.memories().memories if word in (one.text or "")]
            for one in held[:1]:
                source = {"session": self.project.id, "items": (one.id,)}
                self.project.remember(f"Again {word}.", sources=[source])  # type: ignore[list-item]
        elif what == "compact":
            self.session.window.compacted(f"They spoke of {word}.", summarized=[item], algorithm="by hand")
        elif what == "erase":
            self.session.erase(item, "asked to")
            del self.words[item]
            self.project.recall("berth ferry harbour tide")
            self.check(word)

    def check(self, word: str) -> None:
        """Looks for a word in every row of the database, as text and as bytes, and in every file."""
        with psycopg.connect(self.store.url) as connection:
            tables = connection.execute(
                "select relname from pg_class where relnamespace = 'backstory'::regnamespace and relkind = 'r'"
            ).fetchall()
            for (table,) in tables:
                found = connection.execute(
                    f"select count(*) from backstory.{table} t where t::text like any (%s)",  # type: ignore[arg-type]
                    ([f"%{word}%", f"%{word.encode().hex()}%"],),
                ).fetchone()
                assert found == (0,), table
        for path in self.folder.rglob("*"):
            if path.is_file():
                assert word.encode() not in path.read_bytes(), path


@examples(6)
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 9)), min_size=6, max_size=16))
def test_in_any_order(
    store: ContextStore,
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[tuple[str, int]],
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("synced")
        patch.setenv("BACKSTORY_SYNC_DIR", str(folder))
        harbour = Harbour(store, folder)
        for what, number in [("say", 0), *steps, ("archive", 0), ("erase", 0)]:
            with suppress(Refused):
                harbour.step(what, number)
        harbour.session.verify().require()

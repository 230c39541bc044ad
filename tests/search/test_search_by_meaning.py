"""With a model, what means the same as the query comes first. Without one, or where it does not answer, words
decide."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from backstory import ContextStore, InvalidInput, ProjectionFailed, ProjectionRunner, Session
from backstory.application.feed.embeddings import EmbeddingsProjection
from backstory.application.search.search import find_items
from backstory.domain.search.ranking import BY_MEANING, BY_WORDS
from backstory.infrastructure.llm.embeddings import FolderEmbedder
from tests.search.tiny_model import ABOUT, THINGS, write_model
from tests.summaries.scripted_endpoint import Handler, drops, endpoint, sends

TEXTS = ("A parcel of tea came.", "A parcel by boat came.", "A parcel by automobile came.")
QUERY = "parcel in the vehicle"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture
def opened(database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object], ContextStore]]:
    """Opens a store with a model, or without one."""
    stores: list[ContextStore] = []

    def open_with(model: object) -> ContextStore:
        monkeypatch.setenv("BACKSTORY_EMBEDDINGS", str(model))
        stores.append(ContextStore.open(database))
        return stores[-1]

    yield open_with
    for store in stores:
        store.close()


def told(store: ContextStore, texts: tuple[str, ...] = TEXTS) -> tuple[Session, list[int]]:
    session = store.start(project="p")
    return session, [session.message(text) for text in texts]


def embed(store: ContextStore) -> None:
    ProjectionRunner(store).catch_up()


def found(session: Session, query: str = QUERY, agent: str | None = None) -> list[int]:
    return [hit.item for hit in session.search(query, agent=agent).hits]


def vectors(store: ContextStore, session: Session) -> dict[int, tuple[str, int, bytes]]:
    text = b"select version, model, dimension, vector from backstory.embeddings where stream_id = %s"
    rows = store._runtime.database.read(lambda c: c.execute(text, (session.id,)).fetchall())
    return {version: (model, dimension, bytes(vector)) for version, model, dimension, vector in rows}


def as_the_tiny_model(handler: Handler) -> None:
    """Answers as an endpoint does that has the same ten words."""
    data = []
    for index, text in enumerate(handler.server.requests[-1]["json"]["input"]):
        vector = [0.01] * THINGS
        for word in text.lower().replace(".", "").split():
            if word in ABOUT:
                vector[ABOUT[word]] += 1
        data.append({"index": index, "embedding": vector, "object": "embedding"})
    handler.reply(200, json.dumps({"data": data[::-1]}).encode())


def test_what_means_the_same_comes_first(opened: Callable[[object], ContextStore], folder: Path) -> None:
    store = opened(folder)
    session, (tea, boat, automobile) = told(store)
    by_words = found(session)
    assert by_words[0] != automobile
    embed(store)
    page = session.search(QUERY)
    assert next(hit.item for hit in page.hits) == automobile
    assert {hit.item for hit in page.hits} == {boat, automobile, tea}
    assert (page.ranker, page.warning) == (BY_MEANING, None)
    assert [hit.item for hit in store.search(QUERY).hits] == [hit.item for hit in page.hits]
    items = find_items(store._runtime, session.id, session.version, QUERY, agent=None, budget=1_000)
    assert (items.place(items.hits[0]).item, items.ranker) == (automobile, BY_MEANING)


def test_a_text_without_a_vector_is_found_by_its_words(
    opened: Callable[[object], ContextStore], folder: Path
) -> None:
    store = opened(folder)
    session, items = told(store)
    words = [(hit.item, hit.score) for hit in session.search(QUERY).hits]
    plain = opened("")
    assert [(hit.item, hit.score) for hit in plain.session(session.id).search(QUERY).hits] == words
    embed(store)
    newer = session.message("One more parcel.")
    assert set(found(session)) == {*items, newer}


def test_model_and_dimension_stand_with_each_vector(
    opened: Callable[[object], ContextStore], folder: Path
) -> None:
    store = opened(folder)
    session, items = told(store)
    embed(store)
    model = FolderEmbedder(folder).model
    assert model.startswith("tiny@")
    assert {version: row[:2] for version, row in vectors(store, session).items()} == dict.fromkeys(
        items, (model, THINGS)
    )
    assert all(len(row[2]) == 2 * THINGS for row in vectors(store, session).values())
    (listed,) = [one for one in store.projections() if one.name.startswith("embeddings.")]
    assert (listed.rows, listed.behind) == (len(items), 0)


def test_vectors_of_another_model_are_not_used_and_are_made_again(
    opened: Callable[[object], ContextStore], folder: Path, tmp_path: Path
) -> None:
    before = opened(folder)
    session, (_, _, automobile) = told(before)
    embed(before)
    old = vectors(before, session)
    after = opened(write_model(tmp_path / "tiny", strength=2.0))
    changed = after.session(session.id)
    assert found(changed) == found(opened("").session(session.id))
    embed(after)
    new = vectors(after, session)
    assert new.keys() == old.keys()
    assert not {row[0] for row in new.values()} & {row[0] for row in old.values()}
    assert found(changed)[0] == automobile
    # The position of the model that nobody uses any more is forgotten.
    assert sum(one.name.startswith("embeddings.") for one in after.projections()) == 1


def test_emptied_and_made_again_they_are_the_same(
    opened: Callable[[object], ContextStore], folder: Path
) -> None:
    store = opened(folder)
    session, _ = told(store)
    embed(store)
    before = vectors(store, session)
    assert store._runtime.embedder is not None
    ProjectionRunner(store).rebuild(EmbeddingsProjection(store._runtime.embedder).name)
    assert vectors(store, session) == before


def test_an_erasure_and_a_purge_take_them(
    opened: Callable[[object], ContextStore], folder: Path, tmp_path: Path
) -> None:
    store = opened(folder)
    session, (tea, boat, automobile) = told(store)
    embed(store)
    session.erase(automobile, "law")
    assert vectors(store, session).keys() == {boat, tea}
    assert set(found(session)) == {boat, tea}
    store.purge(session.id, tmp_path / "purged.jsonl")
    assert vectors(store, session) == {}
    store.import_file(tmp_path / "purged.jsonl")
    embed(store)
    assert vectors(store, session).keys() == {boat, tea}


def test_what_is_erased_while_a_model_is_at_work_gets_no_vector(
    opened: Callable[[object], ContextStore], folder: Path
) -> None:
    store = opened(folder)
    session, (tea, boat, automobile) = told(store)
    real = store._runtime.embedder
    assert real is not None

    class Slow:
        model = real.model

        def embed(self, texts: list[str]) -> list[object]:
            session.erase(boat, "law")
            return real.embed(texts)  # type: ignore[return-value]

    ProjectionRunner(store, [EmbeddingsProjection(Slow())]).catch_up()  # type: ignore[arg-type]
    assert vectors(store, session).keys() == {automobile, tea}


def test_a_backtrack_leaves_what_it_left_behind(
    opened: Callable[[object], ContextStore], folder: Path
) -> None:
    store = opened(folder)
    session, (_, boat, automobile) = told(store)
    embed(store)
    session.backtrack(boat, "the wrong way")
    assert automobile not in found(session)
    abandoned = session.search(QUERY, abandoned=True).hits
    assert automobile in {hit.item for hit in abandoned if hit.abandoned}


def test_private_items_change_nothing_for_others(
    opened: Callable[[object], ContextStore], folder: Path
) -> None:
    store = opened(folder)
    pages = []
    for private in (True, False):
        session, _ = told(store)
        if private:
            own = session.by("alice").items.save("note", "A parcel in my car, the vehicle.")
            shown = session
        else:
            own = None
        embed(store)
        pages.append([hit._replace(session=None, at=None) for hit in session.search(QUERY).hits])
        if own is not None:
            assert found(shown, agent="alice")[0] == own
    assert pages[0] == pages[1]


def test_an_endpoint_makes_vectors_and_gets_the_key(
    opened: Callable[[object], ContextStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDINGS_API_KEY", "sk-very-secret-0123")
    with endpoint(as_the_tiny_model) as server:
        store = opened(f"{server.url}#small")
        session, (_, _, automobile) = told(store)
        embed(store)
        assert found(session)[0] == automobile
        assert {row[0] for row in vectors(store, session).values()} == {"small"}
        (first, *_) = server.requests
        assert (first["path"], first["json"]["model"]) == ("/v1/embeddings", "small")
        assert first["headers"]["authorization"] == "Bearer sk-very-secret-0123"


@pytest.mark.parametrize(
    "reply",
    [
        drops,
        sends(500, b"sk-very-secret-0123"),
        sends(200, b"no json"),
        sends(200, json.dumps({"data": [{"index": 0, "embedding": [0.0, 0.0]}]}).encode()),
        sends(200, json.dumps({"data": [{"index": 1, "embedding": [1.0]}]}).encode()),
    ],
)
def test_where_an_endpoint_does_not_answer_words_decide_and_a_warning_says_so(
    opened: Callable[[object], ContextStore],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    reply: Callable[[Handler], None],
) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDINGS_API_KEY", "sk-very-secret-0123")
    caplog.set_level(logging.DEBUG)
    with endpoint(reply) as server:
        session, _ = told(opened(f"{server.url}#small"))
        page = session.search(QUERY)
    assert [hit.item for hit in page.hits] == found(opened("").session(session.id))
    assert page.ranker == BY_WORDS
    assert page.warning is not None
    assert page.warning.startswith("searched by words alone: ")
    assert "words alone" in caplog.text
    assert "sk-very-secret" not in caplog.text + page.warning


def test_events_wait_for_an_endpoint_that_is_down(opened: Callable[[object], ContextStore]) -> None:
    with endpoint(sends(401)) as server:
        store = opened(f"{server.url}#small")
        session, items = told(store)
        with pytest.raises(ProjectionFailed, match="answered HTTP 401"):
            embed(store)
        server.script[:] = [as_the_tiny_model]
        embed(store)
        assert vectors(store, session).keys() == set(items)


def test_a_text_that_an_endpoint_refuses_is_set_aside_alone(
    opened: Callable[[object], ContextStore],
) -> None:
    def refuses_tea(handler: Handler) -> None:
        if any("tea" in text for text in handler.server.requests[-1]["json"]["input"]):
            handler.reply(400, b"")
        else:
            as_the_tiny_model(handler)

    with endpoint(refuses_tea) as server:
        store = opened(f"{server.url}#small")
        session, (_, boat, automobile) = told(store)
        ProjectionRunner(store, attempts=1).catch_up()
    assert vectors(store, session).keys() == {boat, automobile}


@pytest.mark.parametrize(
    "given", ["/no/such/folder", "https://host.example/v1", "http://#m", "https://host.example/v1#"]
)
def test_a_setting_that_names_no_model_is_refused(
    database: str, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("BACKSTORY_EMBEDDINGS", given)
    with pytest.raises(InvalidInput, match=r"BACKSTORY_EMBEDDINGS|base_url"):
        ContextStore.open(database)


def test_without_the_setting_nothing_is_imported_and_no_table_read(database: str) -> None:
    code = f"""
import sys
from backstory import ContextStore, ProjectionRunner
with ContextStore.open({database!r}) as store:
    session = store.start()
    session.message("The parcel in the car.")
    ProjectionRunner(store).catch_up()
    store._runtime.database.read(lambda c: c.execute("select 1"))
    assert len(session.search("parcel").hits) == 1
assert not {{"numpy", "onnxruntime", "tokenizers", "httpx"}} & set(sys.modules), "imported"
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)

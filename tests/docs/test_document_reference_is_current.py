"""docs/reference/documents.md and the JSON Schemas say what the documents say, and every field is described."""

from pathlib import Path

import pytest

from backstory.interfaces.documents.base import Document
from scripts import docs
from scripts.reference_documents import ON_STDERR, SCHEMAS, pages, printed


def every_document() -> set[type[Document]]:
    """The documents that are printed, and those within them."""
    kinds: list[type[Document]] = [Document]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return set(kinds) - {Document}


@pytest.fixture(scope="module")
def rendered() -> dict[Path, str]:
    return pages()


def test_the_page_and_the_schemas_are_what_the_code_says(rendered: dict[Path, str]) -> None:
    assert not docs.stale(rendered), "run `make docs`"
    assert "scripts.reference_documents" in docs.TEXTS


def test_no_schema_is_left_of_a_document_that_is_gone(rendered: dict[Path, str]) -> None:
    assert set(SCHEMAS.iterdir()) == {path for path in rendered if path.parent == SCHEMAS}


@pytest.mark.parametrize("kind", [*printed(), *ON_STDERR], ids=lambda kind: kind.__name__)
def test_a_document_says_what_it_is(kind: type[Document]) -> None:
    assert kind.__doc__
    assert kind.__doc__ != Document.__doc__


@pytest.mark.parametrize("kind", sorted(every_document(), key=lambda kind: kind.__name__))
def test_every_field_is_described(kind: type[Document]) -> None:
    assert all(kind.keys().values())

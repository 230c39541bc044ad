"""`search` and `fetch`, in the shape that chat connectors expect: results with an id, a title and a URL."""

from typing import Annotated
from urllib.parse import quote, unquote
from uuid import UUID

from pydantic import Field

from backstory.application.search.search import SearchHit
from backstory.domain.access import Action
from backstory.domain.errors import InvalidInput
from backstory.interfaces.documents.connector import FetchedDocument, ResultDocument, ResultsDocument
from backstory.interfaces.mcp.door import Asked, Door
from backstory.interfaces.mcp.texts import cut, expanded_text
from backstory.interfaces.mcp.tools.parameters import Query

MOST = 10
MEMORY = "memory"


class ConnectorTools:
    """The two tools of connectors."""

    def __init__(self, door: Door) -> None:
        self._door = door

    def search(self, asked: Asked, query: Query) -> ResultsDocument:
        """Search everything that was recorded. Each result has an id for `fetch`."""
        page = self._door.open(asked).search(
            query,
            project=self._door.project,
            agent=self._door.agent_of(asked),
            limit=MOST,
            record=self._door.may(asked, Action.APPEND),
        )
        return ResultsDocument(
            results=[
                ResultDocument(id=id_of(hit), title=title_of(hit), url=url_of(id_of(hit)))
                for hit in page.hits
            ]
        )

    def fetch(
        self, asked: Asked, id: Annotated[str, Field(description="The id of a result of `search`.")]
    ) -> FetchedDocument:
        """Show a result of `search` whole."""
        place, number = _read(id)
        if place.startswith(f"{MEMORY}/"):
            project = unquote(place.removeprefix(f"{MEMORY}/"))
            memory = self._door.open_project(asked, project).memory(number)
            told = {"project": project, "kind": memory.kind, "at": memory.at.isoformat()}
            title, text = memory.title or f"{memory.kind} of {project}", memory.text or ""
        else:
            opened = self._door.open_session(asked, place)
            record = self._door.may(asked, Action.APPEND)
            told = {"session": str(opened.id), "item": str(number)}
            title, text = (
                f"Item {number} of session {opened.id}",
                expanded_text(opened, number, record=record),
            )
        return FetchedDocument(id=id, title=title, text=cut(text), url=url_of(id), metadata=told)


def id_of(hit: SearchHit) -> str:
    """The id by which a hit is fetched."""
    place: UUID | str = hit.session if hit.project is None else f"{MEMORY}/{quote(hit.project, safe='')}"
    return f"{place}/{hit.item}"


def title_of(hit: SearchHit) -> str:
    """Who said it when, and the words that match."""
    return f"{hit.speaker or hit.type}, {hit.at:%Y-%m-%d %H:%M}: {hit.snippet}"


def url_of(id: str) -> str:
    """The address of a result, in the scheme of the resources."""
    place, number = _read(id)
    return f"backstory://{place if place.startswith(MEMORY) else f'session/{place}'}/item/{number}"


def _read(id: str) -> tuple[str, int]:
    place, _, number = id.rpartition("/")
    if not place or not (number.isdecimal() and 0 < len(number) < 10):
        raise InvalidInput("id", f"must be the id of a search result, got {id!r}")
    return place, int(number)

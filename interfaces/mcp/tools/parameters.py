"""Parameters that several tools take."""

from typing import Annotated

from pydantic import Field

SessionName = Annotated[
    str | None,
    Field(
        description="The session: an id, a part of one, or last. By default the one you work in, else last."
    ),
]
ProjectName = Annotated[str | None, Field(description="The project; by default that of the session.")]
Query = Annotated[str, Field(description="A question, or some words.")]
Limit = Annotated[int, Field(ge=1, le=50, description="The most results.")]
After = Annotated[str | None, Field(description="The `next` of the page before.")]

"""The base of requests' bodies. Without FastAPI, so that the client has it too."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class Body(BaseModel):
    """A request's body. Strict: a number is not read from a text; ids need `Field(strict=False)`, times are `Time`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _require_text(value: Any) -> Any:
    """Refuses a number, which pydantic takes for seconds since 1970."""
    if isinstance(value, int | float) or (isinstance(value, str) and "-" not in value[1:]):
        raise ValueError("must be a time as ISO 8601 writes it")
    return value


Time = Annotated[datetime, Field(strict=False), BeforeValidator(_require_text)]
"""A time in a request."""

Day = Annotated[date, Field(strict=False), BeforeValidator(_require_text)]
"""A day in a request."""

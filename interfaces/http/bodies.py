"""The base of requests' bodies. Without FastAPI, so that the client has it too."""

import re
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


class Body(BaseModel):
    """A request's body. Strict: a number is not read from a text; ids need `Field(strict=False)`, times are `Time`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _written(rule: str) -> BeforeValidator:
    """Refuses what is no ISO 8601, above all a number, which pydantic takes for seconds since 1970."""

    def require_date(value: Any) -> Any:
        if not isinstance(value, date) and not (isinstance(value, str) and _DATE.match(value)):
            raise ValueError(rule)
        return value

    return BeforeValidator(require_date)


_DATE = re.compile(r"\d{4}-\d\d-\d\d")

Time = Annotated[
    datetime, Field(strict=False), _written("must be a time in ISO 8601, such as 2026-11-09T12:00:00Z")
]
"""A time in a request."""

Day = Annotated[date, Field(strict=False), _written("must be a day in ISO 8601, such as 2026-11-09")]
"""A day in a request."""

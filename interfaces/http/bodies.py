"""The base of requests' bodies. Without FastAPI, so that the client has it too."""

from pydantic import BaseModel, ConfigDict


class Body(BaseModel):
    """A request's body. Strict: a number is not read from a text; dates and ids need `Field(strict=False)`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

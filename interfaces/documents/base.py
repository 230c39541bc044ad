"""The base of all documents."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Document(BaseModel):
    """A result as programs read it. Fields are only ever added. Times are in UTC."""

    model_config = ConfigDict(
        # Read from the application's results by the names of their attributes.
        from_attributes=True,
        extra="forbid",
        frozen=True,
        # Most runs print one kind of document, or none.
        defer_build=True,
        validate_by_name=True,
    )

    def as_json(self) -> dict[str, Any]:
        """The document with nothing but the types of JSON in it."""
        return self.model_dump(mode="json", by_alias=True)

    @classmethod
    def keys(cls) -> dict[str, str]:
        """The top-level keys of the JSON, each with its description."""
        return {field.alias or name: field.description or "" for name, field in cls.model_fields.items()}

"""The service itself: its health, and who is logged in."""

from pydantic import Field

from backstory.interfaces.documents.base import Document


class ServingDocument(Document):
    """A service that answers from now on."""

    url: str = Field(description="Its address.")
    processes: int = Field(description="The processes that answer.")
    pid: int = Field(description="The process that was started, which ends the others when it ends.")


class LivenessDocument(Document):
    """A process that answers."""

    status: str = Field(description="alive.")


class ReadinessDocument(Document):
    """Whether a process of the service can answer requests."""

    ready: bool = Field(description="Whether it can.")
    database: bool = Field(description="Whether the database answers.")
    schema_: bool = Field(
        alias="schema", description="Whether the database has a schema that this version works with."
    )
    feed_behind: int | None = Field(
        description="The events that readers of the feed cannot get yet, or null."
    )
    feed_seconds: float | None = Field(description="The age of the oldest of these in seconds, or null.")
    reason: str | None = Field(description="Why it is not ready, or null.")


class LoginDocument(Document):
    """Who a browser is logged in as."""

    required: bool = Field(description="Whether the service asks for a key.")
    name: str | None = Field(description="The key's name; null without a key.")
    action: str | None = Field(description="The most that it may do: read, append, operate or admin.")
    projects: list[str] | None = Field(description="The only projects that it reaches; null for all.")
    agent: str | None = Field(description="The only agent that it acts for; null for any.")
    csrf: str | None = Field(description="What writes send in the header X-CSRF-Token; null without a key.")

"""The options of a service, besides its store."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import SecretStr

MiB = 1 << 20


@dataclass(frozen=True)
class ServiceOptions:
    """How a store is served."""

    keys_required: bool = False
    """Whether a key is asked for even while the store has none, as it must be where others can reach the service."""
    hosts: frozenset[str] = frozenset()
    """Names of this service besides localhost, for requests without a key."""
    origins: tuple[str, ...] = ()
    """Origins of other pages that may call the service from a browser."""
    rate: float = 0.0
    """Requests a second that a key may make for long; 0 for any number."""
    page: Path | None = None
    """The folder of the built page."""
    cookie_secret: SecretStr = field(default_factory=lambda: SecretStr(secrets.token_urlsafe(32)))
    """What the cookies of the page are signed with. Processes of one service have it in common."""
    worker: bool = False
    """Whether scheduled jobs run in the same process."""
    longest_body: int = 32 * MiB
    """Bytes of a request's body, at most."""

"""What a context is asked for."""

from dataclasses import dataclass
from datetime import datetime

from backstory.domain.policies.assembly import AssemblyPolicy


@dataclass(frozen=True)
class Wanted:
    """One context, as a caller wants it."""

    budget: int
    format: str
    window: str
    agent: str | None
    query: str | None
    reserve: int | None
    policy: AssemblyPolicy
    as_of: datetime

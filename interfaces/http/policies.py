"""Policies in bodies: by name, version and the numbers that differ from the defaults."""

from dataclasses import fields
from typing import Any, Literal, TypeVar

from pydantic import Field

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.artifacts import ArtifactPolicy
from backstory.domain.policies.assembly import AssemblyPolicy
from backstory.domain.policies.memory import MemoryPolicy
from backstory.domain.policies.pruning import PruningPolicy
from backstory.domain.policies.safety import SafetyPolicy
from backstory.domain.policies.summary import SummaryPolicy
from backstory.domain.policies.tiers import TierPolicy
from backstory.domain.policies.window import WindowPolicy
from backstory.interfaces.http.bodies import Body

AnyPolicy = TypeVar(
    "AnyPolicy",
    ArtifactPolicy,
    AssemblyPolicy,
    MemoryPolicy,
    PruningPolicy,
    SafetyPolicy,
    SummaryPolicy,
    TierPolicy,
    WindowPolicy,
)


class PolicyBody(Body):
    """A policy: see docs/reference/policies.md for the settings of each kind."""

    name: str = Field(default="default", description="Its name, which is recorded.")
    version: int = Field(default=1, description="The version of its numbers.")
    settings: dict[str, Any] = Field(default={}, description="The numbers that differ from the defaults.")

    def policy(self, kind: type[AnyPolicy]) -> AnyPolicy:
        """The policy that it describes."""
        known = {field.name for field in fields(kind)} - {"name", "version"}
        for setting in self.settings:
            if setting not in known:
                raise InvalidInput(f"policy.settings.{setting}", f"is no setting of a {kind.__name__}")
        try:
            given = self.settings
            if "recency" in given:
                given = given | {"recency": {float(age): points for age, points in given["recency"].items()}}
            return kind(name=self.name, version=self.version, **given)
        except (TypeError, ValueError, AttributeError) as error:
            raise InvalidInput(
                "policy.settings", f"must have the types of a {kind.__name__}: {error}"
            ) from None


class ChosenPolicyBody(PolicyBody):
    """A policy for a session to go by."""

    kind: Literal["window", "tiers", "pruning"] = Field(description="What it is for.")

    def chosen(self) -> WindowPolicy | TierPolicy | PruningPolicy:
        """The policy that it describes."""
        if self.kind == "window":
            return self.policy(WindowPolicy)
        return self.policy(TierPolicy) if self.kind == "tiers" else self.policy(PruningPolicy)

"""The safety policy: what is done with secrets, and with texts that read like instructions."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, get_args

from backstory.domain.errors import InvalidInput
from backstory.domain.policies.settings import changed_settings
from backstory.domain.values import label, whole_number

OnSecrets = Literal["flag", "mask"]
OnInstructions = Literal["flag", "quarantine"]


@dataclass(frozen=True)
class SafetyPolicy:
    """What is done with suspicious texts when they are written."""

    kind: ClassVar[str] = "safety"
    """The kind of policy, as a project's state lists it."""
    name: str = "default"
    """The name, recorded in the events made with the policy. Why: a record then says which rules applied."""
    version: int = 1
    """The version of the rules. Why: it is raised when they change; old events keep their own."""
    secrets: OnSecrets = "flag"
    """What is done with a secret that is written through Backstory's own doors: the item is flagged, or the secret is
    replaced before it is stored. Why: a prompt that held a secret can be reproduced to the byte only if it was kept."""
    imported_secrets: OnSecrets = "mask"
    """The same for imported transcripts. Why: nobody waits for their prompts to be reproduced, and a file of another
    tool holds whatever its terminal showed."""
    instructions: OnInstructions = "flag"
    """What is done with a text of an untrusted origin that reads like instructions: the item is flagged, or it arrives
    in quarantine. Why: filters of texts err both ways, so the careful default is to mark and to show."""

    def __post_init__(self) -> None:
        label("policy.name", self.name)
        whole_number("policy.version", self.version, minimum=1)
        for field, known in (
            ("secrets", get_args(OnSecrets)),
            ("imported_secrets", get_args(OnSecrets)),
            ("instructions", get_args(OnInstructions)),
        ):
            if getattr(self, field) not in known:
                given = getattr(self, field)
                raise InvalidInput(f"policy.{field}", f"must be one of {', '.join(known)}, got {given!r}")

    def settings(self) -> dict[str, Any]:
        """The rules that differ from the defaults."""
        return changed_settings(self, DEFAULT_SAFETY)


DEFAULT_SAFETY = SafetyPolicy()

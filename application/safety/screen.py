"""What is done with secrets in texts that are about to be stored."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from backstory.domain.messages.contents import Part
from backstory.domain.policies.safety import OnSecrets
from backstory.domain.safety.secrets import Secret, masked, secrets_in

TEXTS = ("text/", "application/json", "application/xml", "application/yaml", "application/x-")
"""Beginnings of the media types that are looked through."""
STORED, MASKED = "secret:", "masked:"
"""Beginnings of the flags of a secret that was stored, and of one that was replaced."""


@dataclass(frozen=True)
class Screen:
    """Looks through texts before they are sealed. The rule is asked for only where a secret was found."""

    rule: Callable[[], OnSecrets]

    def look_through(self, data: bytes, media_type: str, *, of_tool: bool) -> tuple[bytes, list[str]]:
        """The bytes to store, and a flag for each secret that was found."""
        found = found_in(data, media_type, of_tool=of_tool)
        if not found:
            return data, []
        if self.rule() == "mask":
            return masked(data, found), [MASKED + secret.kind for secret in found]
        return data, [STORED + secret.kind for secret in found]

    def parts(self, parts: Iterable[Part]) -> list[Part]:
        """The parts as they are stored."""
        return [self._part(part) for part in parts]

    def _part(self, part: Part) -> Part:
        data, _ = self.look_through(part.data, part.media_type, of_tool=of_tool(part))
        return part if data is part.data else replace(part, data=data)


MASKING = Screen(lambda: "mask")
"""Masks every secret."""


def of_tool(part: Part) -> bool:
    """Whether a tool says it. Then random texts count as secrets, too."""
    return part.kind == "tool_result"


def found_in(data: bytes, media_type: str, *, of_tool: bool) -> list[Secret]:
    """The secrets in a content."""
    return secrets_in(data, of_tool=of_tool) if is_text(media_type) else []


def is_text(media_type: str) -> bool:
    """Whether a content of this media type is looked through."""
    return media_type.startswith(TEXTS)

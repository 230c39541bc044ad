"""The state as the `current-context.json` document."""

from typing import Any

from backstory.contents import ContentReader
from backstory.domain.state import ContextState


def current_context(state: ContextState, contents: ContentReader) -> dict[str, Any]:
    return {}

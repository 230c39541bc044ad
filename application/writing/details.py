"""Writes about the session as a whole: title, tags, project, agents."""

from collections.abc import Sequence

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.commands import facts
from backstory.domain.values import listed


class DetailWriter(SessionPart):
    """Writes about the session as a whole: `session.details`."""

    def rename(self, title: str) -> int:
        """Sets the session's title."""
        bundle = self._handle.bundle()
        return self._handle.write(bundle, facts.rename_session(bundle.text("title", title)))

    def tag(self, *tags: str) -> int:
        """Sets the session's tags."""
        return self._handle.write(ContentBundle(), facts.tag_session(tags))

    def set_project(
        self, name: str, *, id: str | None = None, current_idea: str | None = None, status: str | None = None
    ) -> int:
        """Sets the project that the session belongs to."""
        change = facts.set_project(name=name, id=id, current_idea=current_idea, status=status)
        return self._handle.write(ContentBundle(), change)

    def join(
        self,
        name: str,
        *,
        id: str | None = None,
        version: str | None = None,
        mode: str | None = None,
        capabilities: Sequence[str] = (),
    ) -> int:
        """Records that an agent takes part."""
        change = facts.join_agent(
            name=name, id=id, version=version, mode=mode, capabilities=listed("capabilities", capabilities)
        )
        return self._handle.write(ContentBundle(), change)

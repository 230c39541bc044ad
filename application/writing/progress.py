"""Writes of progress, and of the session as a whole."""

from collections.abc import Sequence
from functools import partial

from backstory.application.writing.base import WriterBase
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain import events as e
from backstory.domain.commands import facts, sessions
from backstory.domain.values import (
    listed,
)


class ProgressWriter(WriterBase):
    """How far the work is, and what session it is."""

    def set_phase(self, phase: str) -> int:
        return self._write(ContentBundle(), facts.note(e.PhaseChanged, phase=phase))

    def set_layer(self, project_layer: int) -> int:
        return self._write(ContentBundle(), facts.note(e.LayerChanged, project_layer=project_layer))

    def set_clarity(self, clarity: int) -> int:
        return self._write(ContentBundle(), facts.note(e.ClarityChanged, clarity=clarity))

    def focus(
        self, files: Sequence[str], *, last_edited: str | None = None, current_function: str | None = None
    ) -> int:
        """Says which files the work is about now."""
        change = facts.note(
            e.FilesFocused,
            files=listed("files", files),
            last_edited=last_edited,
            current_function=current_function,
        )
        return self._write(ContentBundle(), change)

    def command_executed(self, command: str, *, exit_code: int | None = None) -> int:
        bundle = ContentBundle()
        ref = bundle.text("command", command)
        return self._write(bundle, facts.note(e.CommandExecuted, command=ref, exit_code=exit_code))

    def file_updated(self, path: str, *, checksum: str | None = None) -> int:
        return self._write(ContentBundle(), facts.note(e.FileUpdated, path=path, checksum=checksum))

    def commit_made(self, commit: str, *, message: str | None = None) -> int:
        bundle = ContentBundle()
        ref = bundle.optional("message", message)
        return self._write(bundle, facts.note(e.CommitMade, commit=commit, message=ref))

    def checkpoint(self, name: str, *, triggers: Sequence[str] = ()) -> int:
        """Gives this version a name."""
        return self._write(ContentBundle(), facts.take_checkpoint(name, listed("triggers", triggers)))

    def end(self, why: str | None = None) -> int:
        """Closes the session. It is kept, and takes no new items until `resume`."""
        bundle = ContentBundle()
        return self._command(bundle, partial(sessions.end_session, why=bundle.optional("why", why)))

    def resume(self) -> int:
        """Opens an ended session again."""
        return self._command(ContentBundle(), partial(sessions.resume_session))

    def rename(self, title: str) -> int:
        bundle = ContentBundle()
        return self._write(bundle, facts.rename_session(bundle.text("title", title)))

    def tag(self, *tags: str) -> int:
        """Sets the session's tags."""
        return self._write(ContentBundle(), facts.tag_session(tags))

    def set_project(
        self, name: str, *, id: str | None = None, current_idea: str | None = None, status: str | None = None
    ) -> int:
        change = facts.set_project(name=name, id=id, current_idea=current_idea, status=status)
        return self._write(ContentBundle(), change)

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
        return self._write(ContentBundle(), change)

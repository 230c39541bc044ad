"""Writes of progress: phase, focus, errors, and what was done outside the conversation."""

from collections.abc import Sequence
from functools import partial

from backstory.application.handle import SessionPart
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.new_items import text_item
from backstory.domain import events as e
from backstory.domain.commands import facts, work
from backstory.domain.values import listed


class ProgressWriter(SessionPart):
    """Writes of progress: `session.progress`."""

    def set_phase(self, phase: str) -> int:
        """Sets the phase of the work."""
        return self._handle.write(ContentBundle(), facts.note(e.PhaseChanged, phase=phase))

    def set_layer(self, project_layer: int) -> int:
        """Sets the layer of the project."""
        return self._handle.write(ContentBundle(), facts.note(e.LayerChanged, project_layer=project_layer))

    def set_clarity(self, clarity: int) -> int:
        """Sets how clear the goal is, in percent."""
        return self._handle.write(ContentBundle(), facts.note(e.ClarityChanged, clarity=clarity))

    def focus(
        self,
        files: Sequence[str] = (),
        *,
        remove: Sequence[str] = (),
        last_edited: str | None = None,
        current_function: str | None = None,
    ) -> int:
        """Adds files to those that the work is about, and removes others. What other agents added stays. A file that is
        removed is no longer the one last edited, and a current function belongs to the file last edited."""
        decider = partial(
            work.focus,
            files=listed("files", files),
            remove=listed("remove", remove),
            last_edited=last_edited,
            current_function=current_function,
        )
        return self._handle.command(ContentBundle(), decider)

    def error(self, text: str, *, name: str | None = None, importance: float | None = None) -> int:
        """Records an error. It is an item until `resolve_error`."""
        bundle = self._handle.bundle()
        ref = bundle.text("text", text)
        item = text_item(self._handle, "error", [text], importance)
        return self._handle.write(bundle, facts.meet_error(item, text=ref, name=name))

    def resolve_error(self, item: int, *, how: str | None = None) -> int:
        """Resolves an error, which takes it out of the windows."""
        bundle = self._handle.bundle()
        return self._handle.command(
            bundle, partial(work.resolve_error, item=item, how=bundle.optional("how", how))
        )

    def command_executed(self, command: str, *, exit_code: int | None = None) -> int:
        """Records a command that was run."""
        bundle = self._handle.bundle()
        ref = bundle.text("command", command)
        return self._handle.write(bundle, facts.note(e.CommandExecuted, command=ref, exit_code=exit_code))

    def file_updated(self, path: str, *, checksum: str | None = None) -> int:
        """Records that a file was changed."""
        return self._handle.write(ContentBundle(), facts.note(e.FileUpdated, path=path, checksum=checksum))

    def commit_made(self, commit: str, *, message: str | None = None) -> int:
        """Records a commit."""
        bundle = self._handle.bundle()
        ref = bundle.optional("message", message)
        return self._handle.write(bundle, facts.note(e.CommitMade, commit=commit, message=ref))

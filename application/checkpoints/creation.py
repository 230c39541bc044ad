"""The command that creates a checkpoint, and the policy that says when one is due."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from backstory.application.checkpoints.files import file_checksums
from backstory.application.handle import SessionHandle
from backstory.application.runtime import Runtime
from backstory.application.writing.content_bundle import ContentBundle
from backstory.application.writing.requests import Decider, Request
from backstory.domain.commands import recovery
from backstory.domain.errors import InvalidInput
from backstory.domain.log.guards import Decided
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import label, listed


def checkpoint_decider(
    runtime: Runtime,
    name: str,
    triggers: Sequence[str],
    window: str,
    files: Sequence[str],
    root: Path | str | None,
) -> Decider:
    """The command that names the newest version."""
    named = tuple(label("files", path) for path in listed("files", files))
    if named and root is None:
        raise InvalidInput("files", "must come with a root, below which they are read")
    label("window", window)

    def checkpoint(state: ContextState, name: str, triggers: Sequence[str], window: str) -> Decided:
        checksums = None if root is None else file_checksums([*named, *_known_files(state)], root)
        return recovery.checkpoint_state(
            state,
            name=name,
            triggers=triggers,
            window=window,
            fold_version=runtime.reader.fold_version,
            files=checksums,
        )

    return partial(checkpoint, name=name, triggers=listed("triggers", triggers), window=window)


def checkpoint_request(handle: SessionHandle, name: str, triggers: Sequence[str], window: str) -> Request:
    """A checkpoint to be appended together with the requests that follow it."""
    decider = checkpoint_decider(handle.runtime, name, triggers, window, (), None)
    return Request(ContentBundle(), decider, handle.provenance)


def window_policy(state: ContextState) -> WindowPolicy:
    """The window policy that the session has chosen, else the default."""
    return WindowPolicy.chosen(state.policies.get(WindowPolicy.kind))


def checked_policy(policy: WindowPolicy | None) -> None:
    """Refuses a value that is no window policy."""
    if policy is not None and not isinstance(policy, WindowPolicy):
        raise InvalidInput("policy", f"must be a WindowPolicy, got {type(policy).__name__}")


def _known_files(state: ContextState) -> list[str]:
    """The files that the work is about."""
    needed = [path for task in state.tasks.values() for path in task.depends_on_files]
    return [*state.files, *state.focus.files, *filter(None, [state.focus.last_edited]), *needed]

"""Checkpoints of a session: created, saved as files, restored."""

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from backstory.application.branches.branch import backtrack
from backstory.application.checkpoints.creation import checked_policy, checkpoint_decider, window_policy
from backstory.application.checkpoints.files import (
    CheckpointFile,
    FileDifference,
    file_differences,
    file_name,
)
from backstory.application.contents.reader import ContentReader
from backstory.application.integrity.verification import verify_session
from backstory.application.queries.read_models import Checkpoint, read_checkpoints
from backstory.application.transfer.export import export, read_checkpoint
from backstory.application.writing.checkpoints import CheckpointWriter
from backstory.application.writing.content_bundle import ContentBundle
from backstory.domain.errors import InvalidInput, Refused, UnknownVersion, VerificationFailed
from backstory.domain.events import CheckpointTaken
from backstory.domain.log.guards import Decided
from backstory.domain.policies.window import WindowPolicy
from backstory.domain.state import ContextState
from backstory.domain.values import (
    LARGEST,
    MAIN_WINDOW,
    is_whole_number,
    label,
    whole_number,
)
from backstory.domain.window.checkpoints import due_triggers
from backstory.domain.window.validation import state_problems
from backstory.infrastructure.postgres.standby import reads_only


class TakenCheckpoint(NamedTuple):
    """A checkpoint that was due: its version, its name, and the triggers."""

    version: int
    name: str
    triggers: tuple[str, ...]


@dataclass(frozen=True)
class RestoredCheckpoint:
    """A restored checkpoint. `version` is that of the backtrack, or the newest one if none was needed. `state_verified`
    is None if the checkpoint has no digest of its state, or one made by another fold. `files` are those that differ on
    disk from the checkpoint."""

    session: UUID
    version: int
    checkpoint: int
    name: str
    went_back: bool
    chain: str
    state_verified: bool | None
    files: tuple[FileDifference, ...]


class SessionCheckpoints(CheckpointWriter):
    """Named versions of a session: `session.checkpoints`."""

    def create(
        self,
        name: str,
        *,
        triggers: Sequence[str] = (),
        window: str = MAIN_WINDOW,
        files: Sequence[str] = (),
        root: Path | str | None = None,
    ) -> int:
        """Names the newest version, and records the data that a restore is compared with: the digest of the state,
        tasks, numbers, the conversation, and checksums of files. The checksums are those of `progress.file_updated`;
        with a `root`, the `files`, those in focus and those that open tasks depend on are read below it instead."""
        decider = checkpoint_decider(self._runtime, name, triggers, window, files, root)
        return self._handle.command(ContentBundle(), decider)

    def create_if_due(
        self,
        next_operation: str | None = None,
        *,
        next_tokens: int = 0,
        window: str = MAIN_WINDOW,
        root: Path | str | None = None,
        policy: WindowPolicy | None = None,
    ) -> TakenCheckpoint | None:
        """Creates a checkpoint if one is due: usage above the policy's threshold, a new phase or layer, every fifth
        completed task, a risky operation next, or half an hour of work. Returns None if none is due."""
        checked_policy(policy)
        if next_operation is not None:
            label("next_operation", next_operation)
        whole_number("next_tokens", next_tokens, minimum=0, maximum=LARGEST)
        fired: list[tuple[str, ...]] = []

        def checkpoint_if_due(state: ContextState, next_operation: str | None, window: str) -> Decided:
            triggers = due_triggers(
                state,
                at=self._handle.now_us(),
                next_operation=next_operation,
                next_tokens=next_tokens,
                window=window,
                policy=policy or window_policy(state),
            )
            if not triggers:
                raise _NotDue("no checkpoint is due.")
            fired[:] = [triggers]
            return checkpoint_decider(self._runtime, triggers[0], triggers, window, (), root)(state)

        decider = partial(checkpoint_if_due, next_operation=next_operation, window=label("window", window))
        try:
            version = self._handle.command(ContentBundle(), decider)
        except _NotDue:
            return None
        body = self._checkpoint_at(version) if not fired else None
        triggers = fired[0] if body is None else body.triggers
        return TakenCheckpoint(version, triggers[0], triggers)

    def file(self, checkpoint: int | str | None = None) -> CheckpointFile:
        """A checkpoint with everything it holds, by version or name, by default the newest."""
        return CheckpointFile.of(read_checkpoint(self._runtime, self._id, self._find(checkpoint).version))

    def save(
        self, directory: Path | str, checkpoint: int | str | None = None, *, secrets: bool = False
    ) -> Path:
        """Writes a checkpoint, by default the newest, to ``checkpoint_<time>.jsonl`` in a directory: everything it
        holds, then the session as `store.export` writes it, texts with secrets only with `secrets`. `audit_export`
        verifies the file;
        `store.restore_checkpoint` restores it into any database."""
        found = self._find(checkpoint)
        target = Path(directory) / file_name(found.taken_at)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput("directory", f"cannot be made, {str(directory)!r}: {error.strerror}") from None
        export(self._runtime, [self._id], target, overwrite=True, secrets=secrets, checkpoint=found.version)
        return target

    def restore(
        self,
        checkpoint: int | str | Path | CheckpointFile | None = None,
        *,
        root: Path | str | None = None,
        why: str | None = None,
        check_files: bool = True,
    ) -> RestoredCheckpoint:
        """Makes the state of a checkpoint current again, by version, name or file, by default of the newest. The record
        is verified first, and the state compared with the checkpoint's digest; if either differs, nothing changes. The
        result names the files below `root`, by default the current directory, that differ from the checkpoint, unless
        `check_files` is off."""
        file = CheckpointFile.load(checkpoint) if isinstance(checkpoint, Path) else checkpoint
        if isinstance(file, CheckpointFile):
            if file.session != self._id:
                raise InvalidInput("checkpoint", f"is one of session {file.session}, not of {self._id}")
            found = self._find(file.version)
            if found.chain.hex() != file.chain:
                raise VerificationFailed(
                    f"checkpoint {file.version}: the chain's hash is not the one that the file has."
                )
        else:
            found = self._find(file)
        body = self._checkpoint_at(found.version)
        self._verify(found)
        verified = None if body is None else self._verified_state(found, body)
        if isinstance(file, CheckpointFile):
            verified = self._verified_file(found, file) or verified
        went_back = found.version != self._runtime.require_head(self._id).version
        version = found.version
        if went_back:
            version = backtrack(self._handle, found.version, why or f"restore checkpoint {found.name}")
        checksums = body.files if body is not None and check_files else {}
        return RestoredCheckpoint(
            session=self._id,
            version=version,
            checkpoint=found.version,
            name=found.name,
            went_back=went_back,
            chain=found.chain.hex(),
            state_verified=verified,
            files=file_differences(checksums, Path.cwd() if root is None else root),
        )

    @reads_only
    def list(self) -> builtins.list[Checkpoint]:
        """Every named version, abandoned branches included."""
        return read_checkpoints(self._runtime, self._id)

    # Steps

    def _find(self, checkpoint: int | str | None) -> Checkpoint:
        """A checkpoint on any branch, by version, or the newest of a name."""
        known = read_checkpoints(self._runtime, self._id)
        if checkpoint is None:
            found = known
        elif isinstance(checkpoint, str):
            found = [one for one in known if one.name == label("checkpoint", checkpoint)]
        elif is_whole_number(checkpoint):
            found = [one for one in known if one.version == checkpoint]
        else:
            raise InvalidInput("checkpoint", f"must be a version, a name or a file, got {checkpoint!r}")
        if not found:
            what = "checkpoint" if checkpoint is None else f"checkpoint {checkpoint!r}"
            raise UnknownVersion(f"the session has no {what}.")
        return found[-1]

    def _checkpoint_at(self, version: int) -> CheckpointTaken | None:
        """The body of a checkpoint's event; None if this code does not know its type."""
        pieces = self._runtime.reader.log_of(self._id, self._runtime.require_head(self._id).version)
        event = ContentReader(self._runtime, pieces).events([version]).get(version)
        return event.body if event is not None and isinstance(event.body, CheckpointTaken) else None

    def _verify(self, found: Checkpoint) -> None:
        """Verifies the record with the chain, and the chain with the checkpoint."""
        owner = self._runtime.reader.owner(self._id, found.version)
        verify_session(self._runtime, owner, {found.version: found.chain.hex()}).require()
        if owner != self._id:
            verify_session(self._runtime, self._id).require()

    def _verified_file(self, found: Checkpoint, file: CheckpointFile) -> bool | None:
        """Compares the state with the file's. None if another fold made that."""
        snapshot = file.context_snapshot
        if snapshot.get("fold_version") != self._runtime.reader.fold_version:
            return None
        owner = self._runtime.reader.owner(self._id, found.version)
        if snapshot.get("sha256") != self._runtime.reader.state(owner, found.version).digest():
            raise VerificationFailed(
                f"checkpoint {found.version}: the state is not the one that the file has."
            )
        return True

    def _verified_state(self, found: Checkpoint, body: CheckpointTaken) -> bool | None:
        state = self._runtime.reader.state(self._id, found.version)
        if problems := state_problems(state):
            raise VerificationFailed(f"checkpoint {found.version}: {problems[0]}.")
        if (
            body.state_sha256 is None
            or body.state_at is None
            or body.fold_version != self._runtime.reader.fold_version
        ):
            return None
        if self._runtime.reader.state(self._id, body.state_at).digest() != body.state_sha256:
            raise VerificationFailed(
                f"checkpoint {found.version}: the state at version {body.state_at} is not the one that was named."
            )
        return True


class _NotDue(Refused):
    """No checkpoint is due."""

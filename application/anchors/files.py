"""Anchors: chain hashes of sessions in a small signed file, to be kept where the database's owner cannot change it.
Nothing here reads a database."""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple
from uuid import UUID

import rfc8785
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backstory.application.anchors.keys import AnchorKey, is_signed, read_public_keys
from backstory.domain.errors import InvalidInput, Refused, VerificationFailed


class Anchor(BaseModel):
    """The chain hash of a session at a version."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: UUID
    version: int = Field(ge=1)
    chain: str = Field(pattern=r"^[0-9a-f]{64}$")


class AnchorFile(BaseModel):
    """The content of a file. The signature is over all other fields as canonical JSON (RFC 8785)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backstory: Literal["anchors"] = "anchors"
    format: Literal[1] = 1
    made_at: datetime
    anchors: tuple[Anchor, ...]
    public_key: str
    signature: str = ""

    @property
    def signed_bytes(self) -> bytes:
        return rfc8785.dumps(self.model_dump(mode="json", exclude={"signature"}))


class Anchors(NamedTuple):
    """Anchors whose signatures were checked: by session and version, the chain hash."""

    chains: Mapping[UUID, Mapping[int, str]]

    def of(self, session: UUID) -> Mapping[int, str]:
        """The chain hashes of a session, by version."""
        return self.chains.get(session, {})

    def require(self, session: UUID) -> Mapping[int, str]:
        """The same. Refuses a session without any, which would be checked against nothing."""
        found = self.of(session)
        if not found:
            raise InvalidInput("anchors", f"have none of session {session}")
        return found


class Anchored(NamedTuple):
    """A file of anchors that was written."""

    file: Path
    anchors: int
    made_at: datetime
    public_key: str


def write_anchors(path: Path, anchors: Sequence[Anchor], key: AnchorKey) -> Anchored:
    """Signs anchors and writes them to a new file."""
    made = AnchorFile(made_at=datetime.now(UTC), anchors=tuple(anchors), public_key=key.public)
    signed = made.model_copy(update={"signature": key.sign(made.signed_bytes)})
    text = json.dumps(signed.model_dump(mode="json"), indent=1) + "\n"
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise Refused(f"{path} is there already.") from None
    except OSError as error:
        raise InvalidInput("file", f"{path} cannot be written: {error.strerror}") from None
    return Anchored(path, len(anchors), made.made_at, made.public_key)


def read_anchors(files: Sequence[Path | str], public_keys: Path | str) -> Anchors:
    """Reads files of anchors. Raises VerificationFailed if one has no signature of one of the public keys, or if two
    contradict each other."""
    trusted = read_public_keys(Path(public_keys))
    found: dict[UUID, dict[int, str]] = {}
    for path in map(Path, files):
        content = read_file(path)
        if content.public_key not in trusted:
            raise VerificationFailed(f"{path.name}: was signed with a key that is not among the public keys.")
        if not is_signed(content.public_key, content.signature, content.signed_bytes):
            raise VerificationFailed(f"{path.name}: does not match its signature.")
        for anchor in content.anchors:
            chain = found.setdefault(anchor.session, {}).setdefault(anchor.version, anchor.chain)
            if chain != anchor.chain:
                raise VerificationFailed(
                    f"{path.name}: session {anchor.session}, version {anchor.version}: has two different chains."
                )
    return Anchors(found)


def read_file(path: Path) -> AnchorFile:
    """A file as it is, its signature not checked."""
    try:
        given: Any = json.loads(path.read_bytes())
        return AnchorFile.model_validate(given)
    except OSError as error:
        raise InvalidInput("anchors", f"{path} cannot be read: {error.strerror}") from None
    except (ValidationError, ValueError):
        raise VerificationFailed(f"{path.name}: is no file of anchors.") from None

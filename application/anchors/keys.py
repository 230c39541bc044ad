"""Ed25519 keys that sign anchors. The private key is in a file that only its owner can read. A file beside it has the
public keys of it and of those before it, for those who check anchors."""

import base64
import os
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from backstory.domain.errors import InvalidInput, Refused

_END = b"-----END PUBLIC KEY-----"


class AnchorKey:
    """The key that signs, from its file."""

    def __init__(self, path: Path, private: Ed25519PrivateKey) -> None:
        self.path = path
        self._private = private

    @classmethod
    def load(cls, path: Path) -> "AnchorKey":
        """The key in a file. Refuses a file that others can read: its signatures would prove nothing."""
        try:
            if path.stat().st_mode & 0o077:
                raise Refused(f"{path} can be read by others: make it the owner's alone with chmod 600.")
            private = load_pem_private_key(path.read_bytes(), None)
        except OSError as error:
            raise InvalidInput("key", f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, TypeError):
            raise InvalidInput("key", f"{path} is no unencrypted private key in PEM") from None
        if not isinstance(private, Ed25519PrivateKey):
            raise InvalidInput("key", f"{path} must be an Ed25519 key")
        return cls(path, private)

    @classmethod
    def load_or_create(cls, path: Path) -> "AnchorKey":
        """The key in a file, which is made if it is not there."""
        return cls.load(path) if path.exists() else cls._create(path, path)

    def rotate(self) -> "AnchorKey":
        """Puts a new key in the place of this one, which then signs no more. Its public key stays in the file of public
        keys, so that older anchors can be checked."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.unlink(missing_ok=True)
        made = self._create(fresh, self.path)
        os.replace(fresh, self.path)
        return AnchorKey(self.path, made._private)

    @classmethod
    def _create(cls, path: Path, lasting: Path) -> "AnchorKey":
        private = Ed25519PrivateKey.generate()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # With its rights from the beginning: no moment in which others could read it.
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
                file.flush()
                os.fsync(descriptor)
            with public_path(lasting).open("ab") as file:
                file.write(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
        except OSError as error:
            raise InvalidInput("key", f"{path} cannot be written: {error.strerror}") from None
        return cls(path, private)

    @property
    def public(self) -> str:
        """The public key in base64."""
        raw = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return base64.b64encode(raw).decode()

    def sign(self, data: bytes) -> str:
        """The signature in base64."""
        return base64.b64encode(self._private.sign(data)).decode()


def public_path(key: Path) -> Path:
    """The file of public keys that belongs to a private key's."""
    return key.with_suffix(".pub")


def read_public_keys(path: Path) -> tuple[str, ...]:
    """The public keys in a file, in base64, the oldest first."""
    try:
        texts = [text + _END for text in path.read_bytes().split(_END)[:-1]]
    except OSError as error:
        raise InvalidInput("public_keys", f"{path} cannot be read: {error.strerror}") from None
    try:
        keys = [load_pem_public_key(text.strip()) for text in texts]
    except ValueError:
        keys = []
    if not keys or not all(isinstance(key, Ed25519PublicKey) for key in keys):
        raise InvalidInput("public_keys", f"{path} must hold Ed25519 public keys in PEM")
    return tuple(base64.b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode() for key in keys)


def is_signed(public: str, signature: str, data: bytes) -> bool:
    """Whether a key, in base64, has signed the data."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public, validate=True))
        key.verify(base64.b64decode(signature, validate=True), data)
    except (ValueError, InvalidSignature):
        return False
    return True

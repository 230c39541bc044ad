"""Export files: written whole or not at all, plain or compressed, read line by line or from any offset."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

from backstory.domain.errors import InvalidInput, Refused, VerificationFailed

LONGEST_LINE = 256 * 2**20
"""The longest line: a content has at most 16 MiB, and each byte takes at most six as text."""
BEGINNING = b'{"backstory":"export",'
"""The first bytes of every export."""

_ZSTD = b"\x28\xb5\x2f\xfd"
_CHUNK = 2**20
_GLANCE = 2**12
"""Bytes of the first read for an event and its contents."""
_STRETCH = 2**18


class RawLine(NamedTuple):
    """A line of the file with its number and offset."""

    number: int
    offset: int
    data: bytes


class ExportWriter:
    """Writes, counts and hashes lines."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self._waiting: list[bytes] = []
        self._waiting_bytes = 0
        self.lines = 0
        self.bytes = 0

    def write(self, line: bytes) -> None:
        self._waiting.append(line)
        self._waiting_bytes += len(line)
        self.lines += 1
        self.bytes += len(line)
        if self._waiting_bytes >= _STRETCH:
            self.flush()

    def flush(self) -> None:
        """Writes the buffered lines together: one by one takes longer than hashing them."""
        data = b"".join(self._waiting)
        self._waiting, self._waiting_bytes = [], 0
        self._hash.update(data)
        self._file.write(data)

    @property
    def sha256(self) -> str:
        """SHA-256 of every byte so far."""
        self.flush()
        return self._hash.hexdigest()


@contextmanager
def written(path: Path, *, zstd: bool, overwrite: bool) -> Iterator[ExportWriter]:
    """A writer. The file appears under its name when the block ends without an error, and is then on disk."""
    if path.is_dir():
        raise InvalidInput("file", f"{str(path)!r} is a folder")
    if path.exists() and not overwrite:
        raise Refused(f"{path} is there already, and is not written over.")
    compressor = _zstandard().ZstdCompressor(level=3) if zstd else None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InvalidInput("file", f"{str(path)!r} cannot be written: {error.strerror}") from None
    try:
        with open(handle, "wb") as file:
            if compressor is None:
                writer = ExportWriter(file)
                yield writer
                writer.flush()
            else:
                with compressor.stream_writer(file, closefd=False) as packed:
                    writer = ExportWriter(packed)
                    yield writer
                    writer.flush()
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
        _keep_name(path.parent)
    except OSError as error:
        raise InvalidInput("file", f"{str(path)!r} cannot be written: {error.strerror}") from error
    finally:
        Path(name).unlink(missing_ok=True)


def _keep_name(folder: Path) -> None:
    """Syncs the folder: otherwise a power cut may lose the file's name."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


class ExportFile:
    """An export that can be read from any offset. A compressed one is decompressed into a temporary file."""

    def __init__(self, file: BinaryIO, damage: str | None = None) -> None:
        self._file = file
        self.size = os.fstat(file.fileno()).st_size
        self.damage = damage
        """The reason why the rest could not be decompressed, or None."""

    def lines(self) -> Iterator[RawLine]:
        """Every line from the beginning. The bytes after the last line feed come as they are."""
        self._file.seek(0)
        number = offset = 0
        while data := self._file.readline(LONGEST_LINE + 1):
            number += 1
            if len(data) > LONGEST_LINE:
                raise VerificationFailed(f"line {number}: has more than {LONGEST_LINE // 2**20} MiB.")
            yield RawLine(number, offset, data)
            offset += len(data)

    def lines_from(self, offset: int) -> Iterator[bytes]:
        """The lines from an offset on. Several such readers may run at once."""
        held = b""
        size = _GLANCE
        while chunk := os.pread(self._file.fileno(), size, offset):
            offset += len(chunk)
            *whole, held = (held + chunk).split(b"\n")
            for line in whole:
                yield line + b"\n"
            if len(held) > LONGEST_LINE:
                raise VerificationFailed(f"a line has more than {LONGEST_LINE // 2**20} MiB.")
            # Twice as much each time: one line is cheap, a long one is not joined from many pieces.
            size = max(min(2 * size, _STRETCH), len(held))
        if held:
            yield held

    def line_number(self, offset: int) -> int:
        """The number of the line at an offset."""
        self._file.seek(0)
        number, left = 1, offset
        while left > 0 and (chunk := self._file.read(min(left, _CHUNK))):
            number += chunk.count(b"\n")
            left -= len(chunk)
        return number


def is_export(path: Path | str) -> bool:
    """Whether a file begins like an export, by its first bytes. One that was cut off while it was compressed does."""
    try:
        with open_to_read(path) as file:
            beginning = file.read(len(BEGINNING))
            if not beginning.startswith(_ZSTD):
                return beginning == BEGINNING
            file.seek(0)
            with _zstandard().ZstdDecompressor().stream_reader(file, closefd=False) as stream:
                return BEGINNING.startswith(_first(stream, len(BEGINNING)))
    except (InvalidInput, OSError):
        return False


def _first(stream: Any, size: int) -> bytes:
    """The first bytes of what is compressed, as far as it is whole."""
    found = b""
    with suppress(_zstandard().ZstdError):
        while len(found) < size and (more := stream.read(size - len(found))):
            found += more
    return found


@contextmanager
def opened_plain(path: Path | str) -> Iterator[BinaryIO]:
    """Opens a file of any kind. One that is compressed is decompressed into a temporary file, as far as it is whole."""
    with open_to_read(path) as file:
        try:
            beginning = file.read(len(_ZSTD))
        except OSError as error:
            raise InvalidInput("file", f"{str(path)!r} cannot be read: {error.strerror}") from None
        file.seek(0)
        if beginning != _ZSTD:
            yield file
            return
        with tempfile.TemporaryFile(prefix="backstory-") as unpacked:
            _unpack(file, unpacked)
            unpacked.seek(0)
            yield cast(BinaryIO, unpacked)


@contextmanager
def opened(path: Path | str) -> Iterator[ExportFile]:
    """Opens an export."""
    with open_to_read(path) as file:
        beginning = file.read(len(BEGINNING))
        if not beginning:
            raise InvalidInput("file", f"{str(path)!r} is empty")
        if not beginning.startswith(_ZSTD):
            _require_export(path, beginning)
            yield ExportFile(file)
            return
        file.seek(0)
        with tempfile.TemporaryFile(prefix="backstory-") as unpacked:
            damage = _unpack(file, unpacked)
            unpacked.seek(0)
            beginning = unpacked.read(len(BEGINNING))
            # One that was cut early may unpack to nothing; whoever reads it says so.
            if not BEGINNING.startswith(beginning):
                _require_export(path, beginning)
            yield ExportFile(unpacked, damage)


def _require_export(path: Path | str, beginning: bytes) -> None:
    if beginning != BEGINNING:
        raise InvalidInput("file", f"{str(path)!r} is no export of Backstory")


def open_to_read(path: Path | str) -> BinaryIO:
    """Opens a regular file for reading. InvalidInput if that fails."""
    try:
        # Asked before it is opened: opening a pipe would wait for its writer. A pipe cannot be read twice either.
        if not stat.S_ISREG(mode := Path(path).stat().st_mode) and not stat.S_ISDIR(mode):
            raise InvalidInput("file", f"{str(path)!r} is not a regular file")
        return open(path, "rb", buffering=_CHUNK)
    except FileNotFoundError:
        raise InvalidInput("file", f"{str(path)!r} is not there") from None
    except IsADirectoryError:
        raise InvalidInput("file", f"{str(path)!r} is a folder; name the files in it") from None
    except OSError as error:
        raise InvalidInput("file", f"{str(path)!r} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise InvalidInput("file", f"{str(path)!r} cannot be a path: {error}") from None


def _unpack(packed: IO[bytes], unpacked: IO[bytes]) -> str | None:
    """Decompresses as much as possible. Returns the reason if some is left."""
    library = _zstandard()
    try:
        with library.ZstdDecompressor().stream_reader(
            packed, closefd=False, read_across_frames=False
        ) as stream:
            while chunk := stream.read(_CHUNK):
                unpacked.write(chunk)
    except library.ZstdError as error:
        return f"is damaged where it was compressed: {error}"
    finally:
        unpacked.flush()
    return None


def _zstandard() -> Any:
    try:
        import zstandard
    except ImportError:
        raise InvalidInput("zstd", "needs a library: pip install 'backstory[zstd]'") from None
    return zstandard

"""Secrets in texts: found by their form and, in what tools say, by their randomness."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log2
from typing import NamedTuple

from backstory.domain.safety.secret_patterns import (
    ADDRESS,
    ASSIGNED,
    FORMS,
    NO_SECRET,
    PLACEHOLDER,
    Form,
)
from backstory.domain.text.pattern import pattern

RANDOM = "random-text"
"""The kind of a secret that no form tells, only its randomness."""
ENTROPY = 4.5
"""Bits per character from which a text may be random. One of hexadecimal digits has 4 at most: no hash and no UUID is
meant."""
SHORTEST, LONGEST = 28, 128
"""Characters of a random text. A shorter one cannot be told from a name; a longer one is data, such as an image."""
SHORTEST_TOKEN = 20
"""Characters of a secret that its form tells, but for a password."""
_EXAMPLE_PASSWORDS = frozenset(
    b"password passwd pass pwd pw secret postgres root admin user mysql guest rabbitmq minio redis".split()
)
_CHECKSUMS = frozenset((b"h1", b"md5", b"sha1", b"sha256", b"sha384", b"sha512"))
"""Names of what comes after them in many a lock file."""
_OF_TOKENS = bytes(
    character
    if chr(character) in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=.-:"
    else ord(" ")
    for character in range(256)
)
_CLASSES = pattern(r"[a-z]+|[A-Z]+|[0-9]+|[^a-zA-Z0-9]+")


class Secret(NamedTuple):
    """A secret in a text: its kind, and from which byte up to which it stands."""

    kind: str
    start: int
    end: int


def secrets_in(data: bytes, *, of_tool: bool = False, by_form: bool = False) -> list[Secret]:
    """The secrets in a text in UTF-8, in the order of their places and none within another. In what tools say
    (`of_tool`) random texts count, too; `by_form` finds only those that their form alone tells."""
    runs = [run for run in data.translate(_OF_TOKENS).split() if len(run) >= SHORTEST_TOKEN]
    found = [*_by_form(data, b" ".join(runs)), *_in_addresses(data)]
    if not by_form:
        found += _assigned(data)
        if of_tool:
            found += _random(data, runs)
    return _apart(found)


def masked(data: bytes, found: Sequence[Secret]) -> bytes:
    """The text with `[redacted:kind]` in the place of each secret."""
    pieces, end = [], 0
    for secret in found:
        pieces += [data[end : secret.start], b"[redacted:%b]" % secret.kind.encode()]
        end = secret.end
    return b"".join([*pieces, data[end:]]) if pieces else data


def without_secrets(text: str, *, of_tool: bool = False) -> str:
    """The text with its secrets masked."""
    data = text.encode(errors="surrogatepass")
    found = secrets_in(data, of_tool=of_tool)
    return masked(data, found).decode(errors="surrogatepass") if found else text


def entropy(value: bytes) -> float:
    """Bits per byte, by how often each stands in the value."""
    size = len(value)
    return -sum(count / size * log2(count / size) for count in Counter(value).values())


def _by_form(data: bytes, runs: bytes) -> Iterator[Secret]:
    folded = data.lower()
    where = {"runs": runs, "text": data, "folded": folded}
    for form in FORMS:
        looked_through = where[form.where]
        for word in form.words:
            if word in looked_through:
                for secret in _beginning(form, word, data, folded if form.where == "folded" else data):
                    if not data.endswith(b"EXAMPLE", secret.start, secret.end):
                        yield secret


def _beginning(form: Form, word: bytes, data: bytes, looked_through: bytes) -> Iterator[Secret]:
    """The secrets of a form that begin with one of its words."""
    at = looked_through.find(word)
    while at >= 0:
        match = form.expression.match(data, at)
        if match is not None:
            yield Secret(form.kind, *match.span(match.lastindex or 0))
        at = looked_through.find(word, at + len(word))


def _in_addresses(data: bytes) -> Iterator[Secret]:
    if b"@" in data:
        for secret in _beginning(ADDRESS, ADDRESS.words[0], data, data):
            password = data[secret.start : secret.end]
            if password.lower() not in _EXAMPLE_PASSWORDS and not PLACEHOLDER.search(password):
                yield secret


def _assigned(data: bytes) -> Iterator[Secret]:
    folded = data.lower()
    for word in ASSIGNED.words:
        for secret in _beginning(ASSIGNED, word, data, folded):
            if _looks_secret(data[secret.start : secret.end]):
                yield secret


def _looks_secret(value: bytes) -> bool:
    """Whether a value that is assigned to a secret's name is a secret: it mixes letters with digits and signs, as no
    word and no name in a program does."""
    letters = any(map(str.isalpha, value.decode(errors="replace")))
    if not letters or not any(48 <= byte <= 57 for byte in value) or PLACEHOLDER.search(value):
        return False
    return entropy(value) >= 3 and len(_classes(value)) >= 4


def _random(data: bytes, runs: Sequence[bytes]) -> Iterator[Secret]:
    # Where a long run stands is looked for only once it is known to be random, which is rare.
    for run in dict.fromkeys(runs):
        for start, value in _words(run):
            if SHORTEST <= len(value) <= LONGEST and _is_random(value):
                at = data.find(run)
                while at >= 0:
                    first = at + start
                    yield Secret(RANDOM, first + _escaped(data, first), first + len(value))
                    at = data.find(run, at + len(run))


def _escaped(data: bytes, at: int) -> int:
    """How many of the next bytes belong to an escape of JSON, such as a line break's."""
    if data[at - 1 : at] != b"\\":
        return 0
    return 5 if data[at : at + 1] == b"u" else 1


def _words(run: bytes) -> Iterator[tuple[int, bytes]]:
    """What a run assigns or lists, each with its place: the parts between `=`, `:` and dots, without checksums."""
    start, before = 0, b""
    for word in run.replace(b":", b"=").replace(b".", b"=").split(b"="):
        if before.lower() not in _CHECKSUMS:
            yield start, word
        start, before = start + len(word) + 1, word


def _is_random(value: bytes) -> bool:
    """Whether letters of both cases and digits are mixed as only chance mixes them: in names and paths they come in
    runs."""
    if value.count(b"/") > 2 or entropy(value) < ENTROPY or NO_SECRET.match(value):
        return False
    runs = _classes(value)
    kinds = {run[0].isupper() for run in runs if run[0].isalpha()}
    return len(runs) >= 0.45 * len(value) and len(kinds) == 2 and any(run[0].isdigit() for run in runs)


def _classes(value: bytes) -> list[str]:
    """The runs of small letters, of capitals, of digits and of signs in a value."""
    return _CLASSES.findall(value.decode(errors="replace"))


def _apart(found: list[Secret]) -> list[Secret]:
    """The secrets in order, without those that overlap one before."""
    chosen: list[Secret] = []
    for secret in sorted(found, key=lambda one: (one.start, -one.end)):
        if not chosen or secret.start >= chosen[-1].end:
            chosen.append(secret)
    return chosen

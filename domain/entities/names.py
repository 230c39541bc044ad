"""Names in a text by their form: addresses, files, functions, classes, technologies, people, errors.

One regular expression walks through the text. Each of its parts is bounded, so that every character is looked at a
bounded number of times.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from backstory.domain.entities.lexicon import CAPITALISED, FIRST_WORDS, LONGEST_NAME, TECHNOLOGIES
from backstory.domain.entities.word_kinds import CAMEL, ERROR, PASCAL, SNAKE, named
from backstory.domain.entities.words import DECORATORS, KEYWORDS
from backstory.domain.text.pattern import pattern


class NameMatch(NamedTuple):
    start: int
    end: int
    kind: str | None
    """None for what is no entity but may not be part of one either: an e-mail address, a decorator."""
    name: str


_STATUS = (
    "Bad Request|Unauthorized|Forbidden|Not Found|Method Not Allowed|Conflict|Gone|Unprocessable|Too Many Requests|"
    "Internal Server Error|Not Implemented|Bad Gateway|Service Unavailable|Gateway Time-?out|errors?|responses?"
)
# Quantifiers are possessive where what follows cannot begin with what they repeat: giving back would be in vain.
_SMALL = (  # the words of which most text consists come before everything that is tried in vain on them
    r"(?=[a-z])(?:\b(?:line \d{1,7}, in (?P<traced>[A-Za-z_]\w{0,80})"
    r"|(?:def|function|func|fn|async def) (?P<definition>[A-Za-z_]\w{0,80})(?=\s?[(<\[])"
    r"|(?:class|struct|interface|trait|enum|protocol) (?P<type>[A-Z]\w{0,80})"
    r"|(?:status|status code|error code|returns|returned|returning|gets|got|a|throws|with|answers)"
    r" (?:an? |code |status ){0,2}(?P<coded>[45]\d\d)\b(?![.,]\d| (?:MB|GB|KB|ms|rows|messages|lines|users|"
    r"requests|tokens|%)))"
    r"|(?P<plain>[a-z]{1,40}+(?=[ \n,;!?)'\"]|[.:](?:\s|$)|$))"
    r"|(?P<url>(?:https?|ftp|wss?|ssh|git|s3|file|postgres|postgresql|redis|mysql|mongodb|"
    r"amqp)://[^\s<>\"'`\\]{1,2000}"
    r"|www\.[\w-]{1,60}\.[^\s<>\"'`\\]{1,500}))"
)
_WITH_AT = (
    r"|(?P<email>[\w.+-]{1,64}+@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})"
    r"|(?P<package>(?<![\w@])@[a-z][\w-]{0,40}/[a-z][\w.-]{0,60})"
    r"|(?P<person>(?<![\w.@/`$])@(?P<handle>[A-Za-z][\w-]{0,38})(?![\w(@:/]|\.\w|-\w))"
    r"|(?P<decorator>@[A-Za-z_][\w.]{0,80})"
)
_ANY = (
    r"|`{1,2}(?P<ticked>[^`\n]{1,120})`{1,2}"
    r"|\bHTTP[ /-]?(?:error |status |code ){0,2}(?P<http>[45]\d\d)\b"
    r"|\b(?P<status>[45]\d\d)(?: (?:" + _STATUS + r")\b)"
    r"|\b(?P<drive>[A-Za-z]:\\[^\s\"'`<>|*?:,;()]{1,240})"
    r"|(?P<call>(?<![\w.])[A-Za-z_]\w{0,60}+(?:\.[A-Za-z_]\w{0,60}+){0,6}+)(?P<open>\((?P<arguments>[^()\n]{0,60}+)\))"
    r"|(?P<word>(?:[A-Za-z0-9_~]|\.{1,2}/|\.(?=[A-Za-z])|/(?=[A-Za-z]))[\w./\\+#-]{0,200})"
)
# The first character is tested before anything else is tried.
_SCAN = pattern(r"(?=[\w.+@/`~-])(?:" + _SMALL + _WITH_AT + _ANY + ")")
_SCAN_WITHOUT_AT = pattern(r"(?=[A-Za-z0-9_./`~])(?:" + _SMALL + _ANY + ")")
_FOLLOWING = pattern(r"[ \t]([A-Za-z0-9][\w.+#/-]{0,40})")
_IDENTIFIER = pattern(r"[A-Za-z_]\w{1,80}")
_DOTTED = pattern(r"[A-Za-z_]\w{0,60}(?:\.[A-Za-z_]\w{0,60}){1,6}")
_BEGINS = pattern(r"(?:^|[.!?:\n#>•*-])[\s\"'(*_]{0,4}$")


def scan(text: str, in_code: bool = False) -> Iterator[NameMatch]:
    """The names in a text, from left to right, none overlapping another."""
    expression = _SCAN if "@" in text else _SCAN_WITHOUT_AT
    place = 0
    while match := expression.search(text, place):
        place = match.end()
        if found := _found(text, match, in_code):
            yield from found
            place = max(place, found[-1].end)


def _found(text: str, match: re.Match[str], in_code: bool) -> Sequence[NameMatch]:
    kind = match.lastgroup or "word"
    start, end = match.span()
    if kind == "plain":
        word = match[0]
        return _worded(text, word, start) if word in TECHNOLOGIES or word in FIRST_WORDS else ()
    if kind == "word":
        return _worded(text, match[0], start)
    if kind == "open":
        return list(_called(text, match, in_code))
    if kind == "ticked":
        return list(_ticked(match))
    if kind in ("traced", "definition"):
        return [NameMatch(*match.span(kind), "function", match[kind])]
    if kind == "type":
        return [
            NameMatch(*match.span(kind), "error" if ERROR.fullmatch(match[kind]) else "class", match[kind])
        ]
    if kind in ("http", "status", "coded"):
        begin = start if kind == "http" else match.start(kind)
        return [NameMatch(begin, end, "error", f"HTTP {match[kind]}")]
    if kind == "url":
        address = _closed(match[0])
        return [NameMatch(start, start + len(address), "url", address)]
    if kind == "package":
        return [NameMatch(start, end, "technology", match[0].rstrip("."))]
    if kind == "person":
        is_person = not in_code and match["handle"] not in DECORATORS and "_" not in match["handle"]
        return [NameMatch(start, end, "person" if is_person else None, match[0])]
    if kind == "drive":
        path = match[0].rstrip(".")
        return [NameMatch(start, start + len(path), "file", path)]
    return [NameMatch(start, end, None, "")]


def _called(text: str, match: re.Match[str], in_code: bool) -> Iterator[NameMatch]:
    """`name()`. With arguments it must look like a name too, or "token(s)" would be one."""
    name, start, end = match["call"], match.start(), match.end()
    error = ERROR.fullmatch(name)
    last = name.rsplit(".", 1)[-1]
    if error:
        yield NameMatch(match.end("call") - len(error[1]), match.end("call"), "error", error[1])
    elif in_code:
        yield from _worded(text, name, start)
    elif match["arguments"] == "" or SNAKE.fullmatch(last) or CAMEL.fullmatch(last):
        yield NameMatch(start, end if match["arguments"] == "" else match.end("call"), "function", name)
        if match["arguments"]:
            yield from _inside(match["arguments"], match.start("arguments"))
    elif PASCAL.fullmatch(last):
        yield NameMatch(start, match.end("call"), "class", last)
        yield from _inside(match["arguments"], match.start("arguments"))
    else:
        yield from _worded(text, name, start)
        yield from _inside(match["arguments"], match.start("arguments"))


def _inside(text: str, offset: int) -> Iterator[NameMatch]:
    for start, end, kind, name in scan(text):
        yield NameMatch(start + offset, end + offset, kind, name)


def _ticked(match: re.Match[str]) -> Iterator[NameMatch]:
    """Text in backticks: a name even when it looks like a plain word."""
    start, end = match.span("ticked")
    inner = match["ticked"].strip()
    found = named(inner, begins_sentence=False)
    bare = inner.removesuffix("()")
    if found is not None:
        yield NameMatch(start, end, *found)
    elif _DOTTED.fullmatch(bare) and PASCAL.fullmatch(bare.rsplit(".", 1)[-1]) and bare == inner:
        yield NameMatch(start, end, "class", bare.rsplit(".", 1)[-1])
    elif _DOTTED.fullmatch(bare) or (_IDENTIFIER.fullmatch(bare) and _may_be_a_name(bare)):
        yield NameMatch(start, end, "function", bare)
    elif " " in inner or "(" in inner:
        yield from _inside(match["ticked"], start)
    else:
        yield NameMatch(start, end, None, "")


def _may_be_a_name(word: str) -> bool:
    return not word.isupper() and word.lower() not in KEYWORDS


def _worded(text: str, word: str, start: int) -> Sequence[NameMatch]:
    """A run of the characters that names and paths are made of."""
    alone = _alone(word)
    if alone is not None:
        return (
            [NameMatch(start + first, start + last, kind, name) for first, last, kind, name in alone]
            if alone
            else ()
        )
    name = _bare(word)
    several = _several_words(text, name, start)
    if several is not None:
        return [several]
    begins_sentence = _BEGINS.search(text, max(0, start - 6), start) is not None
    return _single(name, start, begins_sentence)


@lru_cache(maxsize=4096)
def _alone(word: str) -> Sequence[NameMatch] | None:
    """The names in such a run whatever stands around it, with places from its beginning; None when that matters: for
    the first word of a name of several words, and for a name that is an English word too."""
    name = _bare(word)
    return None if name.lower() in FIRST_WORDS or name in CAPITALISED else _single(name, 0, False)


def _bare(word: str) -> str:
    return word if word.endswith(("C++", "c++")) else word.rstrip(".-+\\")


def _single(name: str, start: int, begins_sentence: bool) -> list[NameMatch]:
    found = named(name, begins_sentence) if name else None
    if found is not None:
        return [NameMatch(start, start + len(name), *found)]
    for mark in ("/", "-", "."):
        if mark in name and not name.startswith(mark):
            return list(_pieces(name, mark, start))
    return []


def _several_words(text: str, name: str, start: int) -> NameMatch | None:
    """A technology with a name of more than one word: the longest that stands here."""
    if name.lower() not in FIRST_WORDS:
        return None
    words, ends, end = [name], [start + len(name)], start + len(name)
    while len(words) < LONGEST_NAME and (following := _FOLLOWING.match(text, end)):
        words.append(following[1].rstrip("."))
        end = following.end()
        ends.append(following.start(1) + len(words[-1]))
    for count in range(len(words), 1, -1):
        known = TECHNOLOGIES.get(" ".join(words[:count]).lower())
        if known is not None:
            return NameMatch(start, ends[count - 1], "technology", known)
    return None


def _pieces(name: str, mark: str, start: int) -> Iterator[NameMatch]:
    """Technologies and errors within "React/Redux", "Postgres-backed" and "errors.LockedError"."""
    place = start
    for piece in name.split(mark):
        found = named(piece, begins_sentence=mark == "-") if piece else None
        if found is not None and (
            found[0] in ("technology", "error") or (mark == "/" and found[0] != "file")
        ):
            yield NameMatch(place, place + len(piece), *found)
        place += len(piece) + len(mark)


def _closed(address: str) -> str:
    """An address without what closes the sentence or the bracket it stands in."""
    while address and address[-1] in ".,;:!?)]}*_":
        if address[-1] in ")]}" and address.count("([{"[")]}".index(address[-1])]) >= address.count(
            address[-1]
        ):
            break
        address = address[:-1]
    return address

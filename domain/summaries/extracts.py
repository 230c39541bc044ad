"""Extracts from a conversation: the sentences that tell most about the work done, and the announced next steps."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backstory.domain.summaries.cues import (
    achieved,
    asks,
    comes_next,
    failed,
    found_out,
    is_filler,
    is_of_oneself,
    is_result_of_checks,
    is_unfinished,
    is_wish,
    lead_length,
    names_a_thing,
    planned,
    refers_back,
    tells_facts,
    tells_of_a_change,
)
from backstory.domain.summaries.lines import (
    CUT,
    LONGEST_SENTENCE,
    are_nonsense,
    content_words,
    cut,
    cut_at_a_clause,
    is_nonsense,
    prose_lines,
    telling,
)
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.text.markdown import outside_code
from backstory.domain.text.sentences import line_sentences
from backstory.domain.text.words import words

# Of a very long message, mostly a tool's output, the beginning and the end are read.
_READ_FIRST, _READ_LAST = 20_000, 4_000
_FROM_ONE_MESSAGE = 2
_LONGEST_SAID = 1500
"""Characters of a message that somebody wrote by hand. A longer one, or one with headings, is a document or a log."""
_MOST_WORDS_SAID = 250
_LONGEST_QUOTE = 200
_LAST_SPOKEN = 3
"""Messages of agents in which a next step is still to come. What was announced before is done or forgotten."""
_MOST_FAILURES = 3
DONE = "✅ "
CURRENT = "🔄 "
_ENOUGH = 3
"""Words that tell, for a sentence to say something by itself."""
_MUCH = 7
"""The same, for a sentence between people that names no fact."""
_LEAST_OF_ITS_OWN = 5
"""The same, for a sentence that refers to another."""
_LEAST_FOUND = 5
"""The same, for a cause that an agent found."""
_ALIKE = 0.6
"""Two sentences that share this much of their words say the same."""
_RECENT = 0.6
"""The bonus of the newest message over the oldest: as much as a sentence that tells of something done and names a
thing."""


class Extract(NamedTuple):
    """A sentence with its place: which message, which line of it, which in the line."""

    place: tuple[int, int, int]
    text: str
    score: float
    about: frozenset[str]
    """Its `content_words`."""


def told(
    messages: Iterable[SourceMessage], most: int, known: Iterable[str] = (), *, works: bool = True
) -> list[str]:
    """What agents report as done, and what failed after that, each with its mark: newer ones before older ones, none
    like another or like what is known. In their order. An agent that does not work with tools advises; of it only what
    it says it did itself counts."""
    reports = list(_reports(tuple(messages), works))
    done = [report for report in reports if achieved(report.text)]
    # Of all the times that tests passed, the last one counts.
    checks = [report for report in done if is_result_of_checks(report.text)]
    done = [report for report in done if report not in checks[:-1]]
    chosen = _chosen(done, most, known)
    last_done = max((report.place for report in chosen), default=(-1, 0, 0))
    failing = [report for report in reports if not achieved(report.text) and report.place > last_done]
    open_still = _chosen(failing, min(most - len(chosen), _MOST_FAILURES), known)
    return [DONE + cut(report.text) for report in chosen] + [
        CURRENT + cut(report.text) for report in open_still
    ]


def said(messages: Iterable[SourceMessage], most: int, known: Iterable[str] = ()) -> list[str]:
    """What people asked and told, and what agents found out, each after its speaker, at most one of a message. In their
    order."""
    messages = tuple(messages)
    chosen = _chosen(_statements(messages), most, known, from_one_message=1)
    return [
        f"{messages[extract.place[0]].speaker}: {cut_at_a_clause(extract.text, _LONGEST_QUOTE)}"
        for extract in chosen
    ]


def _chosen(
    candidates: Iterable["Extract"],
    most: int,
    known: Iterable[str],
    from_one_message: int = _FROM_ONE_MESSAGE,
) -> list["Extract"]:
    chosen: list[Extract] = []
    taken: dict[int, int] = {}
    known = tuple(known)
    cut_before = [text.removesuffix(CUT) for text in known if text.endswith(CUT)]
    seen = [content_words(text) for text in known]
    for sentence in sorted(candidates, key=_most_telling):
        if len(chosen) == most:
            break
        about, message = sentence.about, sentence.place[0]
        if taken.get(message, 0) == from_one_message or any(_alike(about, other) for other in seen):
            continue
        if any(sentence.text.startswith(beginning) for beginning in cut_before):
            continue
        chosen.append(sentence)
        seen.append(about)
        taken[message] = taken.get(message, 0) + 1
    return sorted(chosen)


def _most_telling(sentence: Extract) -> tuple[float, int, tuple[int, int, int]]:
    return -sentence.score, -sentence.place[0], sentence.place


def announced(messages: Iterable[SourceMessage], most: int, *, works: bool = True) -> list[str]:
    """The next steps that agents announced, in the newest of their last messages that has any. "Next, …" of an agent
    that works without tools is a step of its advice."""
    spoken = [message for message in messages if _by_agent(message) and message.text.strip()]
    for message in reversed(spoken[-_LAST_SPOKEN:]):
        found = [
            cut(text)
            for line in prose_lines(_read(message.text))
            for text in line_sentences(line)
            if comes_next(text)
            and (is_of_oneself(text) or (works and text[:4].lower() == "next"))
            and not is_filler(text)
            and not text.endswith(("?", ":"))
            and not is_nonsense(cut(text))
        ]
        if found:
            return list(dict.fromkeys(found))[:most]
    return []


def opening(messages: Iterable[SourceMessage]) -> str:
    """The first request of a user: the first line that asks for something, as far as its sentences fit.

    Where nobody asks, the first line that says enough; of a talk between people, nothing.
    """
    messages = tuple(messages)
    if _is_a_talk(messages):
        return ""
    first = ""
    # A document that was loaded or pasted asks for much that nobody wants now. What asks on comes after what it is
    # about.
    for message in sorted(
        messages, key=lambda message: _is_a_document(message.text) or _asks_on(message.text)
    ):
        if message.role != "user" or not (_is_by_hand(message.text) or _begins_with_an_order(message.text)):
            continue
        for line in prose_lines(_read(message.text)):
            asked = [text for text in line_sentences(line) if not is_filler(text) or asks(text)]
            # A line with a colon announces another that says more: "Consider the following issue:".
            if not asked or asked[0].endswith(":") or line.startswith(("<", "[")) or is_nonsense(cut(line)):
                continue
            kept = cut_at_a_clause(asked[0][lead_length(asked[0]) :], LONGEST_SENTENCE)
            # A path or an address alone has words in it and says nothing.
            if len(content_words(kept)) < _ENOUGH or (kept.isascii() and " " not in kept):
                continue
            if asks(kept) or is_wish(words(kept)) or kept.endswith("?"):
                return kept
            first = first or kept
    return first or _subject_of_a_document(messages)


def _subject_of_a_document(messages: Sequence[SourceMessage]) -> str:
    """Of the first message of a user, which a program wrote: the line after one that announces it with a colon."""
    text = next((message.text for message in messages if message.role == "user"), "")
    announced = False
    for line in prose_lines(_read(text)):
        if line.endswith(":"):
            announced = True
        elif announced and len(content_words(line)) >= _ENOUGH and not line.startswith(("<", "[")):
            return cut_at_a_clause(line_sentences(line)[0].replace("**", ""), LONGEST_SENTENCE)
    return ""


def _asks_on(text: str) -> bool:
    """Whether a message continues a talk: "hmm, what if …"."""
    return lead_length(text) > 0 or text[:7].lower() == "what if"


def _begins_with_an_order(text: str) -> bool:
    first = next(prose_lines(_read(text)), "")
    if not _is_by_a_person(text):
        return False
    return is_wish(words(first)) and first.endswith((":", "."))


def _is_a_talk(messages: Sequence[SourceMessage]) -> bool:
    """Whether several people talk among themselves, without an agent."""
    speakers = {message.agent for message in messages if message.role == "user"}
    return len(speakers) > 1 and not any(_by_agent(message) for message in messages)


def _is_a_document(text: str) -> bool:
    """Whether a text, without its code, is long or has headings: nobody wrote it for this talk."""
    own = outside_code(text)
    return "\n#" in f"\n{own}" or (len(own) > _LONGEST_SAID and len(own.split()) > _MOST_WORDS_SAID)


def _is_by_hand(text: str) -> bool:
    """Whether somebody wrote it for this talk."""
    return not _is_a_document(text) and _is_by_a_person(text)


def _is_by_a_person(text: str) -> bool:
    """Whether it does not begin with a tag or a note in brackets, as what a program wrote does."""
    return text.lstrip()[:1] not in ("<", "[")


def _statements(messages: Sequence[SourceMessage]) -> Iterator[Extract]:
    """What people told or asked for in messages that they wrote by hand, and what agents found out."""
    served = not _is_a_talk(messages)
    for number, message in enumerate(messages):
        by_user = message.role == "user"
        if not (by_user or _by_agent(message)) or (by_user and not _is_by_hand(message.text)):
            continue
        own = _without_pasted(message.text) if by_user else message.text
        for row, line in enumerate(prose_lines(_read(own))):
            for column, whole in enumerate(line_sentences(line)):
                text = whole[lead_length(whole) :]
                about = content_words(text)
                request = by_user and served and (asks(text) or is_wish(words(text)) or text.endswith("?"))
                if len(about) < _ENOUGH or text.endswith(":") or text[0].isdigit() or is_nonsense(cut(text)):
                    continue
                if is_filler(text) and (not request or len(about) == _ENOUGH):
                    continue
                refers = refers_back(text)
                if refers and len(about) <= (_LEAST_OF_ITS_OWN if by_user else _LEAST_FOUND):
                    continue
                if by_user:
                    # Of a talk between people, what they tell of themselves.
                    if not request and (text.endswith("?") or not is_of_oneself(text)):
                        continue
                    telling_much = tells_facts(text) or tells_of_a_change(text) or len(about) >= _MUCH
                    if not served and not telling_much:
                        continue
                elif (
                    not found_out(text)
                    or len(about) < _LEAST_FOUND
                    or planned(text) is not None
                    or text.endswith("?")
                ):
                    continue
                score = (
                    min(len(about), 12) / 12 + (0.4 if tells_facts(text) else 0.0) + (0.4 if request else 0.0)
                )
                score += 0.3 if tells_of_a_change(text) else 0.0
                score -= 0.5 if refers else 0.0
                score -= 0.2 if len(text) > LONGEST_SENTENCE or text.endswith("!") else 0.0
                yield Extract((number, row, column), text, round(score, 6), about)


def _without_pasted(text: str) -> str:
    """The text without the lines that are quoted or stand indented, as those of a terminal do."""
    lines = text.splitlines()
    return "\n".join(line for line in lines if not line.startswith((">", "   ", "\t")))


def _reports(messages: Sequence[SourceMessage], works: bool) -> Iterator[Extract]:
    """What agents report as done, and what they and their tools report as failed."""
    for number, message in enumerate(messages):
        if not _by_agent(message) and not (message.role == "tool" and message.errors):
            continue
        for row, line in enumerate(prose_lines(_read(message.text))):
            for column, marked in enumerate(line_sentences(line)):
                text = marked.replace("**", "").strip("✅☑✔*_ ")
                text = text[lead_length(text) :]
                about = telling(folded := words(text))
                if not works and not (folded[:1] in (["i"], ["we"]) or message.errors):
                    continue
                score = _score(text, folded, about, message)
                if score is not None:
                    bonus = _RECENT * (number + 1) / len(messages)
                    yield Extract((number, row, column), text, round(score + bonus, 6), about)


def _score(text: str, folded: list[str], about: frozenset[str], message: SourceMessage) -> float | None:
    """The score of a sentence; None if it tells neither of work done nor of a failure."""
    is_done, fails = achieved(text), failed(text)
    if (
        len(about) < (2 if fails or "pass" in folded else _ENOUGH)
        or (message.role == "tool" and not fails)
        or text.endswith(("?", "？", ":"))
        or is_unfinished(text)
    ):
        return None
    if are_nonsense(folded if len(text) <= LONGEST_SENTENCE else words(cut(text))) or text.startswith("<"):
        return None
    if not is_done and len(folded) <= _ENOUGH:
        return None
    # "Let me see whether it is fixed" is a plan, whatever follows.
    plan = planned(text)
    if not (is_done or (fails and not is_wish(folded))) or (plan is not None and (plan == 0 or not is_done)):
        return None
    score = message.importance - 0.4 + min(len(about), 12) / 24
    score += 0.4 if is_done else 0.0
    score += 0.2 if names_a_thing(text) else 0.0
    return score - (0.2 if len(text) > LONGEST_SENTENCE else 0.0)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    together = one | other
    if not together or len(one & other) < _ALIKE * len(together):
        return False
    # "12 tests pass" and "40 tests pass" are two things.
    return not any(word.isdigit() for word in one ^ other)


def _by_agent(message: SourceMessage) -> bool:
    return message.role in ("agent", "assistant")


def _read(text: str) -> str:
    if len(text) <= _READ_FIRST + _READ_LAST:
        return text
    return text[:_READ_FIRST] + "\n" + text[-_READ_LAST:]

"""Extracts from a conversation: the sentences that tell most about the work done, and the announced next steps."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from backstory.domain.summaries.cues import (
    achieved,
    asks_to_choose,
    comes_next,
    failed,
    feels,
    found_out,
    is_a_greeting,
    is_failing,
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
    share_most_words,
    telling,
)
from backstory.domain.summaries.source import SourceMessage
from backstory.domain.summaries.speech import (
    ENOUGH,
    ends,
    is_a_talk,
    is_by_agent,
    is_by_hand,
    requests,
    without_pasted,
)
from backstory.domain.text.sentences import line_sentences
from backstory.domain.text.words import words

_FROM_ONE_MESSAGE = 2
_LONGEST_QUOTE = 200
_LAST_SPOKEN = 3
"""Messages of agents in which a next step is still to come. What was announced before is done or forgotten."""
_LATELY = 6
"""Messages of agents in which something that fails is still open."""
_MOST_FAILURES = 3
DONE = "✅ "
CURRENT = "🔄 "
_MOST_OF_ANYTHING = 3
_MUCH = 7
"""The same, for a sentence between people that names no fact."""
_LEAST_OF_ITS_OWN = 5
"""The same, for a sentence that refers to another."""
_LEAST_FOUND = 5
"""The same, for a cause that an agent found."""
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
    messages = tuple(messages)
    reports = list(_reports(messages, works))
    done = [report for report in reports if achieved(report.text)]
    # Of all the times that tests passed, the last one counts.
    checks = [report for report in done if is_result_of_checks(report.text)]
    done = [report for report in done if report not in checks[:-1]]
    chosen = _chosen(done, most, known)
    last_done = max((report.place for report in chosen), default=(-1, 0, 0))
    spoken = [
        number for number, message in enumerate(messages) if is_by_agent(message) and message.text.strip()
    ]
    lately = spoken[-_LATELY] if len(spoken) >= _LATELY else 0
    failing = [
        report
        for report in reports
        if not achieved(report.text) and report.place > last_done and report.place[0] >= lately
    ]
    open_still = _chosen(failing, min(most - len(chosen), _MOST_FAILURES), known)
    return [DONE + cut(report.text) for report in chosen] + [
        CURRENT + cut(report.text) for report in open_still
    ]


def said(messages: Iterable[SourceMessage], most: int, known: Iterable[str] = ()) -> list[str]:
    """What people asked and told, and what agents found out, each after its speaker, at most one of a message. In their
    order. Of a talk between people, what happened."""
    messages = tuple(messages)
    chosen = _chosen(_statements(messages), most, known, from_one_message=1)
    return [
        f"{messages[extract.place[0]].speaker}: {cut_at_a_clause(extract.text, _LONGEST_QUOTE)}"
        for extract in chosen
    ]


def anything(messages: Iterable[SourceMessage]) -> list[str]:
    """The longest sentences of people and agents, of which nothing better is to be told, each after its speaker."""
    lines = [
        f"{message.speaker}: {cut_at_a_clause(text, _LONGEST_QUOTE)}"
        for message in messages
        if message.role == "user" or is_by_agent(message)
        for line in prose_lines(ends(message.text))
        for text in line_sentences(line)
        if not is_nonsense(cut(text))
    ]
    longest = sorted(dict.fromkeys(lines), key=len, reverse=True)[:_MOST_OF_ANYTHING]
    return [line for line in dict.fromkeys(lines) if line in longest]


def _chosen(
    candidates: Iterable["Extract"],
    most: int,
    known: Iterable[str],
    from_one_message: int = _FROM_ONE_MESSAGE,
) -> list["Extract"]:
    chosen: list[Extract] = []
    taken: dict[int, int] = {}
    known = tuple(known)
    cut_before = [text.removesuffix(CUT) for text in known if text.endswith(CUT) and text != CUT]
    seen = [content_words(text) for text in known]
    for sentence in sorted(candidates, key=_most_telling):
        if len(chosen) == most:
            break
        about, message = sentence.about, sentence.place[0]
        if taken.get(message, 0) == from_one_message or any(_alike(about, other) for other in seen):
            continue
        if any(sentence.text.startswith(beginning) for beginning in cut_before):
            continue
        if any(_is_repeated(sentence.text, other.text) for other in chosen):
            continue
        chosen.append(sentence)
        seen.append(about)
        taken[message] = taken.get(message, 0) + 1
    return sorted(chosen)


def _is_repeated(one: str, other: str) -> bool:
    """Whether one of two sentences begins with all of the other."""
    one, other = one.rstrip(".!? "), other.rstrip(".!? ")
    return one.startswith(other) or other.startswith(one)


def _most_telling(sentence: Extract) -> tuple[float, int, tuple[int, int, int]]:
    return -sentence.score, -sentence.place[0], sentence.place


def announced(messages: Iterable[SourceMessage], most: int, *, works: bool = True) -> list[str]:
    """The next steps that agents announced, in the newest of their last messages that has any. "Next, …" of an agent
    that works without tools is a step of its advice."""
    if not works:
        return []
    spoken = [message for message in messages if is_by_agent(message) and message.text.strip()]
    for message in reversed(spoken[-_LAST_SPOKEN:]):
        found = [
            cut(text)
            for line in prose_lines(ends(message.text))
            for text in line_sentences(line)
            if comes_next(text)
            and (is_of_oneself(text) or text[:4].lower() == "next")
            and not is_filler(text)
            and not text.endswith(("?", ":"))
            and not is_nonsense(cut(text))
        ]
        if found:
            return list(dict.fromkeys(found))[:most]
    return []


def _statements(messages: Sequence[SourceMessage]) -> Iterator[Extract]:
    """What people told or asked for in messages that they wrote by hand, and what agents found out."""
    served = not is_a_talk(messages)
    names = dict.fromkeys(message.agent for message in messages if message.agent)
    for number, message in enumerate(messages):
        by_user = message.role == "user"
        if not (by_user or is_by_agent(message)) or (by_user and not is_by_hand(message.text)):
            continue
        own = without_pasted(message.text) if by_user else message.text
        for row, line in enumerate(prose_lines(ends(own))):
            for column, whole in enumerate(line_sentences(line)):
                text = whole[lead_length(whole) :].replace("**", "")
                about = content_words(text)
                request = by_user and served and requests(text)
                if len(about) < ENOUGH or text.endswith(":") or text[0].isdigit() or is_nonsense(cut(text)):
                    continue
                # "do 1, 2 and 5" says nothing without the list.
                if all(word.isdigit() for word in about):
                    continue
                if is_a_greeting(text):
                    continue
                if is_filler(text) and (not request or len(about) == ENOUGH):
                    continue
                refers = refers_back(text)
                if refers and len(about) <= (_LEAST_OF_ITS_OWN if by_user else _LEAST_FOUND):
                    continue
                if by_user:
                    # Of a talk between people, what they tell of themselves.
                    if not request and (text.endswith("?") or not is_of_oneself(text)):
                        continue
                    if not served and not _tells_of_a_life(text, about, names):
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


def _tells_of_a_life(text: str, about: frozenset[str], names: Iterable[str]) -> bool:
    """Whether a sentence between people says what happened, rather than what anybody might say."""
    if feels(text) and not tells_of_a_change(text):
        return False
    return tells_facts(_without(text, names)) or tells_of_a_change(text) or len(about) >= _MUCH


def _without(text: str, names: Iterable[str]) -> str:
    """The text without these names: whom one speaks to is no fact."""
    for name in names:
        text = text.replace(name, "")
    return text


def _reports(messages: Sequence[SourceMessage], works: bool) -> Iterator[Extract]:
    """What agents report as done, and what they and their tools report as failed."""
    for number, message in enumerate(messages):
        if not is_by_agent(message) and not (message.role == "tool" and message.errors):
            continue
        offers = asks_to_choose(message.text)
        for row, line in enumerate(prose_lines(ends(message.text))):
            for column, marked in enumerate(line_sentences(line)):
                text = marked.replace("**", "").strip("✅☑✔*_ ")
                text = text[lead_length(text) :]
                about = telling(folded := words(text))
                by_itself = folded[:1] in (["i"], ["we"])
                # An option is told like what was done: "Added a check, or …".
                if not by_itself and ((not works and not message.errors) or offers):
                    continue
                score = _score(text, folded, about, message)
                if score is not None:
                    bonus = _RECENT * (number + 1) / len(messages)
                    yield Extract((number, row, column), text, round(score + bonus, 6), about)


def _score(text: str, folded: list[str], about: frozenset[str], message: SourceMessage) -> float | None:
    """The score of a sentence; None if it tells neither of work done nor of a failure."""
    is_done, fails = achieved(text), failed(text) if message.role == "tool" else is_failing(text)
    if (
        len(about) < (2 if fails or "pass" in folded else ENOUGH)
        or (message.role == "tool" and not fails)
        or text.endswith(("?", "？", ":"))
        or is_unfinished(text)
    ):
        return None
    if are_nonsense(folded if len(text) <= LONGEST_SENTENCE else words(cut(text))) or text.startswith("<"):
        return None
    if not is_done and len(folded) <= ENOUGH:
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
    if not share_most_words(one, other):
        return False
    # "12 tests pass" and "40 tests pass" are two things.
    return not any(word.isdigit() for word in one ^ other)

"""Long conversations with questions, and for each question the turns that hold its evidence."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from backstory.domain.search.corpus import Corpus, Document
from backstory.domain.search.marks import marks
from backstory.domain.search.terms import terms
from backstory.domain.values import microseconds
from backstory.infrastructure.llm.tokens import count_lines

DATA = Path(__file__).parents[2] / "shared" / "data"
ENCODING = "cl100k_base"
BUDGETS = {"locomo": (500, 1_000, 2_000, 4_000, 8_000), "beam": (2_000, 4_000, 8_000, 16_000)}
ROLES = ("user", "assistant")
ADVERSARIAL = 5
"""LoCoMo's category of questions that the conversation does not answer."""


class Turn(NamedTuple):
    session: int
    speaker: str
    time: datetime
    text: str
    tokens: int
    """Of the text with the name of its speaker."""

    @property
    def name(self) -> str | None:
        """The speaker's, where it is a person's."""
        return None if self.speaker in ROLES else self.speaker


class Question(NamedTuple):
    text: str
    evidence: frozenset[int]
    """Places of turns."""


# Compared by identity: what is made of one is kept for it.
@dataclass(frozen=True, eq=False)
class Conversation:
    name: str
    turns: Sequence[Turn]
    questions: Sequence[Question]

    @cached_property
    def _terms(self) -> list[Counter[str]]:
        return [terms(turn.text) for turn in self.turns]

    @cached_property
    def _documents(self) -> dict[int, Document]:
        return {
            position: Document(
                position=position,
                id=position,
                session=turn.session,
                speaker=turn.name,
                type="message",
                time=microseconds(turn.time),
                length=counts.total(),
                tokens=turn.tokens,
                marks=marks(turn.text),
            )
            for position, (turn, counts) in enumerate(zip(self.turns, self._terms, strict=True))
        }

    def corpus(self, query: str) -> Corpus:
        """All turns as documents, with the postings of a query's terms."""
        documents = self._documents
        postings = {
            term: {place: counts[term] for place, counts in enumerate(self._terms) if term in counts}
            for term in terms(query)
        }
        speakers = {turn.name for turn in self.turns if turn.name is not None}
        length = sum(one.length for one in documents.values())
        return Corpus(documents, postings, len(documents), length, speakers)


Selector = Callable[[Conversation, str, int], Iterable[int]]
"""The places of the turns that are shown for a query within a budget."""


def recalls(select: Selector, conversations: Sequence[Conversation], budgets: Sequence[int]) -> list[float]:
    """The mean share of a question's evidence that is shown, at each budget."""
    return [
        mean(
            len(question.evidence.intersection(select(conversation, question.text, budget)))
            / len(question.evidence)
            for conversation in conversations
            for question in conversation.questions
        )
        for budget in budgets
    ]


def conversations(name: str, most: int | None = None) -> list[Conversation]:
    """Those of "locomo" or "beam", or the first of them. None where the data is absent."""
    path = DATA / f"{name}-dev.json"
    return (
        [_conversation(entry) for entry in json.loads(path.read_text("utf-8"))[:most]]
        if path.exists()
        else []
    )


def _conversation(entry: dict) -> Conversation:
    turns = [
        Turn(
            one["session"],
            one["speaker"],
            _time(one["at"]),
            one["text"],
            count_lines(f"{one['speaker']}: {one['text']}", ENCODING),
        )
        for one in entry["turns"]
    ]
    places = {one["id"]: place for place, one in enumerate(entry["turns"])}
    questions = [
        Question(one["question"], frozenset(places[id] for id in one["evidence"] if id in places))
        for one in entry["questions"]
        if one["category"] != ADVERSARIAL
    ]
    return Conversation(entry["id"], turns, [one for one in questions if one.evidence])


def _time(text: str) -> datetime:
    # LoCoMo: 1:56 pm on 8 May, 2023; BEAM: March-15-2024.
    written = "%I:%M %p on %d %B, %Y" if " on " in text else "%B-%d-%Y"
    return datetime.strptime(text, written).replace(tzinfo=UTC)

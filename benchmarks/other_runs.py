"""Runs of unusual kinds, made up by seed: talk without tools, messages of a few words, few and small results, results
larger than the window, and an agent that only calls tools.

They are made of the parts of `generated_runs`, and differ in who says how much.
"""

from collections.abc import Iterator
from dataclasses import replace

from backstory.application.evaluation.recording import RecordedAction
from backstory.domain import events as e
from backstory.domain.messages.contents import Part
from benchmarks.generated_runs import Run

HUGE = 0.15
"""Of the results, those that are huge."""
TALK = 0.8
"""Of the steps of an agent that rarely uses a tool, those in which it does not."""


class Talk(Run):
    """Two who talk about files and functions, without tools."""

    words = (40, 250)

    def _deeds(self) -> Iterator[RecordedAction]:
        dice = self._dice
        yield self._deed(e.SystemPromptSet.type, texts={"text": f"You help. {self._prose(200)}"})
        for _ in range(dice.randint(60, 150)):
            file = dice.choice(self._files)
            said = f"{dice.choice(file.names)} in {file.path}: {self._prose(dice.randint(*self.words))}"
            yield self._message("user", Part("text", said.encode()))
            self._seen.append((*(name for name in file.names if name in said), file.path))
            answer = f"{self._prose(dice.randint(*self.words))} {' '.join(self._used(dice.randint(1, 2)))}"
            yield self._message("agent", Part("text", answer.encode()))


class ShortTalk(Talk):
    """The same in a few words each."""

    words = (2, 12)


class FewResults(Run):
    """An agent that mostly talks, and whose tools answer little."""

    def _exchange(self, said: str, arguments: dict[str, str], result: str) -> Iterator[RecordedAction]:
        if not self._seen:
            yield from super()._exchange(said, arguments, result)
        elif self._dice.random() >= TALK:
            yield from super()._exchange(said, arguments, result[:800])
        else:
            self._called += 1
            told = f"{said} {self._prose(120)} {' '.join(self._used(1))}"
            yield self._message("agent", Part("text", told.encode()))
            yield self._message("user", Part("text", self._prose(self._dice.randint(5, 80)).encode()))


class HugeResults(Run):
    """Now and then a result is larger than the window."""

    def _exchange(self, said: str, arguments: dict[str, str], result: str) -> Iterator[RecordedAction]:
        dice = self._dice
        if dice.random() < HUGE:
            names = dice.choice(self._files).names
            lines = (self._code(dice.choice(names)) for _ in range(dice.randint(600, 3_000)))
            result = "\n".join([result, *lines])
        yield from super()._exchange(said, arguments, result)


class OnlyCalls(Run):
    """An agent that says nothing beside its calls."""

    def _exchange(self, said: str, arguments: dict[str, str], result: str) -> Iterator[RecordedAction]:
        for deed in super()._exchange(said, arguments, result):
            assert deed.message is not None
            parts = tuple(part for part in deed.message.parts if part.kind != "text")
            yield replace(deed, message=replace(deed.message, parts=parts))


KINDS: dict[str, type[Run]] = {
    "talk without tools": Talk,
    "messages of a few words": ShortTalk,
    "few and small results": FewResults,
    "results larger than the window": HugeResults,
    "an agent that only calls": OnlyCalls,
}

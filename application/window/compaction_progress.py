"""How far a compaction has come: what it took out so far, and under which key it may be asked for again."""

from backstory.application.window.results import Compacted
from backstory.application.writing.requests import Request
from backstory.infrastructure.postgres.append import Appended


class AskedBefore(Exception):
    """The same compaction was asked for before under its key, and this is where it was appended."""

    def __init__(self, appended: Appended) -> None:
        super().__init__(f"appended at version {appended.first_version}")
        self.appended = appended


class Progress:
    """What a compaction has come to so far."""

    def __init__(
        self,
        algorithm: str,
        window: str,
        tokens: int,
        *,
        trigger: str | None = None,
        dry_run: bool = False,
        least: int = 0,
        next_tokens: int = 0,
        asked: Request | None = None,
    ) -> None:
        self.algorithm, self.window, self.tokens = algorithm, window, tokens
        self.trigger, self.dry_run = trigger, dry_run
        self.least = least
        """What takes out fewer tokens is not worth a summary."""
        self.next_tokens = next_tokens
        """What the next call adds: it has to fit as well."""
        self.asked = asked
        """What its key stands for, where it has one: not the summary, which may come out otherwise the next time."""
        self.events: list[int] = []
        self.summarized: tuple[int, ...] = ()
        self.dropped: tuple[int, ...] = ()
        self.kept: tuple[int, ...] = ()
        self.stubbed: list[int] = []
        self.summary: int | None = None
        self.text: str | None = None
        self.saved = 0

    def result(self, now: int) -> Compacted:
        """With messages that arrived meanwhile, the window may have more than what is left of it."""
        return Compacted(
            self.algorithm,
            self.window,
            tuple(self.events),
            self.summary,
            self.summarized,
            self.dropped,
            tuple(self.stubbed),
            self.kept,
            self.tokens,
            self.tokens - self.saved if self.dry_run else now,
            self.text,
            self.dry_run,
        )

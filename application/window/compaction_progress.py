"""The progress of a compaction: the items taken out so far, and the key under which it may be repeated."""

from backstory.application.window.results import Compacted
from backstory.application.writing.requests import Request
from backstory.infrastructure.postgres.append import Appended


class AskedBefore(Exception):
    """The same compaction was appended before under its key."""

    def __init__(self, appended: Appended) -> None:
        super().__init__(f"appended at version {appended.first_version}")
        self.appended = appended


class Progress:
    """A compaction so far."""

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
        """Fewer tokens are not worth a summary."""
        self.next_tokens = next_tokens
        """The tokens of the next call, which have to fit as well."""
        self.asked = asked
        """The request that its key stands for. The summary is not part of it, since it may differ the next time."""
        self.events: list[int] = []
        self.summarized: tuple[int, ...] = ()
        self.dropped: tuple[int, ...] = ()
        self.kept: tuple[int, ...] = ()
        self.stubbed: list[int] = []
        self.summary: int | None = None
        self.text: str | None = None
        self.original = 0
        self.compressed = 0

    @property
    def saved(self) -> int:
        """The tokens that it has gained so far."""
        return self.original - self.compressed

    def result(self, now: int) -> Compacted:
        """The result. `now` counts messages that arrived meanwhile as well."""
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
            self.original,
            self.compressed,
            self.text,
            self.dry_run,
        )

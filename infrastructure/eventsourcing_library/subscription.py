"""The library's subscription, over our feed."""

from collections.abc import Sequence

from eventsourcing.persistence import ApplicationRecorder, Notification, Subscription

from backstory.infrastructure.feed.listener import Listener
from backstory.infrastructure.feed.waiter import Waiter


class FeedSubscription(Subscription[ApplicationRecorder]):
    """Waits for new events: for somebody to announce them and, since an announcement may be lost, never longer than
    an interval before it asks by itself."""

    BATCH = 500

    def __init__(
        self, recorder: ApplicationRecorder, listener: Listener, gt: int | None, topics: Sequence[str]
    ) -> None:
        super().__init__(recorder, gt, topics)
        self._pending: list[Notification] = []
        self._waiter = Waiter(listener)

    def stop(self) -> None:
        super().stop()
        self._waiter.end()

    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            if self._pending:
                notification = self._pending.pop()
                self._last_notification_id = notification.id
                return notification
            found = self._recorder.select_notifications(
                self._last_notification_id, self.BATCH, topics=self._topics, inclusive_of_start=False
            )
            self._pending = list(reversed(found))
            if found:
                self._waiter.found_some()
            else:
                self._waiter.wait()
        raise StopIteration

"""The library's infrastructure over our log.

Set ``PERSISTENCE_MODULE=backstory.infrastructure.eventsourcing_library.factory``.

An application of the library's then keeps its aggregates in Backstory's log, beside sessions: chained,
append-only, in the same feed. Its streams are of the kind `library`, and their payloads are whatever bytes
its mapper makes. A database is one application sequence: of two applications that follow each other, each has
its own, named by ``<APPLICATION>_BACKSTORY_DATABASE_URL``.
"""

from typing import TypeVar

from eventsourcing.persistence import InfrastructureFactory, InfrastructureFactoryError
from eventsourcing.utils import Environment, EnvType, resolve_topic, strtobool

from backstory.infrastructure.eventsourcing_library.recorder import (
    AggregateLogRecorder,
    AggregateSnapshotRecorder,
    LogRecorder,
    ProcessLogRecorder,
    RecorderBase,
    TrackingLogRecorder,
    library_errors,
)
from backstory.infrastructure.postgres.database import Database
from backstory.infrastructure.schema import migrate as schema

R = TypeVar("R", bound=RecorderBase)


class Factory(InfrastructureFactory[TrackingLogRecorder]):
    """Recorders that share one pool of connections to the Postgres at BACKSTORY_DATABASE_URL."""

    DATABASE_URL = "BACKSTORY_DATABASE_URL"
    POOL_SIZE = "BACKSTORY_POOL_SIZE"
    CREATE_TABLE = "CREATE_TABLE"

    def __init__(self, env: Environment | EnvType | None) -> None:
        super().__init__(env)
        url = self.env.get(self.DATABASE_URL)
        if not url:
            raise InfrastructureFactoryError(f"{self.DATABASE_URL} is not set: it names the Postgres to use")
        with library_errors():
            if strtobool(self.env.get(self.CREATE_TABLE) or "yes"):
                schema.upgrade(url)
            self.database = Database(url, pool_size=int(self.env.get(self.POOL_SIZE) or 16))
            self.database.open()

    def aggregate_recorder(self, purpose: str = "events") -> AggregateLogRecorder | AggregateSnapshotRecorder:
        """The recorder of events, or with the purpose `snapshots` that of snapshots."""
        if purpose == "snapshots":
            return AggregateSnapshotRecorder(self.database)
        return AggregateLogRecorder(self.database)

    def application_recorder(self) -> LogRecorder:
        return self._chosen(self.APPLICATION_RECORDER_TOPIC, LogRecorder)

    def tracking_recorder(
        self, tracking_recorder_class: type[TrackingLogRecorder] | None = None
    ) -> TrackingLogRecorder:
        if tracking_recorder_class is not None:
            return tracking_recorder_class(self.database)
        return self._chosen(self.TRACKING_RECORDER_TOPIC, TrackingLogRecorder)

    def process_recorder(self) -> ProcessLogRecorder:
        return self._chosen(self.PROCESS_RECORDER_TOPIC, ProcessLogRecorder)

    def close(self) -> None:
        """Gives back all connections."""
        self.database.close()

    def _chosen(self, setting: str, default: type[R]) -> R:
        """A recorder of the class whose topic is set, or of the default one."""
        topic = self.env.get(setting)
        chosen: type[R] = resolve_topic(topic) if topic else default
        if not issubclass(chosen, default):
            raise InfrastructureFactoryError(f"{setting}: {topic} is not a {default.__name__}")
        return chosen(self.database)

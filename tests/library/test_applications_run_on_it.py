"""Applications of the library's on our factory: aggregates, snapshots, the feed, and a follower that tracks
it."""

from collections.abc import Callable
from uuid import UUID

import pytest
from eventsourcing.application import AggregateNotFoundError, Application, ProcessingEvent
from eventsourcing.domain import Aggregate, DomainEventProtocol, event
from eventsourcing.persistence import IntegrityError, Tracking
from eventsourcing.system import Follower, ProcessApplication, SingleThreadedRunner, System

from backstory.application.integrity.verification import verify_session
from backstory.application.store import ContextStore
from backstory.infrastructure.eventsourcing_library.recorder import ProcessLogRecorder
from backstory.infrastructure.postgres.database import Database


class Dog(Aggregate):
    @event("Registered")
    def __init__(self, name: str) -> None:
        self.name = name
        self.tricks: list[str] = []

    @event("TrickAdded")
    def add_trick(self, trick: str) -> None:
        self.tricks.append(trick)


class School(Application[UUID]):
    is_snapshotting_enabled = True

    def register(self, name: str) -> UUID:
        dog = Dog(name)
        self.save(dog)
        return dog.id

    def add_trick(self, dog_id: UUID, trick: str) -> None:
        dog: Dog = self.repository.get(dog_id)
        dog.add_trick(trick)
        self.save(dog)


class Kennel(ProcessApplication[UUID]):
    """Follows the school and keeps a copy of each dog."""

    def policy(
        self, domain_event: DomainEventProtocol[UUID], processing_event: ProcessingEvent[UUID]
    ) -> None:
        if isinstance(domain_event, Dog.Registered):  # type: ignore[attr-defined]
            processing_event.collect_events(Dog(f"copy of {domain_event.name}"))


class TestApplications:
    database: Database

    @pytest.fixture
    def env(self) -> dict[str, str]:
        return {
            "PERSISTENCE_MODULE": "backstory.infrastructure.eventsourcing_library.factory",
            "BACKSTORY_DATABASE_URL": self.database.url,
        }

    def test_an_aggregate_is_read_at_any_version_and_from_its_snapshot(self, env: dict[str, str]) -> None:
        with School(env) as school:
            dog = school.register("Fido")
            school.add_trick(dog, "roll over")
            school.take_snapshot(dog)
            school.add_trick(dog, "play dead")
            assert school.repository.get(dog).tricks == ["roll over", "play dead"]  # type: ignore[attr-defined]
            assert school.repository.get(dog, version=2).tricks == ["roll over"]  # type: ignore[attr-defined]
            assert school.snapshots is not None
            assert [snapshot.originator_version for snapshot in school.snapshots.get(dog)] == [2]
            assert [n.id for n in school.notification_log.select(start=1, limit=10)] == [1, 2, 3]

    def test_two_who_change_the_same_version_conflict(self, env: dict[str, str]) -> None:
        with School(env) as school:
            dog = school.register("Fido")
            first: Dog = school.repository.get(dog)
            second: Dog = school.repository.get(dog)
            first.add_trick("roll over")
            second.add_trick("play dead")
            school.save(first)
            with pytest.raises(IntegrityError):
                school.save(second)

    def test_saving_several_aggregates_is_all_or_nothing(self, env: dict[str, str]) -> None:
        with School(env) as school:
            known = school.register("Fido")
            stale: Dog = school.repository.get(known)
            school.add_trick(known, "roll over")
            stale.add_trick("play dead")
            other = Dog("Rex")
            with pytest.raises(IntegrityError):
                school.save(other, stale)
            with pytest.raises(AggregateNotFoundError):
                school.repository.get(other.id)

    def test_a_follower_takes_each_event_once(
        self, env: dict[str, str], new_database: Callable[[], str]
    ) -> None:
        env["KENNEL_BACKSTORY_DATABASE_URL"] = new_database()
        with SingleThreadedRunner[UUID](System(pipes=[[School, Kennel]]), env=env) as runner:
            runner.get(School).register("Fido")
            follower = runner.get(Kennel)
            assert isinstance(follower, Follower)
            recorder = follower.recorder
            assert isinstance(recorder, ProcessLogRecorder)
            assert recorder.max_tracking_id("School") == 1
            assert recorder.max_notification_id() == 1
            with pytest.raises(IntegrityError):
                recorder.insert_events([], tracking=Tracking("School", 1))

    def test_its_streams_are_chained_and_verified_like_all_others(self, env: dict[str, str]) -> None:
        with School(env) as school:
            dog = school.register("Fido")
            school.add_trick(dog, "roll over")
            school.take_snapshot(dog)
        with ContextStore.open(self.database.url) as store:
            found = verify_session(store._runtime, dog)
            assert found.problem is None
            assert found.events == 2


def test_a_stream_of_the_librarys_is_no_session(new_database: Callable[[], str]) -> None:
    env = {
        "PERSISTENCE_MODULE": "backstory.infrastructure.eventsourcing_library.factory",
        "BACKSTORY_DATABASE_URL": new_database(),
    }
    with School(env) as school, ContextStore.open(env["BACKSTORY_DATABASE_URL"]) as store:
        school.register("Fido")
        assert store.sessions() == []

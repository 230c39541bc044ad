from itertools import chain

from tests.concurrency.writers import count_up, say
from tests.properties import usually

EACH = usually(25, 400)
NEWEST = 1 + 8 * EACH


def test_every_message_of_eight_processes_is_in_the_log_once(store, url, processes):
    session = store.start()
    work = [processes.submit(say, url, session.id, who, EACH) for who in range(8)]
    versions = [job.result() for job in work]
    assert sorted(chain(*versions)) == list(range(2, NEWEST + 1))
    events = list(session.events(after=1))
    assert [event.version for event in events] == list(range(2, NEWEST + 1))
    said = [message.parts[0].data.decode() for message in session.messages()]
    for who, mine in enumerate(versions):
        assert mine == sorted(mine)
        assert [said[version - 2] for version in mine] == [f"{who}: {number}" for number in range(EACH)]
        assert {events[version - 2].actor for version in mine} == {f"writer-{who}"}
    times = [event.recorded_at for event in events]
    assert times == sorted(times)
    checked = session.verify()
    assert checked.problem is None
    assert checked.events == NEWEST


def test_no_update_of_a_number_is_lost(store, url, processes):
    session = store.start()
    work = [processes.submit(count_up, url, session.id, 20) for _ in range(6)]
    assert sum(job.result() for job in work) == 120
    assert session.state.phase == "120"
    assert session.version == 121
    assert session.verify().ok

import threading


def said(session):
    return [message.parts[0].data.decode() for message in session.messages()]


def test_messages_of_one_moment_stay_in_the_order_in_which_they_were_said(any_store):
    session = any_store.start()
    with session.atomic() as tx:
        for number in range(60):
            tx.message(str(number))
    assert said(session) == [str(number) for number in range(60)]
    assert len({event.recorded_at for event in session.events(after=1)}) == 1


def test_messages_of_one_millisecond_stay_in_order(any_store):
    session = any_store.start()
    for number in range(30):
        session.message(str(number))
    assert said(session) == [str(number) for number in range(30)]


def test_a_time_that_goes_backwards_does_not_change_the_order(any_store):
    from datetime import UTC, datetime

    session = any_store.start()
    for day in (3, 1, 2):
        session.occurred(datetime(2026, 1, day, tzinfo=UTC)).message(str(day))
    assert said(session) == ["3", "1", "2"]
    recorded = [event.recorded_at for event in session.events()]
    assert recorded == sorted(recorded)


def test_each_threads_messages_stay_in_its_order(any_store):
    session = any_store.start()

    def say(who):
        for number in range(15):
            session.message(f"{who} {number:02}")

    threads = [threading.Thread(target=say, args=(who,)) for who in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spoken = said(session)
    assert len(spoken) == 60
    for who in "abcd":
        mine = [text for text in spoken if text.startswith(who)]
        assert mine == sorted(mine)

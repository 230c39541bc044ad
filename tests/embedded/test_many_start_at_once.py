from concurrent.futures import ThreadPoolExecutor

from backstory.infrastructure.embedded.server import start_or_join


def test_exactly_one_of_many_processes_starts_the_server(empty_home, start_in_process, said):
    processes = [start_in_process(empty_home) for _ in range(6)]
    answers = [said(process) for process in processes]
    assert sorted(answer["started"] for answer in answers) == [False] * 5 + [True]
    assert len({answer["pid"] for answer in answers}) == 1


def test_exactly_one_of_many_threads_starts_the_server(empty_home):
    with ThreadPoolExecutor(6) as pool:
        servers = list(pool.map(start_or_join, [empty_home] * 6))
    assert sorted(server.started for server in servers) == [False] * 5 + [True]
    assert len({server.pid for server in servers}) == 1

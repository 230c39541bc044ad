import psycopg

from backstory.infrastructure.embedded.server import start_or_join, status


def test_a_server_outlives_the_process_that_started_it(data_home, start_in_process, said):
    first = said(start_in_process(data_home))
    joined = start_or_join(data_home)
    assert first["started"]
    assert not joined.started
    assert joined.pid == first["pid"]


def test_a_joined_server_is_the_one_of_the_data_home(data_home):
    server = start_or_join(data_home)
    assert status(data_home) == start_or_join(data_home)
    with psycopg.connect(server.url()) as connection:
        found = connection.execute("select current_setting('data_directory'), current_database()").fetchone()
    assert found == (str(data_home / "postgres-18" / "data"), "backstory")
    assert server.data_directory == data_home / "postgres-18" / "data"


def test_a_link_to_the_data_home_leads_to_the_same_server(data_home, tmp_path):
    server = start_or_join(data_home)
    (tmp_path / "link").symlink_to(data_home)
    assert start_or_join(tmp_path / "link").pid == server.pid


def test_a_server_whose_environment_was_deleted_is_started_anew(data_home, tmp_path):
    """Such a server still answers, and fails as soon as it needs a file of its own."""
    gone = tmp_path / "gone" / "postgres"
    before = start_or_join(data_home)
    options = before.data_directory / "postmaster.opts"
    options.write_text(f'{gone} "-p" "5432"\n')
    after = start_or_join(data_home)
    assert after.started
    assert after.pid != before.pid
    assert str(gone) not in options.read_text()
    psycopg.connect(after.url()).close()
    assert start_or_join(data_home).pid == after.pid


def test_a_dropped_database_is_made_again(data_home):
    server = start_or_join(data_home)
    with psycopg.connect(server.url(database="postgres"), autocommit=True) as connection:
        connection.execute("drop database backstory")
    joined = start_or_join(data_home)
    assert not joined.started
    psycopg.connect(joined.url()).close()


def test_the_callers_postgres_variables_do_not_lead_elsewhere(data_home, monkeypatch):
    for name, value in {"PGHOST": "nowhere", "PGPORT": "1", "PGDATA": "/nowhere", "PGUSER": "nobody"}.items():
        monkeypatch.setenv(name, value)
    server = start_or_join(data_home)
    assert server.started
    assert not start_or_join(data_home).started


def test_settings_are_durable_and_local(data_home):
    expected = {
        "listen_addresses": "",
        "fsync": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "timezone": "UTC",
        "max_connections": "200",
    }
    with psycopg.connect(start_or_join(data_home).url()) as connection:
        found = {name: connection.execute(f"show {name}").fetchone()[0] for name in expected}
    assert found == expected

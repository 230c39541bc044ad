"""The container files are read, since a Docker engine cannot be counted on where the tests run."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from backstory.application.jobs.worker import GRACE
from backstory.interfaces.cli.root import every_command
from backstory.interfaces.cli.run import Run
from backstory.interfaces.cli.serve.serve import PORT
from backstory.interfaces.http.serving.server import GRACE as SERVING_GRACE

ROOT = Path(__file__).parents[2]
COMMANDS = dict(every_command())


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


def test_postgres_is_reachable_from_this_machine_alone(services: dict[str, Any]) -> None:
    for service in services.values():
        for port in service.get("ports", []):
            assert port.startswith("127.0.0.1:")


def test_the_schema_waits_for_a_healthy_postgres(services: dict[str, Any]) -> None:
    assert services["postgres"]["healthcheck"]["test"][1] == "pg_isready"
    assert services["upgrade"]["depends_on"]["postgres"]["condition"] == "service_healthy"


@pytest.mark.parametrize(("name", "grace"), [("api", SERVING_GRACE), ("worker", GRACE)])
def test_what_lasts_waits_for_the_schema_and_is_given_time_to_end(
    services: dict[str, Any], name: str, grace: float
) -> None:
    service = services[name]
    assert service["depends_on"]["upgrade"]["condition"] == "service_completed_successfully"
    assert int(service["stop_grace_period"].removesuffix("s")) > grace


@pytest.mark.parametrize("name", ["api", "worker"])
def test_its_command_is_one_that_there_is(services: dict[str, Any], name: str) -> None:
    program, command, *words = services[name]["command"]
    assert program == "backstory"
    COMMANDS[command].make_context(command, words, obj=Run(None))


@pytest.mark.parametrize(("name", "port"), [("api", str(PORT)), ("worker", "9464")])
def test_its_health_is_asked_at_a_port_that_it_has(services: dict[str, Any], name: str, port: str) -> None:
    service = services[name]
    asked = re.search(r"http://127\.0\.0\.1:(\d+)/(\w+)", service["healthcheck"]["test"][-1])
    assert asked is not None
    assert asked[1] == port == service["ports"][0].rpartition(":")[2]
    assert asked[2] in ("readyz", "metrics")


def test_data_outlives_the_container(services: dict[str, Any]) -> None:
    volumes = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["volumes"]
    (mount,) = services["postgres"]["volumes"]
    name, _, target = mount.partition(":")
    assert name in volumes
    assert target == "/var/lib/postgresql"


def test_no_password_is_written_down(services: dict[str, Any]) -> None:
    for service in services.values():
        for name, value in service["environment"].items():
            if "PASSWORD" in name:
                assert value.startswith("${POSTGRES_PASSWORD:?")
            assert not re.search(r"//[^/@]*:[^/@]*@", value)
    example = (ROOT / ".env.example").read_text()
    assert "\nPOSTGRES_PASSWORD=\n" in example


def test_the_image_runs_locked_dependencies_without_root() -> None:
    instructions = (ROOT / "Dockerfile").read_text()
    final_stage = instructions.rpartition("\nFROM ")[2]
    assert "\nUSER backstory\n" in final_stage
    assert "--require-hashes -r requirements/runtime.txt" in instructions


def test_the_image_is_built_from_files_that_exist_and_are_not_ignored() -> None:
    instructions = (ROOT / "Dockerfile").read_text()
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", instructions, flags=re.MULTILINE):
        for source in sources.split():
            assert (ROOT / source).exists()
            assert source in kept

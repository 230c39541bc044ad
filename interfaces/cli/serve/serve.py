"""`backstory serve`: the API, the page and the worker."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from backstory.domain.errors import InvalidInput, Refused
from backstory.interfaces.cli.commands import command, run_of
from backstory.interfaces.cli.manual import Manual
from backstory.interfaces.cli.options import Json
from backstory.interfaces.cli.output.text import Text
from backstory.interfaces.cli.run import Run
from backstory.interfaces.documents.service import ServingDocument

PORT = 8765


@command(
    "serve",
    Manual(
        examples=(
            "backstory serve",
            "backstory serve --processes 4 --no-worker",
            "backstory serve --sample",
            "backstory serve --host 0.0.0.0 --tls-cert server.pem --tls-key server.key",
        ),
        document=ServingDocument,
        lines=True,
        fails=(Refused,),
        notes=(
            "Serves the API at /api/v1, its documentation at /docs and the page at /. Without keys it answers on this "
            "machine alone, and is its caller's own; `backstory keys create` makes the first key, and from then on "
            "every request needs one. Another --host than a loopback address needs keys and TLS, or --force. On "
            "SIGTERM and Ctrl-C it takes no more requests, answers those it has, and ends. The settings are listed in "
            "docs/reference/settings.md."
        ),
    ),
)
def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="PORT", min=0, max=65_535, help="The port; 0 takes a free one.")
    ] = PORT,
    processes: Annotated[
        int, typer.Option(metavar="N", min=1, max=64, help="Processes that answer at this address.")
    ] = 1,
    worker: Annotated[bool, typer.Option("--worker/--no-worker", help="Also run the scheduled jobs.")] = True,
    page: Annotated[bool, typer.Option("--page/--no-page", help="Also serve the page.")] = True,
    sample: Annotated[
        bool, typer.Option("--sample", help="First add sample sessions, where there are none yet.")
    ] = False,
    tls_cert: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate, to speak HTTPS.", show_default=False)
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The certificate's key.", show_default=False)
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A name of this service, for requests without a key.", show_default=False
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Listen beyond this machine without keys or TLS.")
    ] = False,
    json: Json = False,
) -> None:
    """Serve the API, the page and the worker."""
    from backstory.application.bootstrap import find_target
    from backstory.interfaces.cli.sample.sample import ensure_sample
    from backstory.interfaces.http.serving import server

    run = run_of(context)
    if (tls_cert is None) != (tls_key is None):
        raise InvalidInput("tls_key", "is given together with tls_cert")
    for name, file in (("tls_cert", tls_cert), ("tls_key", tls_key)):
        if file is not None and not file.is_file():
            raise InvalidInput(name, f"there is no file {str(file)!r}")
    address = server.Address(host, port, tls_cert, tls_key)
    # Before anything that takes long: a port in use is the usual mistake.
    opened = address.listen()
    target = find_target(run.url)
    if target.is_embedded:
        _say(run, "starting the embedded Postgres")
    with opened, server.open_store(run.url, migrate=target.is_embedded) as store, run.warnings():
        options = replace(
            server.require_safe(address, store, force=force),
            **_from_settings(),
            hosts=frozenset(name.lower() for name in allow_host or ()),
            page=_page_folder() if page else None,
            worker=worker,
        )
        if sample:
            ensure_sample(store, lambda title: _say(run, f"recording a sample: {title}"))
        if not store.keys.exist() and not options.keys_required:
            where = "on this machine alone" if address.is_loopback else "to everybody who can reach it"
            _say(run, f"there are no keys: it answers {where}, and asks for none")
        serving = ServingDocument(
            url=address.url(opened.getsockname()[1]), processes=processes, pid=os.getpid()
        )

        def started() -> None:
            run.begun(f"serving {serving.url}")
            if json:
                run.line(serving)
                sys.stdout.flush()

        with _traced():
            if processes == 1:
                server.run(store, options, address, opened, started)
            else:
                server.run_processes(processes, run.url, options, address, opened, started)
    _say(run, "stopped")


def _from_settings() -> dict[str, Any]:
    """The options that the environment sets."""
    from backstory.application.bootstrap import read_settings

    settings = read_settings()
    origins = tuple(one.strip() for one in settings.cors_origins.split(",") if one.strip())
    found: dict[str, Any] = {"rate": settings.rate_limit, "origins": origins}
    if settings.cookie_secret is not None:
        found["cookie_secret"] = settings.cookie_secret
    return found


def _page_folder() -> Path | None:
    """The folder of the built page."""
    from backstory.application.bootstrap import read_settings
    from backstory.interfaces.http.serving.page import BUILT

    return read_settings().page_dir or BUILT


@contextmanager
def _traced() -> Iterator[None]:
    """Exports the traces of this process, if OpenTelemetry's variables ask for it."""
    from backstory.application.operations.telemetry import provide_traces

    provider = provide_traces()
    try:
        yield
    finally:
        if provider is not None:
            provider.shutdown()


def _say(run: Run, what: str) -> None:
    """Says on stderr what happens."""
    if not (run.logs or run.json):
        run.errors.print(Text(what, "quiet"), soft_wrap=True)

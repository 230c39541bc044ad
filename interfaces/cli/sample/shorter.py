"""The shorter sessions of the sample, and what its projects remember."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from backstory.application.store import ContextStore
from backstory.interfaces.cli.sample import material
from backstory.interfaces.cli.sample.recorder import CODER, REVIEWER, Agent, Recorder, Tool, edit, read, run

UPDATER = Agent("updater", "gpt-5-nano", "openai")
SUPPORT = Agent("support", "gpt-5-mini", "openai")


def record_all(store: ContextStore, now: datetime, said: Callable[[str], None]) -> Iterator[Recorder]:
    """Records them all, the oldest first."""

    def begin(title: str, project: str, ago: timedelta, limit: int, *tags: str) -> Recorder:
        said(title)
        return Recorder.begin(store, title, project, now - ago, limit, *tags)

    _remember(store, now)
    cents = begin("Totals differ by a cent between PDF and API", "invoices", timedelta(days=9), 32_000, "bug")
    yield _rounding(cents)
    yield _updates(begin("Weekly dependency updates", "platform", timedelta(days=5), 16_000, "automated"))
    yield _handbook(
        begin("Answer questions about refunds", "support", timedelta(days=3), 16_000, "customers")
    )
    yield _export(
        begin("The export of October answers 502", "invoices", timedelta(hours=30), 4_000, "incident")
    )
    yield _changelog(begin("Write the changelog of 4.12", "platform", timedelta(hours=4), 16_000, "docs"))


def _remember(store: ContextStore, now: datetime) -> None:
    if store.project("invoices").version:
        return
    invoices = store.project("invoices").occurred(now - timedelta(days=12))
    mara, coder = invoices.by("mara"), invoices.by(CODER.name)
    mara.remember(
        "Money is Decimal with two places, rounded half up, and only when it is shown or stored.",
        kind="knowledge",
        title="Money",
        entities=["Decimal", "invoices/models.py"],
    )
    mara.remember(
        "Mara wants small commits with a reason in the message.",
        kind="preference",
        title="Commits",
        key="commits",
    )
    coder.remember(
        "The tests need Postgres; SQLite accepts invoices that Postgres refuses.",
        kind="lesson",
        title="Tests and SQLite",
    )
    coder.remember(
        "Staging is deployed by hand with `make stage`.", kind="knowledge", title="Staging", key="staging"
    )
    later = store.project("invoices").occurred(now - timedelta(days=2))
    later.by(CODER.name).remember(
        "Staging is deployed by each merge to main.", kind="knowledge", title="Staging", key="staging"
    )
    later.by(CODER.name).remember(
        "The gateway's sandbox is reset every night at 02:00.", kind="note", agent=CODER.name, title="Sandbox"
    )
    store.project("platform").by("mara").occurred(now - timedelta(days=11)).remember(
        "Dependencies are updated on Mondays, one pull request for each major version.",
        kind="preference",
        title="Updates",
    )


def _rounding(told: Recorder) -> Recorder:
    told.by("mara").set_system_prompt(material.SYSTEM)
    told.say("mara", "Invoice 7731 shows 1,204.37 in the PDF and 1,204.38 in the API. Please find out why.")
    told.by("mara").work.set_goal("Totals are the same everywhere", priority="high")
    told.turn(
        CODER,
        "I look at where each of them rounds.",
        Tool(
            "search",
            {"pattern": "quantize"},
            "billing.py:88: line.total.quantize(CENT)\npdf.py:41: round(total, 2)",
        ),
    )
    answer = told.turn(
        CODER,
        "The PDF adds floats and rounds at the end, the API rounds each line half up.",
        run(
            "pytest -v tests/test_exports.py",
            material.pytest_output(["test_exports"], {"writes_pdf": "assert '1,204.37' == '1,204.38'"}),
            failed=True,
        ),
    )
    told.decide(
        CODER,
        answer,
        "The PDF prints the total that billing has stored",
        rationale="one place rounds, so two places cannot differ",
        alternatives_rejected=["round each line in the PDF too"],
    )
    told.turn(
        CODER,
        "pdf.py now prints the stored total.",
        edit("invoices/pdf.py", "print invoice.total", (1, 6)),
        run("pytest -v", material.pytest_output()),
    )
    told.by(CODER.name).progress.commit_made("0b7d2f4", message="Print the stored total in the PDF")
    told.turn(REVIEWER, "Fine: one line less, and the test compares both.")
    told.say("mara", "Merged, thank you.")
    told.by("mara").end("merged")
    return told


def _updates(told: Recorder) -> Recorder:
    told.by("mara").set_system_prompt(
        "Update dependencies. One pull request for each major version. Never skip a test."
    )
    told.say("mara", "Go through this week's updates.")
    told.turn(
        UPDATER,
        "Four packages are out of date.",
        run(
            "pip list --outdated",
            "fastapi 0.118 -> 0.121\npydantic 2.11 -> 2.12\npsycopg 3.2 -> 3.3\npytest 8.4 -> 9.0",
        ),
    )
    for package in ("fastapi", "pydantic", "psycopg"):
        told.turn(
            UPDATER,
            f"{package}: the tests pass.",
            edit("requirements.txt", f"raise {package}", (2, 2)),
            run("pytest -q", material.pytest_output()),
        )
    answer = told.turn(
        UPDATER,
        "pytest 9 is a major version. It fails, so it gets a pull request of its own.",
        run(
            "pytest -q",
            "ERROR tests/conftest.py: pytest.PytestRemovedIn9Warning is now an error",
            failed=True,
        ),
    )
    told.decide(
        UPDATER,
        answer,
        "pytest 9 waits for its own pull request",
        rationale="conftest.py has to change first",
    )
    told.by(UPDATER.name).end("three of four updated")
    return told


def _handbook(told: Recorder) -> Recorder:
    told.by("mara").set_system_prompt(
        "You help customers with invoices. You cite the handbook. You never promise money."
    )
    told.say("lena", "I paid invoice 7702 twice. When do I get one payment back?", kind="question")
    told.turn(
        SUPPORT,
        "I look at the invoice and at the handbook.",
        Tool(
            "invoice",
            {"id": 7702},
            '{"id": 7702, "total": "89.00", "paid": ["89.00", "89.00"], "status": "settled"}',
        ),
        Tool(
            "handbook",
            {"about": "double payment"},
            "4.2 A double payment is refunded to the same account within five working days.",
        ),
    )
    told.say("lena", "To which account?", kind="clarification")
    told.turn(
        SUPPORT,
        "To the account that paid, within five working days (handbook, 4.2). I have noted the refund.",
    )
    told.by(SUPPORT.name).work.add_action(
        "Refund the second payment of invoice 7702", assignee="mara", priority="high"
    )
    told.say("lena", "Thank you!")
    return told


def _export(told: Recorder) -> Recorder:
    """A session in a window that is too small for its tool results, so that it warns and compacts often."""
    told.by("mara").set_system_prompt(material.SYSTEM)
    told.say(
        "mara",
        "GET /exports/2026-10.pdf answers 502 after 30 seconds since this morning. Please find the cause.",
    )
    told.by("mara").work.set_goal("The export of a month takes less than ten seconds", priority="high")
    told.turn(
        CODER,
        "The access log first.",
        run(
            "tail -n 30 access.log",
            material.access_log(
                told.now, 30, {"GET /exports/2026-10.pdf": 502}, slow="GET /exports/2026-10.pdf"
            ),
        ),
    )
    told.turn(
        CODER,
        "The settings of the proxy.",
        read("deploy/proxy.conf", "proxy_read_timeout 30s;\nproxy_send_timeout 30s;"),
    )
    told.turn(
        CODER,
        "October has 4,120 invoices. I look at what the export does for each.",
        run(
            "EXPLAIN ANALYZE select * from lines where invoice_id = 7731",
            "Seq Scan on lines  (cost=0.00..18404.00 rows=9) (actual time=6.9..7.1 rows=9 loops=1)\n"
            "  Rows Removed by Filter: 992,310\nExecution Time: 7.2 ms",
        ),
    )
    answer = told.turn(
        CODER, "7 ms for each of 4,120 invoices are 29.7 seconds: an index is missing on lines.invoice_id."
    )
    told.decide(
        CODER,
        answer,
        "Add an index on lines.invoice_id and read all lines of a month in one query",
        rationale="the index alone mends the time-out; one query in place of 4,120 keeps it mended",
        priority="high",
    )
    told.turn(
        CODER,
        "The index is made without a lock.",
        run("psql -f migrations/0042_lines_invoice.sql", "index lines_invoice made"),
        run("pytest -v", material.pytest_output()),
    )
    told.turn(
        CODER,
        "With the index the export takes 1.9 seconds.",
        run("tail -n 30 access.log", material.access_log(told.now, 30, {})),
    )
    told.say("mara", "It works again. Leave this open until the one query is in.")
    told.turn(
        CODER,
        "I write the query now.",
        read("invoices/api/exports.py", material.EXPORTS),
        run(
            "pytest -v tests/test_exports.py tests/test_payments.py",
            material.pytest_output(["test_exports", "test_payments"]),
        ),
        Tool("edit_file", {"path": "invoices/api/exports.py"}, None),
    )
    return told


def _changelog(told: Recorder) -> Recorder:
    told.say("jonas", "Write the changelog of 4.12 from the commits since 4.11.")
    told.turn(
        CODER,
        "I read the commits.",
        run(
            "git log --oneline 4.11..",
            "51c0b2e Rotate refresh tokens, and end a family on reuse\na94d77b Name the scope that each route needs\n"
            "3e1f0ac Sign access tokens with RS256\n0b7d2f4 Print the stored total in the PDF",
        ),
    )
    told.turn(
        CODER,
        "4.12: Clients sign in with tokens. Access tokens live one hour, refresh tokens two weeks. Totals in PDFs "
        "equal those of the API.",
    )
    return told

"""The long session of the sample: two agents and a person add JWT authentication to a service. They take a wrong turn
and go back, somebody tries another way in a fork, the window fills up, and the work is not finished."""

from datetime import datetime, timedelta

from backstory.application.store import ContextStore
from backstory.interfaces.cli.sample import material
from backstory.interfaces.cli.sample.recorder import (
    CODER,
    REVIEWER,
    UNFINISHED,
    Recorder,
    Tool,
    edit,
    read,
    run,
)

TITLE = "Add JWT authentication to the invoice service"
FORK_TITLE = "The same with opaque tokens and introspection"
PROJECT = "invoices"
LIMIT, BUDGET = 8_000, 5_000


def record(store: ContextStore, now: datetime) -> tuple[Recorder, ...]:
    """Records the session and its fork, as work that ended minutes ago."""
    begin = now - timedelta(hours=15, minutes=2)
    told = Recorder.begin(store, TITLE, PROJECT, begin, LIMIT, "auth", "backend", budget=BUDGET)
    _plan(told)
    _look_around(told)
    before = told.session.version
    _share_the_secret(told)
    _go_back(told, before)
    fork_at = _sign_with_a_key(told)
    fork = _fork(told, fork_at)
    _refresh_tokens(told)
    _review(told)
    told.wait(hours=14)
    _next_morning(told)
    return fork, told


def _plan(told: Recorder) -> None:
    mara, coder = "mara", CODER.name
    told.by(coder).details.join(coder, version="2.4", mode="implement", capabilities=["edit", "shell"])
    told.by(REVIEWER.name).details.join(REVIEWER.name, version="1.9", mode="review", capabilities=["read"])
    told.by(mara).set_system_prompt(material.SYSTEM)
    told.by(mara).progress.set_phase("planning")
    told.say(
        mara,
        "Please add JWT authentication to the invoice service. Today it has session cookies, and the mobile app cannot "
        "use those. Access tokens should live one hour. The payment gateway gets the customer's token, too.",
    )
    goal = told.by(mara).work.set_goal("Clients sign in and call the API with a token", priority="high")
    told.by(mara).work.set_goal("The mobile app stays signed in for two weeks", parent=goal)
    told.by(mara).work.add_constraint("Session cookies keep working until the web app has moved")
    told.by(mara).work.add_constraint("No request may take more than 5 ms longer than today")
    told.by(coder).work.start_task(
        "T1",
        "Issue and check access tokens",
        acceptance_criteria=["tokens expire after an hour", "the gateway can check a token"],
        depends_on_files=["invoices/security.py", "invoices/settings.py"],
    )
    told.by(coder).progress.set_clarity(60)
    question = told.by(coder).work.ask(
        "May the gateway hold a secret of ours?", context="It decides between HS256 and RS256.", blocks=[goal]
    )
    told.turn(
        CODER,
        "Before I write anything I read how sign-in works now and who else sees the token. One question is open: may "
        "the payment gateway hold a secret of ours?",
    )
    told.say(mara, "I have to ask them. Begin with the rest.", kind="clarification")
    action = told.by(coder).work.add_action(
        "Choose the algorithm", priority="high", estimate_minutes=20, assignee=coder
    )
    told.by(coder).work.block_action(action, "the answer about the gateway")
    told.by(mara).work.answer(
        question, "They say they already hold the keys of other partners.", answered_by="mara"
    )


def _look_around(told: Recorder) -> None:
    coder = CODER.name
    told.by(coder).progress.set_phase("reading")
    told.turn(CODER, "I list the tree first.", Tool("list_files", {"path": "."}, material.TREE))
    told.turn(
        CODER,
        "Sign-in is in security.py. I read it together with the settings.",
        read("invoices/security.py", material.SECURITY),
        read("invoices/settings.py", material.SETTINGS),
    )
    told.by(coder).progress.focus(["invoices/security.py", "invoices/settings.py"])
    told.by(coder).items.save(
        "note",
        "current_user is a dependency of 14 routes in four modules. If `needs(scope)` has the same shape, each route "
        "changes in one line.",
        importance=0.7,
    )
    told.turn(
        CODER,
        "The gateway's callbacks forward the customer's token.",
        read("invoices/api/internal.py", material.INTERNAL),
    )
    told.turn(
        CODER,
        "All tests pass before I begin.",
        run("pytest -v", material.pytest_output()),
    )
    told.say("mara", "How many routes are there in all?", kind="clarification")
    told.turn(
        CODER,
        "31 routes, 14 of them need a signed-in user.",
        run("grep -rc '@router' invoices/api", "invoices.py:11\npayments.py:8\nexports.py:7\ninternal.py:5"),
    )
    told.by(coder).checkpoints.create("before signing")


def _share_the_secret(told: Recorder) -> None:
    coder = CODER.name
    told.by(coder).progress.set_phase("implementing")
    answer = told.turn(
        CODER,
        "The shortest way is HS256 with SECRET_KEY: every service has it in its settings already.",
    )
    told.decide(
        CODER,
        answer,
        "Sign access tokens with HS256 and SECRET_KEY",
        rationale="the key is in the settings of every service already, so nothing has to be distributed",
        alternatives_rejected=["RS256: needs keys, their distribution and rotation"],
        impact=["invoices/tokens.py"],
        priority="high",
    )
    told.turn(
        CODER,
        "I write tokens.py.",
        Tool(
            "write_file", {"path": "invoices/tokens.py", "text": material.TOKENS_SHARED}, "written, 21 lines"
        ),
    )
    told.by(coder).progress.file_updated("invoices/tokens.py", checksum="9f2c41d07b")
    told.turn(
        CODER,
        "Now the gateway's callback checks the token.",
        edit("invoices/api/internal.py", "check the token with claims_of", (9, 4)),
        run(
            "pytest -v tests/test_internal.py",
            material.pytest_output(
                ["test_internal"],
                {
                    "settles_from_the_gateway": "jwt.exceptions.InvalidSignatureError: Signature verification failed",
                    "refuses_another_scheme": "AssertionError: the gateway can mint a token for user 1 itself",
                },
            ),
            failed=True,
        ),
    )
    told.by(coder).progress.error(
        "InvalidSignatureError: the gateway's sandbox signs with a copy of SECRET_KEY from last year",
        name="InvalidSignatureError",
    )
    told.turn(
        CODER,
        "The gateway's sandbox has an old copy of the secret, and it signs tokens with it. I ask for a rotation.",
        Tool("rotate_secret", {"name": "SECRET_KEY", "services": ["billing", "mail", "gateway"]}, None),
    )
    told.say(
        "mara",
        "Stop. If the gateway holds the secret it can make tokens for any customer. It may check our tokens, never "
        "make them. That is in the contract.",
        kind="feedback",
    )


def _go_back(told: Recorder, before: int) -> None:
    told.wait(minutes=2)
    told.by("mara").backtrack(before, "with HS256 everybody who checks a token could also make one")
    told.by("mara").work.add_constraint("The gateway can check tokens and can never make them")


def _sign_with_a_key(told: Recorder) -> int:
    coder = CODER.name
    told.by(coder).progress.set_phase("implementing")
    answer = told.turn(
        CODER,
        "Then only this service may sign: RS256, with the public keys at /.well-known/jwks.json. The gateway fetches "
        "them and keeps them for a day. A token names its key (`kid`), so keys can be rotated without signing anybody "
        "out.",
        query="who checks tokens, and what may the gateway do?",
    )
    decision = told.decide(
        CODER,
        answer,
        "Sign access tokens with RS256 and publish the public keys as JWKS",
        rationale="only this service can sign, and every other one can check",
        alternatives_rejected=["HS256 with SECRET_KEY", "EdDSA: the gateway's library does not know it"],
        impact=["invoices/tokens.py", "invoices/keys.py", "invoices/api/internal.py"],
        priority="high",
    )
    told.turn(
        CODER,
        "Keys first, then tokens.",
        Tool("write_file", {"path": "invoices/keys.py", "text": material.KEYS}, "written, 41 lines"),
        Tool("write_file", {"path": "invoices/tokens.py", "text": material.TOKENS}, "written, 44 lines"),
    )
    for path, checksum in (("invoices/keys.py", "77b1e0c3a9"), ("invoices/tokens.py", "d40a8f5512")):
        told.by(coder).progress.file_updated(path, checksum=checksum)
    told.by(coder).progress.focus(
        ["invoices/tokens.py", "invoices/keys.py"],
        remove=["invoices/settings.py"],
        last_edited="invoices/tokens.py",
        current_function="claims_of",
    )
    told.turn(
        CODER,
        "I run the tests of tokens.",
        run(
            "pytest -v tests/test_tokens.py",
            material.pytest_output(
                [],
                {"refuses_an_unknown_key": "NameError: name 'UnknownKey' is not defined"},
                material.NEW_TESTS[:8],
            ),
            failed=True,
        ),
    )
    error = told.by(coder).progress.error(
        "NameError: name 'UnknownKey' is not defined (invoices/keys.py, public_key)", name="NameError"
    )
    told.turn(
        CODER,
        "UnknownKey has to be an error of its own that the API answers with 401.",
        edit("invoices/keys.py", "class UnknownKey(Exception)", (3, 0)),
        run("pytest -v tests/test_tokens.py", material.pytest_output([], more=material.NEW_TESTS[:8])),
    )
    told.by(coder).progress.resolve_error(error, how="defined it, and mapped it to 401")
    told.by(coder).progress.command_executed("pytest -v tests/test_tokens.py", exit_code=0)
    told.by(coder).progress.commit_made("3e1f0ac", message="Sign access tokens with RS256")
    answer = told.turn(
        CODER,
        "Each route now says which scope it needs.",
        Tool("apply_patch", {"files": 4}, material.DIFF),
        run("pytest -v", material.pytest_output(more=material.NEW_TESTS[:8])),
    )
    told.decide(
        CODER,
        answer,
        "Scopes are resource:verb, such as invoices:read",
        rationale="the names of the routes give them, and a gateway token can be limited to one",
        impact=["invoices/api"],
    )
    told.by(coder).progress.commit_made("a94d77b", message="Name the scope that each route needs")
    told.by(coder).work.complete_task("T1")
    return decision - 1


def _fork(told: Recorder, at: int) -> Recorder:
    forked = told.by("jonas").fork(at, title=FORK_TITLE, why="revocation at once may matter more than speed")
    fork = Recorder(forked, told.now, ("auth", "experiment"), BUDGET)
    fork.by("jonas").details.tag(*fork.tags, UNFINISHED)
    fork.say(
        "jonas", "Try it with opaque tokens: the gateway asks us whether a token is good. How slow is that?"
    )
    answer = fork.turn(
        CODER,
        "I measure a lookup per request against a signature check.",
        run(
            "python bench/introspect.py --requests 2000",
            "signature check   p50 0.09 ms   p95 0.14 ms\nintrospection     p50 3.8 ms    p95 11.2 ms",
        ),
    )
    fork.decide(
        CODER,
        answer,
        "Opaque tokens would break the 5 ms limit at p95",
        rationale="introspection takes 11.2 ms at p95, a signature check 0.14 ms",
    )
    fork.say("jonas", "Good to know. We keep signed tokens, with a short lifetime.")
    fork.by("jonas").end("measured: too slow")
    return fork


def _refresh_tokens(told: Recorder) -> None:
    coder = CODER.name
    told.wait(minutes=9)
    told.by(coder).work.start_task(
        "T2",
        "Refresh tokens for the mobile app",
        acceptance_criteria=["signed in for two weeks", "a stolen refresh token is noticed"],
        depends_on_tasks=["T1"],
    )
    told.say(
        "mara",
        "Next: the mobile app must stay signed in for two weeks, without a token that lives that long.",
    )
    answer = told.turn(
        CODER,
        "Opaque refresh tokens, stored hashed and used once: each use gives the next one. If one is used twice, "
        "somebody has copied it, and the whole family ends.",
    )
    told.decide(
        CODER,
        answer,
        "Refresh tokens are opaque, single-use and end their family on reuse",
        rationale="theft is noticed at the next use by either side, and no secret is stored in the clear",
        alternatives_rejected=[
            "long-lived JWTs: cannot be revoked",
            "sliding sessions: theft is never noticed",
        ],
        impact=["invoices/refresh.py", "migrations/0042_refresh_tokens.sql"],
        priority="high",
    )
    told.turn(
        CODER,
        "The table and the module.",
        Tool(
            "write_file",
            {"path": "migrations/0042_refresh_tokens.sql", "text": material.MIGRATION},
            "written",
        ),
        Tool("write_file", {"path": "invoices/refresh.py", "text": material.REFRESH}, "written, 49 lines"),
    )
    told.turn(
        CODER,
        "I look up how others handle two requests with the same refresh token at once.",
        Tool("fetch", {"url": "https://forum.example.org/t/jwt-in-fastapi"}, material.INJECTED_PAGE),
    )
    told.say("mara", "Is that page any good? It sounds odd.", kind="clarification")
    told.turn(CODER, "No: it tells readers to trust the token's own algorithm. I do not use it.")
    told.turn(
        CODER,
        "Two requests at once: the second waits for the row lock, and must get the same answer for ten seconds.",
        edit("invoices/refresh.py", "a used token answers the same for ten seconds", (14, 3)),
        run(
            "pytest -v tests/test_tokens.py",
            material.pytest_output(
                [],
                {"ends_the_family_on_reuse": "AssertionError: family 7c1e was not revoked after 12 s"},
                material.NEW_TESTS,
            ),
            failed=True,
        ),
    )
    error = told.by(coder).progress.error(
        "A reused refresh token does not end its family: the revocation is rolled back with the request",
        name="Reused",
    )
    told.turn(
        CODER,
        "Raising Reused rolls back the transaction that revoked the family. The revocation needs its own.",
        edit("invoices/refresh.py", "revoke in a transaction of its own", (8, 5)),
        run("pytest -v", material.pytest_output(more=material.NEW_TESTS)),
    )
    told.by(coder).progress.resolve_error(error, how="the family is revoked in a transaction of its own")
    told.by(coder).progress.commit_made("51c0b2e", message="Rotate refresh tokens, and end a family on reuse")
    told.by(coder).work.complete_task("T2")
    told.by(coder).checkpoints.create("tokens work", triggers=["milestone"])


def _review(told: Recorder) -> None:
    reviewer, coder = REVIEWER.name, CODER.name
    told.wait(minutes=12)
    told.by(coder).progress.set_phase("review")
    told.say("mara", "Please review it before it goes to staging.", task="review")
    told.by(reviewer).items.save(
        "note",
        "Look at: alg confusion, kid path traversal, audience, clock skew, refresh races, logs with tokens.",
        importance=0.8,
    )
    told.turn(
        REVIEWER,
        "I read what changed.",
        run("git diff main --stat", _stat()),
        read("invoices/tokens.py", material.TOKENS),
    )
    told.turn(
        REVIEWER,
        "The refresh module next.",
        read("invoices/refresh.py", material.REFRESH),
        read("invoices/keys.py", material.KEYS),
    )
    told.by(reviewer).items.save(
        "finding",
        "`kid` is looked up in a dictionary, not on disk: no traversal. `algorithms` is fixed: no confusion.",
        importance=0.6,
    )
    finding = told.turn(
        REVIEWER,
        "Two findings. 1: `keys()` is cached for ever, so a new key is only seen after a restart. 2: the access log "
        "writes the Authorization header at debug level.",
        run(
            "grep -rn authorization invoices/logging.py",
            'logging.py:31:    log.debug("headers %s", dict(request.headers))',
        ),
    )
    told.by(reviewer).caused_by(finding).work.add_action(
        "Reload keys without a restart", priority="high", estimate_minutes=30, assignee=coder
    )
    masked = (
        told.by(reviewer)
        .caused_by(finding)
        .work.add_action(
            "Keep tokens out of the debug log", priority="high", estimate_minutes=15, assignee=coder
        )
    )
    answer = told.turn(
        CODER,
        "Keys are read again every five minutes and when a token names one that is unknown.",
        edit("invoices/keys.py", "reload after five minutes or on an unknown kid", (17, 2)),
        run("pytest -v", material.pytest_output(more=material.NEW_TESTS)),
    )
    told.decide(
        CODER,
        answer,
        "Keys are reloaded every five minutes and on an unknown kid, at most once a second",
        rationale="a rotation needs no restart, and a flood of unknown kids reads the disk once a second",
    )
    told.turn(
        CODER,
        "The log now names headers and no values.",
        edit("invoices/logging.py", "log the names of headers", (1, 1)),
        run("pytest -q tests", material.pytest_output(more=material.NEW_TESTS)),
    )
    told.by(coder).work.complete_action(masked)
    told.say("mara", "Which tests cover the clock skew?", kind="clarification")
    told.turn(CODER, "test_allows_thirty_seconds_of_skew, with a frozen clock at 29 and at 31 seconds.")
    told.turn(
        REVIEWER,
        "Both findings are mended. Staging next: a load test, since every request now checks a signature.",
        run("cat deploy/staging.env", material.ENVIRONMENT),
    )
    told.by("mara").progress.set_clarity(90)


def _next_morning(told: Recorder) -> None:
    coder, reviewer = CODER.name, REVIEWER.name
    told.session.occurred(told.now).tiers.update(told.now)
    told.say(
        "mara", "Good morning. Staging answers slowly since the deployment. Can you look?", importance=0.9
    )
    told.by(coder).work.start_task(
        "T3", "Find out why staging is slow", acceptance_criteria=["p95 below 80 ms"]
    )
    told.by(coder).items.touch(told.session.decisions.list(limit=1)[0].id, reason="cited")
    told.turn(
        CODER,
        "I read the log of the last minutes.",
        run(
            "tail -n 40 /var/log/invoices/access.log",
            material.access_log(told.now, 40, {"GET /invoices/7731": 401}, slow="POST /payments"),
        ),
        query="how long may a request take, and which key is used?",
    )
    told.turn(
        CODER,
        "POST /payments takes 30 seconds: it waits for the gateway, which waits for our keys.",
        run(
            "curl -sS -m 5 https://staging.invoices.example.com/.well-known/jwks.json",
            "curl: (28) Operation timed out after 5001 milliseconds with 0 bytes received",
            failed=True,
        ),
        run(
            "kubectl logs deploy/invoices --tail 30",
            "\n".join(
                f"08:1{place % 10}:0{place % 6} WARNING keys: /run/keys/2026-11-17.pem: permission denied, trying again"
                for place in range(30)
            ),
        ),
    )
    error = told.by(coder).progress.error(
        "PermissionError: /run/keys/2026-11-17.pem cannot be read by the service's account",
        name="PermissionError",
    )
    told.turn(
        CODER,
        "The secret is mounted for root only. I check how the other deployments mount theirs.",
        run("kubectl get deploy billing -o yaml", _deployment()),
        run("kubectl auth can-i update deploy/invoices -n staging", "no", failed=True),
    )
    told.by(coder).work.ask(
        "May I change the deployment, or does the platform team do that?", priority="high", blocks=[error]
    )
    told.by(reviewer).items.save(
        "note", "The key directory belongs into the readiness check: a pod without keys must not get traffic."
    )
    answer = told.turn(
        REVIEWER,
        "A pod that cannot read its keys must not become ready. That would have kept the old version serving.",
        read("invoices/api/health.py", _HEALTH),
    )
    told.decide(
        REVIEWER,
        answer,
        "A pod is ready only if it can read its newest key",
        rationale="the old version keeps serving when keys are missing, in place of a slow outage",
        impact=["invoices/api/health.py"],
        priority="high",
    )
    told.turn(
        CODER,
        "I add it to the readiness check and run everything.",
        edit("invoices/api/health.py", "ready needs current_key()", (6, 1)),
        run("pytest -v", material.pytest_output(more=material.NEW_TESTS)),
    )
    told.by(coder).work.add_action(
        "Ask the platform team to mount the keys for the service's account",
        priority="high",
        estimate_minutes=10,
        assignee="mara",
    )
    told.say("mara", "I have written to the platform team. Please start the load test meanwhile.")
    told.turn(
        CODER,
        "The load test runs for ten minutes. I wait for it and for the end-to-end tests.",
        Tool("load_test", {"target": "staging", "minutes": 10, "rate": 200}, None),
        Tool("shell", {"command": "pytest -v tests/end_to_end --staging"}, None),
    )


def _stat() -> str:
    files = {
        "invoices/api/exports.py": 4, "invoices/api/internal.py": 11, "invoices/api/invoices.py": 18,
        "invoices/api/payments.py": 9, "invoices/auth.py": 37, "invoices/keys.py": 44, "invoices/refresh.py": 63,
        "invoices/tokens.py": 44, "migrations/0042_refresh_tokens.sql": 11, "tests/test_tokens.py": 148,
    }  # fmt: skip
    lines = [f" {path:38} | {count:4} {'+' * min(count // 3 + 1, 40)}" for path, count in files.items()]
    return "\n".join(
        [*lines, f" {len(files)} files changed, {sum(files.values())} insertions(+), 41 deletions(-)"]
    )


def _deployment() -> str:
    return """apiVersion: apps/v1
kind: Deployment
metadata:
  name: billing
  namespace: staging
spec:
  template:
    spec:
      securityContext:
        runAsUser: 10001
        fsGroup: 10001
      containers:
        - name: billing
          image: registry.example.com/billing:4.12.0
          volumeMounts:
            - name: keys
              mountPath: /run/keys
              readOnly: true
      volumes:
        - name: keys
          secret:
            secretName: billing-keys
            defaultMode: 0440"""


_HEALTH = '''"""Is the service alive, and may it get traffic?"""

from fastapi import APIRouter, Depends
from sqlalchemy import text
from sqlalchemy.orm import Session

from invoices.db import database

router = APIRouter()


@router.get("/livez")
def livez() -> dict[str, bool]:
    return {"ok": True}


@router.get("/readyz")
def readyz(db: Session = Depends(database)) -> dict[str, bool]:
    db.execute(text("select 1"))
    return {"ok": True}'''

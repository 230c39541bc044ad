"""Contexts that were recorded with every renderer there ever was are made again, in a process of its own."""

import base64
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from backstory.composing import EXTRACTORS, LAYOUTS
from backstory.domain.assembly.composition import FORMATS
from tests.context.golden_session import goldens, recorded_again, tell

CHECK = """
import json, sys
from backstory import ContextStore
url, session, versions = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
with ContextStore.open(url, migrate=False) as store:
    opened = store.session(session)
    for name, version in versions.items():
        again = opened.reproduce(version)
        print(json.dumps([name, again.ok, again.found, str(again)]))
"""


def test_every_renderer_and_format_has_goldens():
    named = {tuple(name.split("-")[:2]) for name in goldens()}
    assert named == {(str(renderer), format) for renderer in LAYOUTS for format in FORMATS}


def test_every_extractor_has_goldens_that_no_other_one_makes_again(store):
    by_extractor = {json.loads(golden["event"]).get("extractor", 1): golden for golden in goldens().values()}
    assert set(by_extractor) == set(EXTRACTORS)
    session = store.start()
    tell(session)
    newest = by_extractor[max(EXTRACTORS)]
    for extractor in EXTRACTORS:
        event = json.dumps(json.loads(newest["event"]) | {"extractor": extractor})
        again = session.reproduce(recorded_again(session, {**newest, "event": event}))
        assert again.ok == (extractor == max(EXTRACTORS))


def test_a_fresh_process_makes_every_golden_again(store, url):
    session = store.start()
    tell(session)
    versions = {name: recorded_again(session, golden) for name, golden in goldens().items()}
    done = subprocess.run(
        [sys.executable, "-c", CHECK, url, str(session.id), json.dumps(versions)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": "4711"},
    )
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert [name for name, *_ in made] == list(versions)
    for name, ok, found, said in made:
        golden = goldens()[name]
        assert ok, f"{name}: {said}"
        assert found == hashlib.sha256(base64.b64decode(golden["prompt"])).hexdigest()

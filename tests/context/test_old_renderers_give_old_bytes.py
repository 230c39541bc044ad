"""A recorded context is rendered by the renderer and extractor versions that it names, also in another process."""

import base64
import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from backstory.application.context.mentions import EXTRACTORS
from backstory.application.context.render import LAYOUTS
from backstory.domain.context import layout
from backstory.domain.context.composition import FORMATS
from backstory.domain.entities.entities import Mention
from backstory.domain.errors import InvalidInput
from backstory.domain.policies.assembly import AssemblyPolicy
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


def test_every_renderer_extractor_and_format_has_goldens():
    named = [name.split("-") for name in goldens()]
    assert {renderer for renderer, *_ in named} == set(map(str, LAYOUTS))
    assert {extractor for _, extractor, *_ in named} == set(map(str, EXTRACTORS))
    assert {format for *_, format, _ in named} == set(FORMATS)


def test_a_context_keeps_its_bytes_when_a_newer_renderer_is_the_default(store, monkeypatch):
    """The newer renderer is made up here: it differs in one heading."""
    session = store.start()
    session.work.set_goal("Ship it")
    session.message("go on")
    first = session.context(4_000)
    monkeypatch.setitem(LAYOUTS, 2, _Newer)
    second = session.context(4_000, policy=AssemblyPolicy(renderer=2))
    assert "## Goals" in first.data.decode()
    assert "## Aims" in second.data.decode()
    for context in (first, second):
        again = session.reproduce(context.version)
        assert again.ok
        assert again.context.data == context.data


def test_a_context_of_a_renderer_that_is_not_registered_is_refused(store, monkeypatch):
    session = store.start()
    session.message("go on")
    with monkeypatch.context() as patch:
        patch.setitem(LAYOUTS, 2, _Newer)
        context = session.context(4_000, policy=AssemblyPolicy(renderer=2))
    with pytest.raises(InvalidInput, match="renderer: must be one of 1, got 2"):
        session.reproduce(context.version)


def test_entities_are_found_again_by_the_extractor_that_the_context_names(store, monkeypatch):
    """The newer extractor is made up here: it finds one entity in every message."""
    session = store.start()
    session.message("Look at auth/jwt.py.")
    first = session.context(4_000)
    body = next(event.body for event in session.events() if event.version == first.version)
    monkeypatch.setitem(EXTRACTORS, 2, lambda messages: [Mention("concept", "made up")])
    prompt = base64.b64encode(first.data).decode()
    named = {"event": json.dumps(json.loads(body.encode()) | {"extractor": 2}), "prompt": prompt}
    second = session.reproduce(recorded_again(session, named))
    assert not second.ok
    assert "made up" in second.context.data.decode()
    assert session.reproduce(first.version).ok


class _Newer:
    OLDER_HEADING, EARLIER_HEADING = layout.OLDER_HEADING, layout.EARLIER_HEADING
    CONTEXT_OPENS, CONTEXT_CLOSES = layout.CONTEXT_OPENS, layout.CONTEXT_CLOSES
    rules = staticmethod(layout.rules)
    task = staticmethod(layout.task)
    role = staticmethod(layout.role)
    decision_text = staticmethod(layout.decision_text)
    summary_lines = staticmethod(layout.summary_lines)
    summary = staticmethod(layout.summary)
    entities = staticmethod(layout.entities)
    older = staticmethod(layout.older)
    earlier = staticmethod(layout.earlier)
    said = staticmethod(layout.said)

    @staticmethod
    def work(loaded, chosen):
        return layout.work(loaded, chosen).replace("## Goals", "## Aims")


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

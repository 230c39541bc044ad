"""Contexts made again: recorded while sessions were backtracked, forked, summed up, compacted, cleared, under several
policies, renderers and formats; then made again by a store that has read nothing yet. What an erasure makes impossible
is another matter, and in the tests."""

import random
import time
from typing import NamedTuple

from backstory import ContextStore
from backstory.domain.events import ContextAssembled
from tests.replay.histories import STEPS, World, a_store

SEED = 20261109


class Reproductions(NamedTuple):
    made: int
    equal: int
    seconds: float


def reproductions(url: str, wanted: int) -> Reproductions:
    with ContextStore.open(url) as store:
        return _made_again(store, wanted)


def _made_again(store: ContextStore, wanted: int) -> Reproductions:
    rng = random.Random(SEED)
    steps = [step for step in STEPS if not step.startswith("erase")]
    made = equal = 0
    started = time.perf_counter()
    while made < wanted:
        world = World(a_store(store, snapshot_every=40))
        for _ in range(80):
            world.happen(_step(rng, rng.choice(steps)))
            for _ in range(3):
                world.happen(_step(rng, "context"))
        world.go_on_in(a_store(store, snapshot_every=40))
        seen = set()
        for told in world.told:
            for event in told.session.events(types=[ContextAssembled.type]):
                if (event.stream, event.version) in seen or made == wanted:
                    continue
                seen.add((event.stream, event.version))
                again = told.session.reproduce(event.version)
                made += 1
                equal += again.ok
    return Reproductions(made, equal, time.perf_counter() - started)


def _step(rng: random.Random, name: str) -> tuple[str, int, int, int]:
    return (name, rng.randrange(12), rng.randrange(12), rng.randrange(12))

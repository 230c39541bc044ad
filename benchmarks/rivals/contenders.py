"""Who is compared."""

from functools import partial

from benchmarks.rivals.backstory_store import backstory_store
from benchmarks.rivals.conversation import Contender
from benchmarks.rivals.google_adk_store import adk_store
from benchmarks.rivals.langgraph_store import langgraph_delta_store, langgraph_store
from benchmarks.rivals.openai_agents_store import agents_store
from benchmarks.rivals.results import ANSWERED, OURS, READING

_LANGGRAPH = ("langgraph", "langgraph-checkpoint-postgres")
_AGENTS = ("openai-agents", "sqlalchemy", "asyncpg")
_ADK = ("google-adk", "sqlalchemy", "asyncpg")
NEWEST = 20

DELTA = Contender("LangGraph PostgresSaver, DeltaChannel", _LANGGRAPH, langgraph_delta_store)
CONTENDERS = (
    Contender(OURS, ("backstory",), backstory_store),
    # One append less: nothing is in the log of the call before its answer is.
    Contender(ANSWERED, ("backstory",), partial(backstory_store, records="with_answer"), True),
    # The same job as that of the others: what the model needs is read, and not recorded as well.
    Contender(READING, ("backstory",), partial(backstory_store, records=False), True),
    # The same as those of them who read so many: no context is made.
    Contender(f"{OURS}, newest {NEWEST}", ("backstory",), partial(backstory_store, newest=NEWEST), True),
    Contender(f"{OURS}, just opened", ("backstory",), partial(backstory_store, forgets=True), True),
    Contender("LangGraph PostgresSaver", _LANGGRAPH, langgraph_store),
    DELTA,
    Contender("OpenAI Agents SQLAlchemySession", _AGENTS, agents_store),
    Contender(
        f"OpenAI Agents SQLAlchemySession, newest {NEWEST}",
        _AGENTS,
        partial(agents_store, limit=NEWEST),
        True,
    ),
    Contender("Google ADK DatabaseSessionService", _ADK, adk_store),
    Contender(
        f"Google ADK DatabaseSessionService, newest {NEWEST}", _ADK, partial(adk_store, newest=NEWEST), True
    ),
)
# Refused writers may load the session again and repeat; nobody else refuses.
PATIENT = Contender("Google ADK DatabaseSessionService, reloading", _ADK, partial(adk_store, reloads=True))
# On disk, what Backstory keeps beside the messages when every turn asks for a context.
RECORDING = Contender(
    f"{OURS}, every prompt recorded", ("backstory",), partial(backstory_store, records_prompts=True)
)

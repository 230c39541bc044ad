"""The story that the demo plays: an agent takes a wrong turn, goes back, and somebody tries a third way."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from importlib.resources import as_file, files
from uuid import UUID

from backstory.application.session import Session
from backstory.application.store import ContextStore
from backstory.domain.errors import BranchMoved

TITLE = "Add JWT login to the orders API"
FORK_TITLE = "The same with EdDSA"
TAG = "demo"
VERSIONS, FORK_VERSIONS = 23, 16
"""The newest versions of both sessions at the end of the story."""
SETTINGS = 'SECRET_KEY = os.environ["SECRET_KEY"]  # also in billing and in the partner gateway'
FAILURE = "2 failed: test_gateway_cannot_mint, test_key_rotation"
SUCCESS = "14 passed in 0.8s"
LATE_CALL = "call_rotate"
ANSWER = "Publish it at /.well-known/jwks.json. The gateway can fetch it there and keep it for a day."


@dataclass
class Story:
    """Plays its acts on a store, one after the other. With ids and times given it is the same each time."""

    store: ContextStore
    id: UUID | None = None
    fork_id: UUID | None = None
    clock: Callable[[], datetime] | None = None
    sessions: list[Session] = field(default_factory=list)
    """The session and its fork, as far as the story has come."""
    digests: dict[int, str] = field(default_factory=dict)
    """The digest of each version when it was written, for comparison with a replay."""

    def begin(self) -> Session:
        """Records the work up to the point at which the decision proves wrong."""
        self.session = self.store.start(
            self.id, title=TITLE, tags=[TAG], project="orders", limit=8_000, actor="operator"
        )
        self.sessions.append(self.session)
        self._note()
        self.say("ana").message("Add login with JWT to the orders API. The partner's gateway calls it too.")
        self._note()
        goal = self.say("planner").work.set_goal(
            "Users log in and call the API with a token", priority="high"
        )
        self._note()
        question = self.say("planner").work.ask("How long may a token live?", blocks=[goal])
        self._note()
        self.say("ana").work.answer(question, "15 minutes, with a refresh token")
        self._note()
        self.say("coder").tool_call("read_file", {"path": "api/settings.py"}, call_id="call_read")
        self._note()
        self.before_the_turn = self.say("coder").tool_result("call_read", SETTINGS)
        self._note()
        self.say("planner").decide(
            "Sign tokens with HS256 and SECRET_KEY",
            rationale="the key is already in every service's settings",
        )
        self._note()
        self.say("coder").tool_call("run_tests", {"path": "tests/auth"}, call_id="call_test")
        self._note()
        self.say("coder").tool_result("call_test", FAILURE, is_error=True)
        self._note()
        self.say("ana").message(
            "The gateway may check our tokens but must never be able to make one.", kind="feedback"
        )
        self._note()
        self.left = self.say("coder").tool_call("rotate_key", {"key": "SECRET_KEY"}, call_id=LATE_CALL)
        self._note()
        self.worker = self.store.session(self.session.id)
        return self.session

    def turn_back(self) -> int:
        """Backtracks to the version before the wrong decision."""
        version = self.say("planner").backtrack(
            self.before_the_turn, "with HS256 the gateway could make tokens"
        )
        self._note()
        return version

    def answer_late(self) -> BranchMoved | None:
        """Records the result of a tool that was called before the backtrack. It is refused."""
        try:
            self.worker.by("coder").tool_result(LATE_CALL, "rotated")
        except BranchMoved as refused:
            return refused
        return None

    def take_the_other_path(self) -> int:
        """Records the better decision."""
        self.say("ana").work.add_constraint("The gateway checks tokens and cannot make them")
        self._note()
        decision = self.say("planner").decide(
            "Sign tokens with RS256, publish the public key",
            rationale="only the login service can sign",
            alternatives_rejected=["HS256 with SECRET_KEY"],
            priority="high",
        )
        self._note()
        self.say("coder").tool_call("run_tests", {"path": "tests/auth"}, call_id="call_again")
        self._note()
        self.say("coder").tool_result("call_again", SUCCESS)
        self._note()
        (goal,) = self.session.state.goals
        self.say("planner").work.complete_goal(goal)
        self._note()
        return decision

    def call_a_model(self) -> int:
        """Records one turn of an agent: the context, the call, its answer and a decision."""
        self.say("ana").message("How does the gateway get the public key?")
        self._note()
        self.context = self.say("planner").context(4_000)
        self._note()
        usage = {"prompt_tokens": self.context.tokens, "completion_tokens": 37}
        call = self.say("planner").model_called(self.context, "gpt-5-mini", usage, provider="openai")
        self._note()
        message = self.say("planner").caused_by(call).message(ANSWER, role="agent")
        self._note()
        decision = self.say("planner").caused_by(message).decide("Publish the key as a JWKS document")
        self._note()
        return decision

    def fork(self, at: int) -> Session:
        """Forks from before the second decision."""
        self.forked = self.session.by("bo").fork(at, id=self.fork_id, title=FORK_TITLE)
        self.sessions.append(self.forked)
        self.forked.by("bo").decide(
            "Sign tokens with EdDSA", rationale="keys and signatures are a tenth the size"
        )
        return self.forked

    def bring_in(self) -> Session:
        """Imports a transcript of another tool. Importing it again changes nothing."""
        with as_file(files("backstory.interfaces.cli.demo") / "sample_transcript.jsonl") as path:
            (imported,) = self.store.import_file(path)
        return self.store.session(imported.session)

    def say(self, actor: str) -> Session:
        """The session, written to as this actor."""
        session = self.session.by(actor)
        return session if self.clock is None else session.occurred(self.clock())

    def _note(self) -> None:
        state = self.session.state
        self.digests[state.version] = state.digest()

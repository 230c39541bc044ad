"""Backstory over HTTP: `create_app(store)` is the ASGI application.

Paths, parameters and results are those of Python:

| Python                                | HTTP, below `/api/v1`                                               |
|---------------------------------------|---------------------------------------------------------------------|
| `session.message(…)`                  | `POST /sessions/{session}/message`                                  |
| `session.work.set_goal(…)`            | `POST /sessions/{session}/work/set-goal`                            |
| `session.items.list(…)`               | `GET /sessions/{session}/items`: `list` is the group itself         |
| `session.at(7)`, `session.state`      | `GET /sessions/{session}/state?at=7`, `…/state`                     |
| `store.feed_status()`                 | `GET /feed-status`                                                  |
| `store.start(…)`, `store.sessions(…)` | `POST /sessions`, `GET /sessions`                                   |
| `store.purge(id, …)`                  | `POST /sessions/{session}/purge`: the session that a call is about  |
| `by("ana")`, `once("k")`              | the headers `Backstory-Actor: ana`, `Idempotency-Key: k`            |
| `occurred`, `caused_by`, `of_origin`  | `Backstory-Occurred-At`, `Backstory-Cause`, `Backstory-Origin`      |

What only reads is a GET with a query, all else is a POST with a JSON object. Both have the names of the Python
parameters, positional ones too; `*tags` is the list `tags`, and a list in a query is its name repeated. A write that
returns a version answers `WrittenDocument`: `{"session": …, "version": …}`. Bytes are base64, or text where they are
UTF-8: see `PartDocument`. A slash in a name in a path is encoded: `/projects/a%2Fb`. Long lists come in pages: `limit`
and `after`, and the answer's `next` is the `after` of the page behind it, null on the last.

To add a route:

1. A write of a session that returns a version has its route already: see `verbs.py`. Otherwise choose the topic's
   module in `routes/`, or add one and its `Routes` to `routes/__init__.py`.
2. Declare it with the action that its caller must be allowed: ``@routes.get("/sessions/{session}/x", Action.READ)``.
   The function's name is the operation id; its docstring is the summary and the description.
3. Take what it needs by type: `OpenSession` is the session of the path, seen and written on the caller's behalf, with
   the actor, idempotency key, expected version and epoch of the request's headers; `OpenProject` is the project of the
   path likewise; `CallerStore` is the store as the caller may see it; `Asking` is the caller; `OnceKey` is the
   idempotency key, for what is written to neither. Bodies are classes of `Body`, query parameters are annotated with
   `Query`.
4. Return a document of `interfaces/documents`, annotated as the return type. Raise the errors of `domain/errors`:
   `problems` answers them. Handlers are plain functions, which run in threads; only streams are `async`.
5. A route without `{session}` or `{project}` in its path is for callers that are not limited to projects, unless it is
   declared with `filtered=True`: then every query behind it is filtered by the store that it is given. One that shows a
   session as a whole, private items included, is declared with `whole=True`: keys of one agent may not use it.
6. Add its row to `tests/http/matrix.py`: a route without one fails.
"""

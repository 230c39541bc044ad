"""Sample sessions: what an agent's work looks like, made through the library's own calls.

| module      | contents                                                              |
|-------------|-----------------------------------------------------------------------|
| `sample`    | `backstory sample`, and the making of all sessions, once              |
| `recorder`  | one session with a clock, and the turns of its agents                 |
| `sign_in`   | the long session: JWT authentication is added to a service            |
| `shorter`   | the other sessions                                                    |
| `material`  | files, test runs and logs that the tools return                       |
"""

"""A store that is served: `backstory.connect("http://…")` returns a `ContextStore` whose calls are requests.

| module                           | contents                                                                        |
|----------------------------------|---------------------------------------------------------------------------------|
| `opening`                        | `connect` and `connect_async`                                                   |
| `store` `session` `project`      | the classes of the library, with a request in place of each method              |
| `calls`                          | a method's request, made from its signature, and the classes that have it       |
| `handle` `transactions`          | who writes, when and why; changes that are committed together                   |
| `connection` `problems`          | requests, repeated where that is safe; problems as the errors that they name    |
| `arguments` `results` `records`  | values as JSON, and JSON as the library's values                                |
| `following`                      | tails and feeds                                                                 |

Methods that are made of others, such as `redo` or `atomically`, are those of the library. What needs files or functions
of this process beside the database raises `OnlyInProcess`.
"""

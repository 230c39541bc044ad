"""The store for asyncio: the same surface, awaited.

One implementation serves both: each call runs the synchronous code on a thread, one thread a connection. A call that is
cancelled while it runs is not undone; whether it came through is told by reading, or by asking again under its
idempotency key.
"""

"""Live updates: events as they come, over Server-Sent Events and WebSocket."""

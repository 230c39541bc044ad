"""The MCP server: tools, resources and prompts for agents, over a store or a client of the service."""

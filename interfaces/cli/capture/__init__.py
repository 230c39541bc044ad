"""Commands that capture the sessions of agents on this machine."""

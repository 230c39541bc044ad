"""Capture: the sessions of agents that people run on this machine, as they go on."""

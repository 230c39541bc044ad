"""Backtracks, forks and differences between versions."""

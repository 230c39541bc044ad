"""Verification, rebuilds and erasure."""

"""Scheduled jobs and the worker that runs them."""

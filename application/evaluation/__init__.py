"""Evaluation of policies on recorded runs."""

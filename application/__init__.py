"""Use cases, in packages by capability."""

__version__ = "0.1.0"

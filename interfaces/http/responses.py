"""What routes answer besides their documents."""

from typing import Any

PROBLEM_TYPE = "application/problem+json"

_PROBLEM = {"content": {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDocument"}}}}

PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "The request was refused, and changed nothing.", **_PROBLEM},
    "5XX": {"description": "The service cannot answer now.", **_PROBLEM},
}
"""Described at every route."""

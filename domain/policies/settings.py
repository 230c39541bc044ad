"""Policies as they are recorded: by name, version and the numbers that differ from the defaults."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def changed_settings(policy: "DataclassInstance", default: "DataclassInstance") -> dict[str, Any]:
    """The numbers that differ from the defaults, as JSON."""
    values = {field.name: getattr(policy, field.name) for field in fields(policy)}
    return {
        name: _as_json(value)
        for name, value in values.items()
        if name not in ("name", "version") and value != getattr(default, name)
    }


def recorded_fields(policy: "type[DataclassInstance]", chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a recorded policy. Numbers that a newer version of the code has recorded, and this one does not
    know, are left out."""
    known = {field.name for field in fields(policy)}
    settings = {name: value for name, value in chosen["settings"].items() if name in known}
    return {"name": chosen["name"], "version": chosen["version"], **settings}


def _as_json(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(name): number for name, number in value.items()}
    return list(value) if isinstance(value, tuple) else value

"""Prints the OpenAPI document of the service, without a database: `python scripts/openapi.py > openapi.json`."""

import json
import sys
from typing import cast

from backstory.application.store import ContextStore
from backstory.interfaces.http.app import create_app

if __name__ == "__main__":
    # Describing the routes never asks the store for anything.
    app = create_app(cast(ContextStore, None))
    json.dump(app.openapi(), sys.stdout, indent=1)

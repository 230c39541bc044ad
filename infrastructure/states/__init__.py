"""States at any version, and the two caches of states."""

"""Keys of the service, and the trail of what was refused to them or needed them most."""

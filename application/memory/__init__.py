"""Memory: what a project knows beyond its sessions."""

"""Memories: what a project keeps beyond its sessions."""

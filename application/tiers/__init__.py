"""Tiers: HOT, WARM, COLD."""

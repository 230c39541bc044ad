"""The fold: state from events."""

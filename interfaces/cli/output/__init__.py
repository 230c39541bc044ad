"""Text, lines and views that commands print."""

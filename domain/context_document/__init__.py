"""The context document, `current-context.json`: sections, rules, commands."""

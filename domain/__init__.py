"""Events and their effects, the state and its fold, commands and policies: pure values and functions."""

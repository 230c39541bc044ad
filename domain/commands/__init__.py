"""Commands: functions from the state and a wish to the change it leads to, or to an error that says why not.

A command whose outcome no other writer can spoil takes no state: see `facts`. The others are in modules by subject.
"""

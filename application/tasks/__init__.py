"""Fresh contexts of tasks: built from nothing, within a budget, recorded, and made again."""

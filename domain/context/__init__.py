"""What a model is shown: which items come into a context, and the exact bytes they become."""

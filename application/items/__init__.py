"""Items: listed, loaded, brought back."""

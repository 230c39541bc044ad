"""Commands about how full a window is, and making room."""

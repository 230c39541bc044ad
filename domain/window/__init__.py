"""What a window may lose and what it may not, how full it is, and what stands for what has left it. Pure functions."""

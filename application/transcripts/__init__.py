"""Transcripts of other tools, brought in line by line: nothing is lost, and nothing is taken in twice."""

"""Anchors: chain hashes of sessions in signed files, kept where the database cannot change them."""

"""Other stores that agents keep their conversations in, used as their own documentation says."""

-- Removes a whole stream that is at this version, and leaves a tombstone.
select backstory.purge(%s, %s);

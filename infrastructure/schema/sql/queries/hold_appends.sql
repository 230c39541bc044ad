-- Keeps appends waiting until the transaction ends. Every append looks at this table before any other, so none is under
-- way once it is locked, and none can hold what the transaction needs next: else one of the two would be a deadlock's
-- victim.
lock table backstory.streams in access exclusive mode;

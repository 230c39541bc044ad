-- Hears of new events from now on.
listen backstory;

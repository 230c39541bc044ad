-- Says that there are new events.
notify backstory;

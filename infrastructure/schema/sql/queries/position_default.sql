-- Ties the sequence of positions to the events, so that it reaches every machine. Each one draws numbers of its own.
alter table backstory.events
alter column position set default nextval('backstory.positions');

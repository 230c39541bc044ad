-- Says that there are new events, and in which streams.
select pg_notify('backstory', %s);

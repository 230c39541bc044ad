-- Keeps a stream from being purged until the transaction ends; says whether it is there.
select backstory.hold_stream(%s);

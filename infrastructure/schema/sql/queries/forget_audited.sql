-- Forgets that an export was audited.
select backstory.forget_audited(%s);

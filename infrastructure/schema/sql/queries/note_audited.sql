-- Notes that an export was audited and found to be sound.
select backstory.note_audited(%s, %s);

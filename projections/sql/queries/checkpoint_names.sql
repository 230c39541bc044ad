-- A stream's named versions, also those whose event is gone.
select version, name
from backstory.checkpoints
where stream_id = %s;

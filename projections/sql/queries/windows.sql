-- A stream's windows.
select name, token_limit, encoding, model, items, tokens
from backstory.windows
where stream_id = %s
order by name;

-- Each window's settings and usage: the number of live items and the sum of their tokens.
create or replace view backstory.windows as
select s.stream_id, w.key as name, (w.value ->> 'limit')::integer as token_limit, w.value ->> 'encoding' as encoding,
       w.value ->> 'model' as model, (s.summary ->> ('items:' || w.key))::integer as items,
       (s.summary ->> ('tokens:' || w.key))::bigint as tokens
from backstory.streams s, jsonb_each(s.summary -> 'windows') w;

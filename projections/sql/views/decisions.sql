-- Every decision on a stream's current branch, also those that a state no longer holds. The texts are contents.
create or replace view backstory.decisions as
select i.stream_id, i.item as decision, i.brought_at as decided_at, i.agent, i.brought_in, i.windows <> '{}' as live
from backstory.items i
where i.type = 'decision';

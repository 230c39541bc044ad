-- The tables of read models, with their rows and their bytes on disk, indexes included.
select 'items', (select count(*) from backstory.items), pg_total_relation_size('backstory.items')
union all
select 'checkpoints', (select count(*) from backstory.checkpoints), pg_total_relation_size('backstory.checkpoints')
union all
select 'branch_points', (select count(*) from backstory.branch_points), pg_total_relation_size('backstory.branch_points')
union all
select 'streams', (select count(*) from backstory.streams), pg_total_relation_size('backstory.streams');

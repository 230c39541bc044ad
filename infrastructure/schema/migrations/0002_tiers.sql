-- When each live item's tier has to be looked at. Items from before get theirs afterwards, session by session.
alter table backstory.items add column cools_from integer, add column warms_until integer;

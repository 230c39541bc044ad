-- Where everything of ours is.
create schema if not exists backstory;

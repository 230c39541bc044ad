-- The embedded server's database.
create database backstory;

-- The role that may only read, and call the functions that append.
create role backstory_service nologin;

-- Goes on as the service role.
set role backstory_service;

-- Lets this login become the service role.
grant backstory_service to current_user;

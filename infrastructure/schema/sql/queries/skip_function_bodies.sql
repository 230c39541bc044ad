-- Lets functions be made in any order, whatever they call.
set local check_function_bodies = off;

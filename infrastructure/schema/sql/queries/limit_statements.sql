-- Ends every statement of this connection after so many milliseconds, should nobody be there to cancel it.
select set_config('statement_timeout', %s, false);

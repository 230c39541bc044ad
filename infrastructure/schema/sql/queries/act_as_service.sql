-- Goes on as the service role, to the end of the transaction.
set local role backstory_service;

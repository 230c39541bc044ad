-- Goes on as the role that logged in, to the end of the transaction.
set local role none;

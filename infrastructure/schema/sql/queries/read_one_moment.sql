-- All reads of the transaction see the same.
set transaction isolation level repeatable read, read only;

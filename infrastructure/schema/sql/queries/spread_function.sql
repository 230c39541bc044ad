-- Has a function on every machine.
select create_distributed_function(%s::regprocedure);

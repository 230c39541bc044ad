-- Has a function run as a whole on the machine that holds its stream, also within a transaction.
select create_distributed_function(
    %s::regprocedure, 'p_stream', colocate_with => 'backstory.streams', force_delegation => true
);

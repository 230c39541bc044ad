-- Changes shards one after the other, so that what follows in the same session sees all of it.
set citus.multi_shard_modify_mode = 'sequential';

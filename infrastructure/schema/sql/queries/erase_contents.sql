-- Takes away the bytes at these places of a stream.
select backstory.erase_contents(%s, %s::integer[], %s::smallint[]);

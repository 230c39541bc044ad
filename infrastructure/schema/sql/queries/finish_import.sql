-- The end of an import.
select backstory.finish_import(%s, %s, %s, %s);

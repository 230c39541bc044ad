-- A project's next retention rule.
select backstory.set_retention(%s, %s, %s, %s, %s, %s);

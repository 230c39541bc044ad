-- Empties the activity.
select backstory.forget_activity();

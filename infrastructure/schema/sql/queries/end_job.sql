-- Notes how a run of a job ended; gives the seconds until it is due again.
select backstory.end_job(%(job)s, %(run)s, %(outcome)s, %(changed)s, %(error)s, %(mark)s);

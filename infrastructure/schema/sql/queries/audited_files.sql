-- The exports that were audited by this code and are being imported.
select digest
from backstory.audited_files
where audited_by = %s;

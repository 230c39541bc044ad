-- The append of two events, each with at most one content, and no guard on items: one statement, so that they are there
-- together or not at all. The lock that the first one takes is held, so that nothing comes between them. Handed to libpq as
-- it is.
select
    backstory.append(
        $1, null, $2, null, null, $3, null, null, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, $15),
    backstory.append(
        $1, null, null, null, null, $3, null, null, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26,
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);

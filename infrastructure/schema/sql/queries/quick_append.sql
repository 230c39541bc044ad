-- The append of one event with at most one content, and no guard on items. Handed to libpq as it is.
select backstory.append(
    $1, null, $2, null, null, $3, null, null, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14,
    null, null, null, null, null, null, null, null, null, null, null, null, null, null, $15
);

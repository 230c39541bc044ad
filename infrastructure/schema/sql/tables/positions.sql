-- Where each event stands in the feed of all streams. Numbers are drawn in the order of transactions' work, not of
-- their commits, and one that was rolled back leaves a gap.
create sequence backstory.positions;

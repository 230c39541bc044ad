-- The tier policy of a stream with these labels: name, version, hot, warm, tau in hours, boost weight. The default is
-- written here once, and a test holds it to the domain's. Inlined where it is used.
create or replace function backstory.tier_policy(p_labels jsonb) returns jsonb
language sql immutable parallel safe as $$
    select coalesce(p_labels -> 'tier_policy', '["default", "1", "0.8", "0.4", "48.0", "0.1"]')
$$;

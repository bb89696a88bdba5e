-- Whom the index of words knows by all of the terms, up to a number of them. A function, since only there the way can be
-- set: left to its estimates, the planner would read the table until it has met enough.
create function members_with_words(terms text[], at_most integer) returns setof text
  language sql stable set enable_seqscan = off set enable_indexscan = off as $$
  select id from member_words where grams @> terms limit at_most
$$;
comment on function members_with_words is 'Ids of members whose e-mail address and names have all of the terms of member_grams.';

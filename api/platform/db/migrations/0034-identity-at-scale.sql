-- The queue of identity cases in its order, by officer, by what was found, and by what a case is known by; addresses of chains by their
-- beginnings.

create index kyc_application_queue on kyc_application (waiting_since, id);
drop index kyc_application_by_matches;
create index kyc_application_by_matches on kyc_application (waiting_since, id) where possible_matches > 0;
create index kyc_application_of_officer on kyc_application (coalesce(assignee_id, decided_by), waiting_since, id)
  where coalesce(assignee_id, decided_by) is not null;
-- How long the last decisions took is read from the index alone.
create index kyc_application_by_decision on kyc_application (decided_at, waiting_since) where decided_at is not null;
create index kyc_application_refused on kyc_application (id)
  where is_final or (final_proposed_by is not null and deleted_at is not null);

drop index kyc_application_by_eth;
create index kyc_application_by_eth on kyc_application (lower(eth_address) text_pattern_ops);
create index kyc_application_by_btc on kyc_application (btc_address text_pattern_ops) where btc_address <> '';
create index kyc_application_searched on kyc_application
  using gin (member_grams(lower(full_name || ' ' || last_name || ' ' || email)));

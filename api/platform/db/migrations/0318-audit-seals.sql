-- The audit log is sealed in batches. Linking each entry at commit made all writers wait for one another.
drop trigger audit_entry_chained on audit_entry;
drop function chain_audit_entry();

-- Links committed entries in the order of their IDs, and returns their number. One instance at a time: the others
-- return at once.
create function seal_audit_entries(most integer) returns integer language plpgsql as $$
declare
  entry audit_entry;
  place bigint;
  before bytea;
  count integer := 0;
begin
  if not exists (select from audit_entry where hash is null) then return 0; end if;
  if not pg_try_advisory_xact_lock(7146006) then return 0; end if;
  -- Read after acquiring the lock: each statement of the function sees what was committed before it.
  select seq, hash into place, before from audit_entry where seq is not null order by seq desc limit 1;
  place := coalesce(place, 0);
  before := coalesce(before, ''::bytea);
  for entry in select * from audit_entry where hash is null order by id limit most loop
    place := place + 1;
    update audit_entry set
      seq = place,
      previous_hash = before,
      hash = sha256(convert_to(audit_entry_text(entry, place, before), 'UTF8'))
    where id = entry.id
    returning hash into before;
    count := count + 1;
  end loop;
  return count;
end
$$;

alter table audit_check drop constraint audit_check_broken_why_check;
alter table audit_check add constraint audit_check_broken_why_check
  check (broken_why in ('changed', 'missing', 'relinked', 'cut', 'unsealed')) not valid;

comment on column audit_entry.seq is 'Position in the hash chain, assigned when the entry is sealed, shortly after it was committed.';

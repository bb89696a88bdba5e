-- Files on their way into the store, and photos that wait for their application.

create table pending_file (
  file_key text primary key,
  created_at timestamptz not null default now()
);
comment on table pending_file is 'A file that no record stands for (yet): named here before it is written, and let go of in the transaction that refers to it. What is old here is removed from the store.';

create table kyc_staged_photo (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member,
  file_key text not null unique,
  sealed_data_key bytea not null,
  bytes integer not null,
  created_at timestamptz not null default now()
);
create index kyc_staged_photo_by_member on kyc_staged_photo (member_id);
comment on table kyc_staged_photo is 'Photos sent ahead, one by one, while the form is filled in. They go with the application or after two hours.';
comment on column kyc_staged_photo.sealed_data_key is 'The key of this picture, wrapped by the master key.';

-- The audit log: nobody edits it, and each entry is chained to the one before.

alter table audit_entry
  add column seq bigint unique,
  add column previous_hash bytea,
  add column hash bytea;
comment on column audit_entry.seq is 'The place in the chain, given at commit.';
comment on column audit_entry.hash is 'SHA-256 over the entry and the hash of the entry before.';

create function audit_entry_text(entry audit_entry, place bigint, before bytea) returns text
language sql immutable as $$
  select jsonb_build_array(
    place, entry.id, extract(epoch from entry.at)::numeric::text, entry.actor_id, entry.action,
    entry.subject_kind, entry.subject_id, entry.detail, encode(before, 'hex')
  )::text
$$;

-- At commit, when no other lock is waited for any more: one after the other, in the order of the chain.
create function chain_audit_entry() returns trigger language plpgsql as $$
declare
  last_seq bigint;
  last_hash bytea;
begin
  perform pg_advisory_xact_lock(7146006);
  select a.seq, a.hash into last_seq, last_hash from audit_entry a where a.seq is not null order by a.seq desc limit 1;
  last_seq := coalesce(last_seq, 0) + 1;
  last_hash := coalesce(last_hash, ''::bytea);
  update audit_entry set
    seq = last_seq,
    previous_hash = last_hash,
    hash = sha256(convert_to(audit_entry_text(new, last_seq, last_hash), 'UTF8'))
  where id = new.id;
  return null;
end
$$;

do $$
declare
  entry audit_entry;
  last_seq bigint := 0;
  last_hash bytea := '';
begin
  for entry in select * from audit_entry order by id loop
    last_seq := last_seq + 1;
    update audit_entry set seq = last_seq, previous_hash = last_hash,
      hash = sha256(convert_to(audit_entry_text(entry, last_seq, last_hash), 'UTF8'))
    where id = entry.id
    returning hash into last_hash;
  end loop;
end
$$;

create constraint trigger audit_entry_chained after insert on audit_entry
  deferrable initially deferred for each row execute function chain_audit_entry();

-- What is allowed is the chaining itself: once, from nothing, with all else unchanged.
create function keep_audit_entry() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.hash is null and new.hash is not null
    and (old.id, old.at, old.action, old.subject_kind, old.detail) = (new.id, new.at, new.action, new.subject_kind, new.detail)
    and old.actor_id is not distinct from new.actor_id and old.subject_id is not distinct from new.subject_id
  then
    return new;
  end if;
  raise exception 'the audit log is only ever added to' using errcode = 'insufficient_privilege';
end
$$;
create trigger audit_entry_kept before update or delete on audit_entry
  for each row execute function keep_audit_entry();
create trigger audit_entry_never_cleared before truncate on audit_entry
  for each statement execute function keep_audit_entry();

-- Review: who has a case, what was found in its documents, what stands beside it.

alter table kyc_application
  add column assignee_id text references member,
  add column assigned_at timestamptz,
  add column is_final boolean not null default false,
  add column final_proposed_by text references member,
  add column final_proposed_at timestamptz,
  add column email_alias text generated always as (
    case when split_part(lower(email), '@', 2) in ('gmail.com', 'googlemail.com')
      then replace(split_part(split_part(lower(email), '@', 1), '+', 1), '.', '') || '@gmail.com'
      else split_part(split_part(lower(email), '@', 1), '+', 1) || '@' || split_part(lower(email), '@', 2)
    end
  ) stored;
create index kyc_application_by_alias on kyc_application (email_alias);
create index kyc_application_by_eth on kyc_application (lower(eth_address));
create index kyc_application_by_state on kyc_application (status, created_at, id);
comment on column kyc_application.is_final is 'Refused for good: its member cannot apply again.';
comment on column kyc_application.final_proposed_by is 'The first of the two officers that a final refusal takes.';
comment on column kyc_application.email_alias is 'The address without what mail services ignore, to find the same person twice.';

alter table kyc_photo
  add column content_hash text,
  add column verdict text not null default 'open' check (verdict in ('open', 'accepted', 'refused')),
  add column reason text not null default '' check (char_length(reason) <= 2000),
  add column note text not null default '' check (char_length(note) <= 5000);
create index kyc_photo_by_content on kyc_photo (content_hash);
comment on column kyc_photo.content_hash is 'A keyed hash of the picture: equal for equal pictures, and of no use without the master key.';
comment on column kyc_photo.reason is 'Shown to the member.';
comment on column kyc_photo.note is 'Private to staff.';

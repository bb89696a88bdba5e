create table payout_run (
  id text primary key default gen_random_uuid()::text,
  number bigint generated always as identity unique,
  network text not null,              -- 'own', 'ethereum 1', 'bitcoin main', as configured when frozen
  contract text not null default '',
  decimals smallint not null check (decimals between 8 and 18),
  items integer not null check (items between 1 and 500),
  total numeric(38, 18) not null check (total > 0),
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  frozen_by text not null references member, frozen_at timestamptz(3) not null default now(),
  needs_two boolean not null,
  approved_by text references member, approved_at timestamptz(3),
  first_exported_at timestamptz(3),
  cancel_proposed_by text references member, cancel_proposed_at timestamptz(3),
  cancel_reason text not null default '' check (char_length(cancel_reason) <= 500),
  cancel_delivery_ids text[],          -- null for the whole run
  cancelled_by text references member, cancelled_at timestamptz(3),
  updated_at timestamptz(3) not null default now(),
  constraint payout_run_two check (approved_by is null or approved_by <> frozen_by),
  constraint payout_run_export check (first_exported_at is null or not needs_two or approved_at is not null),
  constraint payout_run_cancel check (cancelled_at is null or cancel_reason <> ''),
  -- Once exported, two officers cancel.
  constraint payout_run_cancel_two check (cancelled_at is null or first_exported_at is null
    or (cancel_proposed_by is not null and cancelled_by <> cancel_proposed_by))
);
create index payout_run_by_frozen on payout_run (frozen_at, id);
create index payout_run_by_hash on payout_run (hash text_pattern_ops);
create index payout_run_open on payout_run (frozen_at, id) where cancelled_at is null;
create index payout_run_by_officer on payout_run (frozen_by, frozen_at) where not needs_two;
create table payout_item (
  id text primary key default gen_random_uuid()::text,
  run_id text not null references payout_run,
  delivery_id text not null references delivery on delete cascade,
  position integer not null,
  address text not null check (char_length(address) between 1 and 128),
  amount numeric(38, 18) not null check (amount > 0),
  is_live boolean not null default true,
  tx_id text not null default '' check (char_length(tx_id) <= 128),
  sent_at timestamptz(3), sent_by text references member,
  confirmed_at timestamptz(3), confirmed_by text references member,
  constraint payout_item_sent check ((tx_id = '') = (sent_at is null) and (sent_at is null) = (sent_by is null)),
  constraint payout_item_confirmed check ((confirmed_at is null) = (confirmed_by is null)
    and (confirmed_at is null or sent_at is not null)),
  unique (run_id, position)
);
-- A delivery is in at most one run that was not cancelled.
create unique index payout_item_live on payout_item (delivery_id) where is_live;
-- The few among many that were paid long ago.
create index payout_item_unconfirmed on payout_item (delivery_id) where is_live and confirmed_at is null;
create index payout_item_by_tx on payout_item (tx_id) where tx_id <> '';
create table payout_export (
  id bigint generated always as identity primary key,
  run_id text not null references payout_run, format text not null check (format in ('csv','safe','disperse','psbt')),
  by_member_id text references member, at timestamptz(3) not null default now(), file_hash text not null
);
create index payout_export_by_run on payout_export (run_id, id);
create table payout_hold (
  id bigint generated always as identity primary key,
  cause text not null check (cause in ('restored', 'staff')),
  since timestamptz(3) not null,       -- payouts after this time may be unknown here
  opened_by text references member, opened_at timestamptz(3) not null default now(),
  note text not null default '' check (char_length(note) <= 500),
  first_released_by text references member, first_released_at timestamptz(3),
  released_by text references member, released_at timestamptz(3),
  release_note text not null default '' check (char_length(release_note) <= 500),
  second_release_note text not null default '' check (char_length(second_release_note) <= 500),
  constraint payout_hold_two check (released_at is null or (first_released_by is not null and released_by <> first_released_by))
);
create unique index payout_hold_open on payout_hold ((true)) where released_at is null;

-- What was frozen stays as it was: amounts and addresses never change. What may have been sent is never free again, and
-- what was confirmed never changes.
create function keep_payout_item() returns trigger language plpgsql as $$
begin
  if (old.run_id, old.delivery_id, old.address, old.amount, old.position) is distinct from
     (new.run_id, new.delivery_id, new.address, new.amount, new.position) then raise exception 'a payout item never changes'; end if;
  if not old.is_live and new.is_live then raise exception 'a released payout item stays released'; end if;
  if old.tx_id <> '' and (new.tx_id = '' or not new.is_live) then raise exception 'a sent payout item stays'; end if;
  if old.confirmed_at is not null and (old.tx_id, old.sent_at, old.confirmed_at) is distinct from
     (new.tx_id, new.sent_at, new.confirmed_at) then raise exception 'a confirmed payout item never changes'; end if;
  return new;
end $$;
create trigger payout_item_kept before update on payout_item for each row execute function keep_payout_item();
create function follow_payout_item() returns trigger language plpgsql as $$
begin
  update delivery set is_in_run = new.is_live, updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where id = new.delivery_id and is_in_run <> new.is_live;
  return null;
end $$;
create trigger payout_item_followed after insert or update of is_live on payout_item
  for each row execute function follow_payout_item();
create function keep_delivered_amount() returns trigger language plpgsql as $$
begin
  if (old.amount, old.order_id) is distinct from (new.amount, new.order_id) or (old.cancelled_at is null and new.cancelled_at is not null) then
    if old.is_in_run then raise exception 'the delivery is in a payout run'; end if;
  end if;
  return new;
end $$;
create trigger delivery_kept before update on delivery for each row execute function keep_delivered_amount();

-- Payouts made after the backup are unknown to a restored database, so it makes none until two officers have compared
-- the wallet with the list.
create or replace function end_what_was_open(dump_taken_at timestamptz) returns void language plpgsql as $$
begin
  delete from session;
  delete from known_device;
  delete from passkey_challenge;
  delete from reset_code;
  delete from email_change;
  delete from mailbox_code;
  delete from erasure_request;
  delete from program_instance;
  update sign_up set expires_at = least(expires_at, now()) where used_at is null;
  update lost_factor set state = 'expired', ended_at = now() where ended_at is null;
  update sale_proposal set outcome = 'expired', ended_at = now() where ended_at is null;
  update announcement set preview_hash = null, preview_until = null where preview_hash is not null;
  update mail set state = 'stopped', changed_at = now(), claimed_until = null where state = 'waiting';
  update newsletter_issue set fed_at = now() where fed_at is null;
  update newsletter_pace set since = now();
  delete from sale_reminder;
  update webhook_delivery d set state = 'failed', changed_at = now(), claimed_until = null
    from webhook_endpoint e where e.id = d.endpoint_id and e.state = 'active' and d.state = 'waiting';
  update webhook_endpoint set state = 'paused', paused_at = now(), updated_at = now() where state = 'active';
  update webhook_endpoint set sealed_former_secret = null, former_secret_until = null;
  update chain_watch set lease_holder = null, lease_until = null;
  update api_token set expires_at = least(expires_at, now()), previous_hash = null;
  update payout_hold set cause = 'restored', since = least(since, dump_taken_at), first_released_by = null,
    first_released_at = null where released_at is null;
  insert into payout_hold (cause, since) select 'restored', dump_taken_at
    where not exists (select from payout_hold where released_at is null);
  insert into restored_backup (taken_at) values (dump_taken_at);
end
$$;

-- A transfer that a node showed proves the item of a run that it paid. The item keeps its transaction if the transfer is
-- deleted.
alter table payout_item add column transfer_id bigint;
alter table payout_item add constraint payout_item_transfer_fkey foreign key (transfer_id) references chain_transfer
  on delete set null not valid;
comment on column payout_item.transfer_id is 'The transfer on the network that paid it. Null if a person recorded the transaction.';
alter table payout_item add column assign_reason text not null default '';
alter table payout_item add constraint payout_item_assign_reason check (char_length(assign_reason) <= 500) not valid;
comment on column payout_item.assign_reason is 'Why an officer assigned the transfer. Empty if the watcher matched it.';

-- The network proves what was sent, so nobody has to stand for it.
alter table payout_item drop constraint payout_item_sent;
alter table payout_item add constraint payout_item_sent check ((tx_id = '') = (sent_at is null)
  and (sent_by is null or sent_at is not null)) not valid;
alter table payout_item drop constraint payout_item_confirmed;
alter table payout_item add constraint payout_item_confirmed check ((confirmed_by is null or confirmed_at is not null)
  and (confirmed_at is null or sent_at is not null)) not valid;

create table payout_dismissed (
  transfer_id bigint primary key references chain_transfer on delete cascade,
  by_member_id text references member, at timestamptz(3) not null default now(),
  reason text not null check (char_length(reason) between 1 and 500)
);
comment on table payout_dismissed is 'Transfers of the treasury that paid no delivery.';

-- What a node confirmed is taken back if its block leaves the chain. What a person confirmed never changes.
create or replace function keep_payout_item() returns trigger language plpgsql as $$
begin
  if (old.run_id, old.delivery_id, old.address, old.amount, old.position) is distinct from
     (new.run_id, new.delivery_id, new.address, new.amount, new.position) then raise exception 'a payout item never changes'; end if;
  if not old.is_live and new.is_live then raise exception 'a released payout item stays released'; end if;
  if old.tx_id <> '' and (new.tx_id = '' or not new.is_live) then raise exception 'a sent payout item stays'; end if;
  if old.confirmed_at is not null and (old.tx_id, old.sent_at) is distinct from (new.tx_id, new.sent_at)
    then raise exception 'a confirmed payout item never changes'; end if;
  if old.confirmed_at is distinct from new.confirmed_at and old.confirmed_at is not null
    and (old.confirmed_by is not null or new.confirmed_at is not null)
    then raise exception 'a confirmed payout item never changes'; end if;
  return new;
end $$;

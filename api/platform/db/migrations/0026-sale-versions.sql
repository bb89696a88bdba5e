-- The sale has a window and caps, every change of its settings and of the application record is kept, and a new receiving
-- address can wait for a second person.

alter table sale
  add column opens_at timestamptz(3),
  add column closes_at timestamptz(3),
  add column cap numeric(38, 18) check (cap > 0),
  add column member_cap numeric(38, 18) check (member_cap > 0),
  add constraint sale_window check (closes_at > opens_at);
comment on column sale.opens_at is 'Before this time nothing is sold. Orders placed since then count towards the caps; all of them where it is null.';
comment on column sale.closes_at is 'From this time on nothing is sold.';
comment on column sale.cap is 'The most tokens that all orders together take, cancelled ones not counted. Null: no limit.';
comment on column sale.member_cap is 'The most tokens that the orders of one member take.';

create table sale_sold (
  id boolean primary key default true check (id),
  since timestamptz not null,
  quantity numeric not null
);
comment on table sale_sold is 'The tokens that count towards the cap. Only while there is one: without it no order waits for this row.';

create function sale_sold_of(o token_order, since timestamptz) returns numeric language sql immutable as $$
  select case when o.status <> 'cancelled' and o.created_at >= since then coalesce(o.fab_qty, 0) else 0 end
$$;
create function count_sold() returns trigger language plpgsql as $$
declare
  counted timestamptz;
  delta numeric := 0;
begin
  select since into counted from sale_sold;
  if counted is null then return null; end if;
  if tg_op <> 'DELETE' then delta := delta + sale_sold_of(new, counted); end if;
  if tg_op <> 'INSERT' then delta := delta - sale_sold_of(old, counted); end if;
  if delta <> 0 then update sale_sold set quantity = quantity + delta; end if;
  return null;
end $$;
create trigger token_order_sold after insert or delete or update of status, fab_qty on token_order
  for each row execute function count_sold();

create type setting_subject as enum ('sale', 'app');
create table setting_version (
  id bigint generated always as identity primary key,
  subject setting_subject not null,
  at timestamptz(3) not null default now(),
  by_member_id text references member,
  confirmed_by_member_id text references member,
  restored_id bigint references setting_version,
  before jsonb not null,
  after jsonb not null,
  changes jsonb not null
);
create index setting_version_by_subject on setting_version (subject, id);
create index setting_version_by_time on setting_version (at, id);
comment on table setting_version is 'Every change of the sale''s settings and of the application record, as it was before and after. Never changed.';
comment on column setting_version.by_member_id is 'Null where the program itself set it: at a start, or before changes were kept.';
comment on column setting_version.changes is 'What differs: path, from, to.';

create type sale_proposal_outcome as enum ('confirmed', 'declined', 'withdrawn', 'overtaken', 'expired');
create table sale_proposal (
  id text primary key default gen_random_uuid()::text,
  proposed_by text not null references member,
  proposed_at timestamptz(3) not null default now(),
  settings jsonb not null,
  changes jsonb not null,
  restored_id bigint references setting_version,
  ended_at timestamptz(3),
  ended_by text references member,
  outcome sale_proposal_outcome,
  reason text not null default '' check (char_length(reason) <= 500),
  check ((ended_at is null) = (outcome is null))
);
create unique index sale_proposal_open on sale_proposal ((true)) where ended_at is null;
comment on table sale_proposal is 'Changes of a receiving address that wait for a second person. At most one waits.';

alter table app
  add column updated_at timestamptz(3) not null default now(),
  add column edited_at timestamptz(3),
  add check (char_length(name) <= 200),
  add check (char_length(full_name) <= 200),
  add check (char_length(contact) <= 254);
comment on column app.edited_at is 'When an operator changed it. Until then the program writes it from its content at every start.';

-- A sale consists of rounds. A round overrides the sale's period, caps, prices, and limits; what it leaves out is the
-- sale's.
create type round_admission as enum ('approved', 'listed');

create table sale_round (
  id text primary key default gen_random_uuid()::text,
  position integer not null,
  name_en text not null check (char_length(name_en) between 1 and 60),
  name_cn text not null check (char_length(name_cn) between 1 and 60),
  opens_at timestamptz(3),
  closes_at timestamptz(3),
  cap numeric(38, 18) check (cap > 0),
  member_cap numeric(38, 18) check (member_cap > 0),
  admission round_admission not null default 'approved',
  excluded_countries text[] not null default '{}',
  bonus jsonb not null default '[]',
  vesting jsonb not null default '{"first":"100","later":null}',
  is_former boolean not null default false,
  sold numeric not null default 0,
  constraint sale_round_window check (closes_at > opens_at),
  -- No two rounds at one time, so that exactly one price applies. Checked at the end, because one save can move several.
  constraint sale_round_apart exclude using gist (tstzrange(opens_at, closes_at) with &&) deferrable initially deferred
);
comment on column sale_round.is_former is 'The round of all orders without a round: what was sold before there were rounds.';
comment on column sale_round.sold is 'Tokens in the orders of the round, except canceled ones. Maintained by a trigger.';
create unique index sale_round_former on sale_round (is_former) where is_former;
-- The list of rounds. One without a start comes first.
create index sale_round_by_opening on sale_round (coalesce(opens_at, timestamptz(3) '1970-01-01 00:00:00+00'), id);

create table sale_round_price (
  round_id text not null references sale_round on delete cascade,
  code text not null check (char_length(code) between 1 and 40),
  rate numeric(38, 18) not null check (rate > 0),
  min_amount numeric(38, 18) not null check (min_amount >= 0),
  max_amount numeric(38, 18) not null check (max_amount >= min_amount),
  primary key (round_id, code)
);

create table sale_round_guest (
  id text primary key default gen_random_uuid()::text,
  round_id text not null references sale_round on delete cascade,
  email text not null check (char_length(email) <= 254),
  added_by text references member,
  added_at timestamptz(3) not null default now(),
  unique (round_id, email)
);
create index sale_round_guest_by_added on sale_round_guest (added_at, id);
create index sale_round_guest_of_round on sale_round_guest (round_id, added_at, id);
create index sale_round_guest_by_email on sale_round_guest (email);

-- `rate` includes the bonus; `base_rate` is the stated one. The vesting plan is that of the round at that time; null
-- means all tokens at completion.
alter table order_quote add column round_id text;
alter table order_quote add column base_rate numeric(38, 18);
alter table order_quote add column bonus_percent numeric(5, 2) not null default 0;
alter table order_quote add column vesting jsonb;
alter table token_order add column round_id text;
alter table token_order add column base_rate numeric(38, 18);
alter table token_order add column bonus_percent numeric(5, 2) not null default 0;
alter table token_order add column vesting jsonb;
-- A removed round takes its quotes with it. A round with orders cannot be removed.
alter table order_quote add constraint order_quote_round_fkey foreign key (round_id) references sale_round on delete cascade not valid;
alter table token_order add constraint token_order_round_fkey foreign key (round_id) references sale_round not valid;

-- The withdrawn price of a round has the code `<round>/<code>`.
alter table withdrawn_price drop constraint withdrawn_price_pay_method_check;
alter table withdrawn_price add constraint withdrawn_price_pay_method_check check (char_length(pay_method) <= 81) not valid;

-- An order without a round belongs to the first round.
create function count_round_sold() returns trigger language plpgsql as $$
declare
  lost numeric := 0;
  gained numeric := 0;
begin
  if tg_op <> 'INSERT' and old.status <> 'cancelled' then lost := coalesce(old.fab_qty, 0); end if;
  if tg_op <> 'DELETE' and new.status <> 'cancelled' then gained := coalesce(new.fab_qty, 0); end if;
  if tg_op = 'UPDATE' and old.round_id is not distinct from new.round_id then
    gained := gained - lost;
    lost := 0;
  end if;
  if lost = 0 and gained = 0 then return null; end if;
  -- A transaction can change orders of several rounds, in any sequence. All wait for the same row first.
  perform from sale_round order by id limit 1 for no key update;
  if lost <> 0 then
    update sale_round set sold = sold - lost where id = old.round_id or (old.round_id is null and is_former);
  end if;
  if gained <> 0 then
    update sale_round set sold = sold + gained where id = new.round_id or (new.round_id is null and is_former);
  end if;
  return null;
end $$;
-- Its name comes after that of the trigger that counts for the whole sale, so that rows are always locked in that order.
create trigger token_order_sold_in_round after insert or delete or update of status, fab_qty, round_id on token_order
  for each row execute function count_round_sold();

-- Pages also show the round.
alter table sale_shown add column round_id text;
comment on column sale_shown.sold_version is 'The version of the rows that count what is sold, in the sale and in the round. It changes with each order, even if the quantity is the same as before.';

-- What exists becomes the first round, which inherits everything from the sale.
insert into sale_round (position, name_en, name_cn, is_former, sold)
  select 0, 'Sale', '首轮', true,
    (select coalesce(sum(fab_qty), 0) from token_order where status <> 'cancelled')
  from sale;

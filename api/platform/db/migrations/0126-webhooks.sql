-- Webhooks: what happened is told to machines of the operator's, by rows that are written with what they tell of.

create type webhook_state as enum ('active', 'paused', 'disabled');
create type webhook_disabled_for as enum ('failures', 'gone');
create type webhook_delivery_state as enum ('waiting', 'delivered', 'failed');

create table webhook_endpoint (
  id text primary key default gen_random_uuid()::text,
  url text not null check (char_length(url) <= 2000),
  description text not null default '' check (char_length(description) <= 200),
  event_types text[] not null,
  state webhook_state not null default 'active',
  disabled_for webhook_disabled_for,
  disabled_at timestamptz(3),
  sealed_secret bytea,
  sealed_former_secret bytea,
  former_secret_until timestamptz(3),
  failing_since timestamptz(3),
  last_delivered_at timestamptz(3),
  created_by text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  check ((state = 'disabled') = (disabled_for is not null))
);
comment on table webhook_endpoint is 'Addresses that are told what happens. A deleted one stays for a while, so that no event that is being written refers to nothing.';
comment on column webhook_endpoint.sealed_secret is 'Signs what is sent. Gone once the endpoint is deleted.';
comment on column webhook_endpoint.sealed_former_secret is 'Signs beside the new one until former_secret_until.';
comment on column webhook_endpoint.failing_since is 'The first attempt that failed since the last one that succeeded.';

create table webhook_event (
  id text primary key,
  type text not null,
  subject_id text not null,
  data jsonb not null,
  created_at timestamptz(3) not null default now()
);
comment on table webhook_event is 'What happened, written in the transaction of what it tells of, where an endpoint asks for it. Ids, states, times, amounts; kept for 30 days.';
create index webhook_event_by_age on webhook_event (created_at);

create table webhook_delivery (
  id text primary key default gen_random_uuid()::text,
  n bigint generated always as identity,
  endpoint_id text not null references webhook_endpoint on delete cascade,
  event_id text not null references webhook_event on delete cascade,
  subject_id text not null,
  state webhook_delivery_state not null default 'waiting',
  attempts integer not null default 0,
  round_from integer not null default 0,
  next_try_at timestamptz(3) not null default now(),
  claimed_until timestamptz(3),
  last_status integer,
  last_error text,
  last_ms integer,
  response_excerpt text not null default '' check (char_length(response_excerpt) <= 1024),
  tries jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  changed_at timestamptz(3) not null default now(),
  unique (endpoint_id, event_id)
);
comment on table webhook_delivery is 'One event for one endpoint. Delivered at least once: whoever has it in hand has it until claimed_until.';
comment on column webhook_delivery.n is 'The order in which events of one subject are delivered.';
comment on column webhook_delivery.round_from is 'The attempts before it was sent again by hand, which do not count for its waits.';
comment on column webhook_delivery.response_excerpt is 'The beginning of the last answer, as text.';
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_try_at) where state = 'waiting';
create index webhook_delivery_of_subject on webhook_delivery (endpoint_id, subject_id, n) where state = 'waiting';
create index webhook_delivery_listed on webhook_delivery (endpoint_id, created_at desc, id desc);
create index webhook_delivery_failed on webhook_delivery (endpoint_id, created_at) where state = 'failed';
create index webhook_delivery_of_event on webhook_delivery (event_id);

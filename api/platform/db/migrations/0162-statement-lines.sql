-- Lines of bank and exchange statements that finance imports, and how each layout of a statement is read.

create type statement_line_state as enum ('open', 'applied', 'assigned', 'dismissed');

create table statement_line (
  id text primary key default gen_random_uuid()::text,
  fingerprint text not null unique check (char_length(fingerprint) <= 64),
  state statement_line_state not null,
  line integer not null,
  problem text not null default '' check (char_length(problem) <= 40),
  order_id text references token_order on delete cascade,
  reference text not null check (char_length(reference) <= 500),
  tx_id text not null check (char_length(tx_id) <= 128),
  amount text not null check (char_length(amount) <= 60),
  currency text not null check (char_length(currency) <= 10),
  received_at timestamptz(3),
  sender text not null check (char_length(sender) <= 200),
  address text not null check (char_length(address) <= 128),
  imported_by text not null references member,
  imported_at timestamptz(3) not null default now(),
  resolved_by text references member,
  resolved_at timestamptz(3),
  reason text not null default '' check (char_length(reason) <= 500)
);
create index statement_line_open on statement_line (imported_at, id) where state = 'open';
create index statement_line_of_order on statement_line (order_id) where order_id is not null;
comment on table statement_line is 'Lines of imported statements: what was recorded for an order, and what someone still has to resolve.';
comment on column statement_line.fingerprint is 'A hash of what the line says, by which the same line of another import is recognized.';
comment on column statement_line.problem is 'Why it was not recorded automatically, as one of a list; empty where it was.';
comment on column statement_line.amount is 'As it stands in the file where it could not be read, else a decimal.';
comment on column statement_line.reason is 'Why it was assigned or dismissed.';

create table statement_layout (
  id text primary key check (char_length(id) = 64),
  mapping jsonb not null,
  saved_by text not null references member,
  saved_at timestamptz(3) not null default now()
);
comment on table statement_layout is 'How the columns of statements with the same heading are read, shared by finance.';
comment on column statement_layout.id is 'A hash of the heading.';

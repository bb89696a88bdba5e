-- Members and visitors write to staff inside the product.
create type conversation_subject as enum ('order', 'identity', 'account', 'visitor');
create type conversation_status as enum ('open', 'waiting', 'closed');
create type message_author as enum ('member', 'staff', 'note');

create table conversation (
  id text primary key default gen_random_uuid()::text,
  about conversation_subject not null,
  member_id text references member on delete cascade,
  order_id text references token_order on delete cascade,
  application_id text references kyc_application on delete cascade,
  email text check (char_length(email) <= 254),
  name text not null default '' check (char_length(name) <= 100),
  language language,
  code_hash text,
  proved_at timestamptz(3),
  status conversation_status not null default 'open',
  status_at timestamptz(3) not null default now(),
  created_at timestamptz(3) not null default now(),
  message_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  assignee_id text references member on delete set null,
  read_at timestamptz(3),
  mailed_at timestamptz(3),
  check ((about = 'visitor') = (member_id is null)),
  check ((about = 'visitor') = (email is not null)),
  check ((about = 'order') = (order_id is not null)),
  check ((about = 'identity') = (application_id is not null))
);
comment on table conversation is 'Messages about one order, one identity case, or one account, or from one visitor.';
comment on column conversation.email is 'Address of a visitor, who has no account.';
comment on column conversation.language is 'Language of a visitor. Members have their own.';
comment on column conversation.code_hash is 'Hash of the code in the email that verifies the address of a visitor.';
comment on column conversation.proved_at is 'When the visitor verified the address. Staff see the message only then.';
comment on column conversation.status is 'open: staff must answer; waiting: the member or visitor must.';
comment on column conversation.status_at is 'Since when it has had this status: for an open one, since when it has been unanswered.';
comment on column conversation.read_at is 'When the member last read it.';
comment on column conversation.mailed_at is 'When the member was last emailed about a message.';
create unique index conversation_of_order on conversation (order_id);
create unique index conversation_of_application on conversation (application_id);
create unique index conversation_of_account on conversation (member_id) where about = 'account';
create index conversation_by_member on conversation (member_id, message_at, id);
create unique index conversation_by_code on conversation (code_hash);
create index conversation_by_address on conversation (email);
create index conversation_by_assignee on conversation (assignee_id);
create index conversation_by_message on conversation (message_at, id);
create index conversation_by_status on conversation (status_at, id);

create table conversation_message (
  id text primary key default gen_random_uuid()::text,
  conversation_id text not null references conversation on delete cascade,
  author message_author not null,
  author_id text references member on delete set null,
  text text not null check (char_length(text) <= 4000),
  at timestamptz(3) not null default clock_timestamp()
);
comment on table conversation_message is 'Messages, and notes that only staff see.';
create index conversation_message_by_conversation on conversation_message (conversation_id, at, id);
create index conversation_message_by_author on conversation_message (author_id);

create table conversation_attachment (
  id text primary key,
  message_id text not null references conversation_message on delete cascade,
  n smallint not null,
  file_key text,
  sealed_data_key bytea,
  is_pdf boolean not null,
  bytes int not null,
  created_at timestamptz(3) not null default now(),
  check ((file_key is null) = (sealed_data_key is null))
);
comment on table conversation_attachment is 'Encrypted pictures and PDFs. The key is deleted when the retention period ends.';
create index conversation_attachment_by_message on conversation_attachment (message_id, n);
create index conversation_attachment_due on conversation_attachment (created_at) where file_key is not null;

create table saved_reply (
  id text primary key default gen_random_uuid()::text,
  title text not null check (char_length(title) <= 100),
  text_en text not null check (char_length(text_en) <= 4000),
  text_cn text not null check (char_length(text_cn) <= 4000),
  updated_at timestamptz(3) not null default now(),
  updated_by text references member on delete set null
);
comment on table saved_reply is 'Answers that staff can insert into a message.';
create index saved_reply_by_author on saved_reply (updated_by);
create index saved_reply_by_time on saved_reply (updated_at, id);

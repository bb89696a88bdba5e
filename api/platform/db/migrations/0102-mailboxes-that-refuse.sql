-- Mailboxes that mails do not reach, and the Message-ID that a mail keeps over all attempts.

alter table mail add column message_id text;
comment on column mail.message_id is 'From the first attempt on, whatever the settings become: the receiver tells by it what it has already.';

create table mailbox_refusal (
  member_id text primary key references member on delete cascade,
  address text not null check (char_length(address) <= 254),
  refused_at timestamptz(3) not null default now(),
  error text not null,
  enhanced text,
  is_reported boolean not null,
  tried_at timestamptz(3) not null default now(),
  accepted_at timestamptz(3)
);
comment on table mailbox_refusal is 'A mail to the member was refused for good because of their mailbox. It says nothing once the member has another address.';
comment on column mailbox_refusal.is_reported is 'Whether that was said by a delivery report that came back, and not in answer to the delivery.';
comment on column mailbox_refusal.tried_at is 'When a mail that nobody asked for was last sent to it: one a day is.';
comment on column mailbox_refusal.accepted_at is 'When a mail was first accepted again. A report may still come.';

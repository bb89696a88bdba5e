-- What the console shows of the outbox: whose mails they are, each attempt, and lists that are read by an index.

alter table mail
  add column member_id text references member on delete set null,
  add column language language,
  add column changed_at timestamptz(3) not null default now(),
  add column claimed_until timestamptz,
  add column round_from integer not null default 0,
  add column tries jsonb not null default '[]';
comment on column mail.member_id is 'Whose address it was when the mail was written; null where it was nobody''s yet.';
comment on column mail.changed_at is 'When it was written, tried, delivered, given up, stopped or sent again.';
comment on column mail.claimed_until is 'A worker has it in hand until then, or has died.';
comment on column mail.round_from is 'The attempts before it was sent again, which do not count towards giving up.';
comment on column mail.tries is 'Each attempt with its times and the code of its failure, never the words of the mail server.';
comment on table mail is 'The outbox, written in the transaction of the cause. Messages hold codes, so they are sealed, and erased once sent or once their code has expired.';

update mail set
  changed_at = coalesce(sent_at, created_at),
  member_id = (select member.id from member where member.email = mail.to_address);

-- Each order of the list is read in both directions.
drop index mail_by_created;
create index mail_listed on mail (created_at, id);
create index mail_listed_by_change on mail (changed_at, id);
create index mail_by_kind on mail (kind, created_at, id);
create index mail_by_kind_and_change on mail (kind, changed_at, id);
create index mail_to on mail (to_address text_pattern_ops, created_at, id);
create index mail_of_member on mail (member_id);

-- What was not delivered is little of all that there is.
create index mail_undelivered on mail (state, created_at, id) where state <> 'sent';
create index mail_undelivered_by_change on mail (state, changed_at, id) where state <> 'sent';

-- What staff without a right to finance see.
create index mail_general on mail (created_at, id) where kind !~ '^(kyc|order|staff-order)-';
create index mail_general_by_change on mail (changed_at, id) where kind !~ '^(kyc|order|staff-order)-';

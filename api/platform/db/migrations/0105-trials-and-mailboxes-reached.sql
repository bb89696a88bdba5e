-- A trial keeps its mail over all attempts, and what came back from before a mailbox was reached does not mark it again.

alter table mailbox_refusal add column trial_mail_id text;
comment on column mailbox_refusal.trial_mail_id is 'The mail that tries whether the mailbox is there. It goes in all of its attempts.';

create table mailbox_reached (
  member_id text primary key references member on delete cascade,
  reached_at timestamptz(3) not null default now()
);
comment on table mailbox_reached is 'When the member last showed that mails arrive, or staff said so. Reports about mails from before mark nobody.';

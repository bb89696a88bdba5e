-- Every accepted application hangs on the ambassador whom it made, or who was one before; corrections wait for the end of a week.

alter table ambassador_application
  add column ambassador_id text references ambassador on delete set null,
  add column sent_again_at timestamptz(3);
update ambassador_application set sent_again_at = state_at where status = 'received' and state_at > created_at;
update ambassador_application p set ambassador_id = a.id from ambassador a where a.application_id = p.id;
update ambassador_application p set ambassador_id = coalesce(
  (select a.id from ambassador a join member m on m.id = a.member_id where m.email = p.email),
  (select a.id from ambassador a where a.member_id is null and a.email = p.email))
  where p.status = 'accepted' and p.ambassador_id is null;
create index ambassador_application_of_ambassador on ambassador_application (ambassador_id);
comment on column ambassador_application.ambassador_id is 'Whom it made an ambassador, or who was one already when it was accepted.';
comment on column ambassador_application.sent_again_at is 'When it last took the place of what was sent before from the same address.';
alter table ambassador drop column application_id;

create index ambassador_by_mailbox on ambassador (email_alias(email)) where member_id is null;

create table invitation_correction (
  ambassador_id text not null references ambassador on delete cascade,
  week date not null,
  made_in date not null,
  sign_ups integer not null default 0,
  activations integer not null default 0,
  identities integer not null default 0,
  primary key (ambassador_id, week, made_in)
);
comment on table invitation_correction is 'What was added to or taken from a week that was over, and in which week that happened: until that is over the ambassador sees the figures without it.';

alter table ambassador_slug add column of_content boolean not null default false;
comment on column ambassador_slug.of_content is 'Of an entry of content/, which may have it again.';

-- contracts: nothing that the release before uses, because views keep the names of its tables.
-- One table for the notes of staff about members, orders, identity cases, and ambassador applications.
alter type member_note_kind rename to staff_note_kind;
alter table member_note rename to staff_note;
alter index member_note_pkey rename to staff_note_pkey;
alter index member_note_by_member rename to staff_note_by_member;
alter table staff_note
  alter column member_id drop not null,
  add column order_id text,
  add column application_id text,
  add column ambassador_application_id text;
alter table staff_note add constraint staff_note_order_id_fkey
  foreign key (order_id) references token_order on delete cascade not valid;
alter table staff_note add constraint staff_note_application_id_fkey
  foreign key (application_id) references kyc_application on delete cascade not valid;
alter table staff_note add constraint staff_note_ambassador_application_id_fkey
  foreign key (ambassador_application_id) references ambassador_application on delete cascade not valid;
alter table staff_note add constraint staff_note_about_one
  check (num_nonnulls(member_id, order_id, application_id, ambassador_application_id) = 1) not valid;
alter table staff_note add constraint staff_note_reason_about_member
  check (kind = 'note' or member_id is not null) not valid;
comment on table staff_note is 'Notes of staff about one record, and why they acted on an account. Part of the member''s export, except notes about identity cases.';
comment on column staff_note.kind is 'note, or the action on an account whose reason the text is.';
comment on column staff_note.application_id is 'The identity case.';

insert into staff_note (id, ambassador_application_id, author_id, text, at)
  select id, application_id, author_id, text, at from ambassador_note;
drop table ambassador_note;

create view member_note as
  select id, member_id, kind, author_id, text, at from staff_note where member_id is not null;
comment on view member_note is 'For the release before, which may still run. A later release drops it.';
create view ambassador_note as
  select id, ambassador_application_id as application_id, author_id, text, at from staff_note
  where ambassador_application_id is not null;
comment on view ambassador_note is 'For the release before, which may still run. A later release drops it.';

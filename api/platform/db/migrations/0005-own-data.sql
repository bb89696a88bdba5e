-- What members accepted, and the words that their mails carry.

create type legal_document as enum ('terms', 'privacy');

create table consent (
  id bigint generated always as identity primary key,
  member_id text not null references member on delete cascade,
  document legal_document not null,
  version text not null check (char_length(version) <= 40),
  place text not null check (place in ('sign-up', 'account')),
  client text not null default '',
  at timestamptz(3) not null default now()
);
create index consent_by_member on consent (member_id, id);
comment on table consent is 'Who accepted which version of which document, when and where. Rows are added, never changed.';
comment on column consent.client is 'The network address that it was given from.';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end
$$;
create trigger consent_is_append_only before update on consent for each row execute function refuse_change();

alter table sign_up
  add column consents jsonb not null default '[]',
  add column consented_at timestamptz(3) not null default now(),
  add column consented_from text not null default '';
comment on column sign_up.consents is 'Documents and versions accepted in this attempt; consents of the member once its code is used.';
comment on column sign_up.consented_from is 'The network address that the form was sent from.';

create table member_phrase (
  member_id text primary key references member on delete cascade,
  sealed_phrase bytea not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table member_phrase is 'Words chosen by the member that every mail to them carries, sealed: whoever can read them can forge mails.';

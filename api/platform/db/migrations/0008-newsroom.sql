-- Drafts, schedules, versions, translations, previews and signatures of posts.

alter table announcement
  add column version integer not null default 1,
  add column edited_by text references member on delete set null,
  add column state_before_trash announcement_state,
  add column publish_at timestamptz(3),
  add column publish_zone text check (char_length(publish_zone) <= 64),
  add column changed_at timestamptz(3) not null default now(),
  add column preview_hash text unique,
  add column preview_until timestamptz,
  add constraint announcement_scheduled check (state <> 'scheduled' or (publish_at is not null and publish_zone is not null));

update announcement set changed_at = coalesce(edited_at, posted_at);
update announcement set state_before_trash = 'published' where state = 'deleted';

create index announcement_due on announcement (publish_at) where state = 'scheduled';
create index announcement_changed on announcement (changed_at desc, id desc);

comment on column announcement.version is 'The number of its newest saved version.';
comment on column announcement.state_before_trash is 'What it comes back to when it is restored.';
comment on column announcement.changed_at is 'The last change of anything: text, state or address.';
comment on column announcement.publish_zone is 'The IANA zone that the moment was chosen in.';
comment on column announcement.preview_hash is 'SHA-256 of the secret in the preview link.';

create table announcement_former_slug (
  slug text not null check (char_length(slug) <= 100),
  language language not null,
  announcement_id text not null references announcement on delete cascade,
  primary key (slug, language)
);
create index announcement_former_slug_by_announcement on announcement_former_slug (announcement_id);
comment on table announcement_former_slug is 'Addresses that posts had before they were linked as translations; they lead to where the post is now.';

create table signing_key (
  id text primary key,
  public_key text not null,
  sealed_private_key bytea not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3)
);
create unique index signing_key_in_use on signing_key ((true)) where retired_at is null;
comment on table signing_key is 'The Ed25519 keys of the installation. One is in use.';
comment on column signing_key.public_key is 'SubjectPublicKeyInfo as PEM.';
comment on column signing_key.sealed_private_key is 'PKCS #8, wrapped by the master key.';

create table announcement_version (
  announcement_id text not null references announcement on delete cascade,
  n integer not null check (n >= 1),
  title text not null check (char_length(title) <= 200),
  category text not null,
  language language not null,
  content text not null,
  saved_at timestamptz(3) not null default now(),
  saved_by text references member on delete set null,
  restored_from integer,
  published_at timestamptz(3),
  signed_document text,
  signature text,
  signing_key_id text references signing_key,
  primary key (announcement_id, n),
  constraint announcement_version_signed check ((signature is null) = (signed_document is null) and (signature is null) = (signing_key_id is null))
);
comment on table announcement_version is 'Every saved version of a post. Only the time of publishing and the signature come later.';
comment on column announcement_version.signed_document is 'The very text that was signed.';

-- Until now every post was public as soon as it was saved.
insert into announcement_version (announcement_id, n, title, category, language, content, saved_at, saved_by, published_at)
  select id, 1, title, category, language, content, coalesce(edited_at, posted_at), created_by,
    coalesce(edited_at, posted_at)
  from announcement;

create function keep_announcement_version() returns trigger language plpgsql as $$
begin
  if (new.announcement_id, new.n, new.title, new.category, new.language, new.content, new.saved_at, new.restored_from)
      is distinct from
      (old.announcement_id, old.n, old.title, old.category, old.language, old.content, old.saved_at, old.restored_from)
    or (old.published_at is not null and new.published_at is distinct from old.published_at)
    or (old.signature is not null and (new.signature, new.signed_document, new.signing_key_id)
      is distinct from (old.signature, old.signed_document, old.signing_key_id)) then
    raise exception 'a version of a post is never changed' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger announcement_version_kept before update on announcement_version
  for each row execute function keep_announcement_version();

create table announcement_working_copy (
  id text primary key,
  member_id text not null references member on delete cascade,
  announcement_id text references announcement on delete cascade,
  title text not null default '' check (char_length(title) <= 200),
  category text not null default '',
  language language not null,
  content text not null default '',
  based_on timestamptz(3),
  saved_at timestamptz(3) not null default now()
);
create index announcement_working_copy_by_member on announcement_working_copy (member_id, saved_at desc);
create unique index announcement_working_copy_of_post on announcement_working_copy (member_id, announcement_id) where announcement_id is not null;
comment on table announcement_working_copy is 'What an editor has typed and not saved.';
comment on column announcement_working_copy.based_on is 'The post''s edited_at when the editing began: tells a conflict.';

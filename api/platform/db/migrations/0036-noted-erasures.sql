-- A backup brings nobody back: what was erased since is noted beside the stored files, and erased again after a restore.

create type erasure_kind as enum ('member', 'application', 'photos');

create table erasure_to_note (
  kind erasure_kind not null,
  id text not null,
  at timestamptz(3) not null default now(),
  primary key (kind, id)
);
comment on table erasure_to_note is 'What was erased and is not noted in the store of files yet. A worker does that and deletes the row.';
comment on column erasure_to_note.id is 'Of the member, or of the identity application whose content or photos were destroyed.';

create function note_erasure() returns trigger language plpgsql as $$
begin
  insert into erasure_to_note (kind, id, at)
    values (tg_argv[0]::erasure_kind, new.id, coalesce((to_jsonb(new) ->> 'erased_at')::timestamptz, now()))
    on conflict (kind, id) do update set at = excluded.at;
  perform pg_notify('changes', 'erasures');
  return null;
end
$$;
create trigger member_erased after update of erased_at on member
  for each row when (old.erased_at is null and new.erased_at is not null)
  execute function note_erasure('member');
create trigger kyc_application_emptied after update of full_name on kyc_application
  for each row when (old.full_name <> '' and new.full_name = '')
  execute function note_erasure('application');
create trigger kyc_photos_destroyed after update of sealed_data_key on kyc_application
  for each row when (old.sealed_data_key is not null and new.sealed_data_key is null)
  execute function note_erasure('photos');

insert into erasure_to_note (kind, id, at)
  select 'member'::erasure_kind, id, erased_at from member where erased_at is not null
  union all
  select 'application'::erasure_kind, id, now() from kyc_application where full_name = ''
  union all
  select 'photos'::erasure_kind, id, now() from kyc_application
  where sealed_data_key is null and exists (select from kyc_photo where application_id = kyc_application.id);

create table restored_backup (
  taken_at timestamptz(3) not null,
  restored_at timestamptz(3) not null default now()
);
comment on table restored_backup is 'A dump was loaded, and what was erased since it was taken may be back: the next start erases it again and deletes the row.';
-- A dump of an older release may have been loaded by that release, which knew nothing of this.
insert into restored_backup (taken_at) select now() where exists (select from member);

comment on column kyc_application.sealed_data_key is 'The key of its pictures, wrapped by the master key. Without it they are unreadable. Dumps hold it as it was then; a restore destroys again what was destroyed since.';

-- A dump holds what was open when it was taken. What was ended since must not come back to life: a session that a thief had, a
-- code in a mailbox that was left, a mail that has been delivered, a request that its member stopped.
create function end_what_was_open(dump_taken_at timestamptz) returns void language plpgsql as $$
begin
  delete from session;
  delete from known_device;
  delete from passkey_challenge;
  delete from reset_code;
  delete from email_change;
  delete from mailbox_code;
  delete from erasure_request;
  update sign_up set expires_at = least(expires_at, now()) where used_at is null;
  update lost_factor set state = 'expired', ended_at = now() where ended_at is null;
  update sale_proposal set outcome = 'expired', ended_at = now() where ended_at is null;
  update announcement set preview_hash = null, preview_until = null where preview_hash is not null;
  update mail set state = 'stopped', changed_at = now(), claimed_until = null where state = 'waiting';
  insert into restored_backup (taken_at) values (dump_taken_at);
end
$$;
comment on function end_what_was_open is 'Called by db:restore, in the transaction that loads the dump.';

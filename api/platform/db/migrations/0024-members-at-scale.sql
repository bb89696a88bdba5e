-- The members as staff list and search them: what narrows and orders the list stands in one narrow table, each with an
-- index in the order of the list, and what is searched is found by an index that needs no extension.

create table member_summary (
  id text primary key references member on delete cascade,
  joined_at timestamptz(3) not null,
  last_sign_in_at timestamptz(3) not null default to_timestamp(0),
  is_active boolean not null,
  is_staff boolean not null,
  has_factor boolean not null default false,
  kyc_state kyc_state
);
comment on table member_summary is 'One row for each member who is not erased, kept by triggers: what the list of members is narrowed and ordered by.';
comment on column member_summary.last_sign_in_at is '1970 where there was none, so that it stands in the order of the list.';
comment on column member_summary.is_staff is 'Whether a right was granted, in effect or not.';
comment on column member_summary.kyc_state is 'As sign-in answers it; null where there is no application.';

-- An approval that is valid counts, even if a newer application waits, unless one was refused for good.
create function kyc_state_of(wanted text) returns kyc_state language sql stable as $$
  select a.status from kyc_application a
  where a.member_id = wanted and a.deleted_at is null
  order by a.status = 'approved' and not exists (
    select from kyc_application other
    where other.member_id = wanted and other.is_final and other.deleted_at is null) desc,
    a.created_at desc, a.id desc
  limit 1
$$;

create function member_has_factor(wanted text) returns boolean language sql stable as $$
  select exists (select from totp where totp.member_id = wanted and totp.confirmed_at is not null)
    or exists (select from passkey where passkey.member_id = wanted)
$$;

-- What is searched. Letters a to z and digits form words: threes of them are found anywhere, their beginnings by one or two.
-- Every other character can be a word of its own, as in Chinese. Independent of the locale of the database.
create function member_grams(searched text) returns text[] language sql immutable parallel safe as $$
  select coalesce(array_agg(distinct gram), '{}') from (
    select substr(searched, i, 3) as gram from generate_series(1, char_length(searched) - 2) i
    where substr(searched, i, 3) ~ '^[a-z0-9]{3}$'
    union all
    select '^' || substr(searched, i, n) from generate_series(1, char_length(searched)) i, generate_series(1, 2) n
    where substr(searched, i, n) ~ '^[a-z0-9]+$' and char_length(substr(searched, i, n)) = n
      and (i = 1 or substr(searched, i - 1, 1) !~ '[a-z0-9]')
    union all
    select substr(searched, i, n) from generate_series(1, char_length(searched)) i, generate_series(1, 2) n
    where substr(searched, i, n) ~ '^[^ -~]+$' and char_length(substr(searched, i, n)) = n
  ) found
$$;
comment on function member_grams is 'The terms under which the index knows a text.';

create table member_words (
  id text primary key references member on delete cascade,
  grams text[] not null
);
comment on table member_words is 'The terms of the e-mail address and the names of each member who is not erased, kept by triggers.';

create function granted_any_right(m member) returns boolean language sql immutable as $$
  select m.is_write_access_admin or m.manage_news + m.manage_employee + m.manage_finance + m.manage_coins > 0
$$;

-- At commit: where somebody who has no account asks for a mail, what was written for nobody is undone before, so that
-- the answer takes no longer than for an address that is known.
create function summarise_new_member() returns trigger language plpgsql as $$
begin
  insert into member_summary (id, joined_at, is_active, is_staff, has_factor, kyc_state)
  select m.id, m.created_at, m.active, granted_any_right(m), member_has_factor(m.id), kyc_state_of(m.id)
  from member m where m.id = new.id and m.erased_at is null
  on conflict do nothing;
  return null;
end
$$;
create constraint trigger member_summarised after insert on member
  deferrable initially deferred for each row execute function summarise_new_member();

-- At once: nobody waits for another's row at commit, when the audit log is chained.
create function summarise_member() returns trigger language plpgsql as $$
begin
  if new.erased_at is not null then
    delete from member_summary where id = new.id;
  else
    update member_summary set joined_at = new.created_at, is_active = new.active, is_staff = granted_any_right(new)
    where id = new.id;
  end if;
  return null;
end
$$;
create trigger member_summarised_anew after update on member for each row
  when ((old.active, old.erased_at, old.created_at, old.is_write_access_admin, old.manage_news, old.manage_employee,
      old.manage_finance, old.manage_coins)
    is distinct from (new.active, new.erased_at, new.created_at, new.is_write_access_admin, new.manage_news,
      new.manage_employee, new.manage_finance, new.manage_coins))
  execute function summarise_member();

-- The row is locked first, so that the statement after it sees what was committed meanwhile.
create function summarise_kyc() returns trigger language plpgsql as $$
begin
  perform from member_summary where id in (new.member_id, old.member_id) order by id for update;
  update member_summary set kyc_state = kyc_state_of(id)
  where id in (new.member_id, old.member_id) and kyc_state is distinct from kyc_state_of(id);
  return null;
end
$$;
create trigger kyc_summarised after insert or delete on kyc_application
  for each row execute function summarise_kyc();
create trigger kyc_summarised_anew after update of status, deleted_at, is_final on kyc_application
  for each row execute function summarise_kyc();

create function summarise_factors() returns trigger language plpgsql as $$
begin
  perform from member_summary where id in (new.member_id, old.member_id) order by id for update;
  update member_summary set has_factor = member_has_factor(id)
  where id in (new.member_id, old.member_id) and has_factor is distinct from member_has_factor(id);
  return null;
end
$$;
create trigger totp_summarised after insert or update of confirmed_at or delete on totp
  for each row execute function summarise_factors();
create trigger passkey_summarised after insert or delete on passkey
  for each row execute function summarise_factors();

create function note_member_words() returns trigger language plpgsql as $$
begin
  insert into member_words (id, grams)
  select m.id, member_grams(lower(m.email || ' ' || m.display_name || ' ' || m.first_name || ' ' || m.last_name))
  from member m where m.id = new.id and m.erased_at is null
  on conflict (id) do update set grams = excluded.grams;
  return null;
end
$$;
create constraint trigger member_words_noted_first after insert on member
  deferrable initially deferred for each row execute function note_member_words();
create trigger member_words_noted after update on member for each row
  when ((old.email, old.display_name, old.first_name, old.last_name)
    is distinct from (new.email, new.display_name, new.first_name, new.last_name))
  execute function note_member_words();

insert into member_summary (id, joined_at, is_active, is_staff, has_factor, kyc_state, last_sign_in_at)
select m.id, m.created_at, m.active, granted_any_right(m), member_has_factor(m.id), kyc_state_of(m.id), coalesce(
  (select max(s.created_at) from session s where s.member_id = m.id),
  (select max(c.last_seen_at) from member_client c where c.member_id = m.id), to_timestamp(0))
from member m where m.erased_at is null;

create index member_summary_by_joining on member_summary (joined_at, id);
create index member_summary_by_sign_in on member_summary (last_sign_in_at, id);
create index member_summary_inactive on member_summary (joined_at, id) where not is_active;
create index member_summary_inactive_by_sign_in on member_summary (last_sign_in_at, id) where not is_active;
create index member_summary_staff on member_summary (joined_at, id) where is_staff;
create index member_summary_with_factor on member_summary (joined_at, id) where has_factor;
create index member_summary_with_factor_by_sign_in on member_summary (last_sign_in_at, id) where has_factor;
create index member_summary_by_kyc on member_summary (kyc_state, joined_at, id) where kyc_state is not null;
create index member_summary_by_kyc_and_sign_in on member_summary (kyc_state, last_sign_in_at, id)
  where kyc_state is not null;

insert into member_words (id, grams)
select id, member_grams(lower(email || ' ' || display_name || ' ' || first_name || ' ' || last_name))
from member where erased_at is null;
create index member_words_searched on member_words using gin (grams);

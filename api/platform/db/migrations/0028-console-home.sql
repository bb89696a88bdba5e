-- Lists that the staff keep under names of their own, and what the console's home counts by day.

create table console_view (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  list text not null check (char_length(list) <= 40),
  name text not null check (char_length(name) <= 60),
  query text not null check (char_length(query) <= 2000),
  created_at timestamptz(3) not null default now(),
  unique (member_id, list, name)
);
comment on table console_view is 'A list of the console with its filters, order and columns, as one of the staff keeps it for themselves.';
comment on column console_view.query is 'The query of the list’s address, without the page.';

alter table member add column activated_at timestamptz(3);
comment on column member.activated_at is 'When the account was first active, by a code, a reset or the staff. Kept by the database.';

-- Who activates is not asked: whatever way leads there is counted.
create function note_activation() returns trigger language plpgsql as $$
begin
  new.activated_at := now();
  return new;
end
$$;
create trigger member_activation_noted before insert or update on member for each row
  when (new.active and new.activated_at is null) execute function note_activation();

-- Of earlier accounts it is known while the code is kept, a week; of the others, about when they signed up.
update member set activated_at = coalesce(
  (select min(used_at) from sign_up where sign_up.member_id = member.id), created_at)
where active or closed_at is not null;

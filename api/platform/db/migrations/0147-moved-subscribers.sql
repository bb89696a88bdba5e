-- Whose address has changed is noted with the change: to find them, all subscriptions were compared with all members.
alter table subscriber add column is_moved boolean not null default false;
comment on column subscriber.is_moved is 'The address of its member has changed, or was proved, since it was last compared with that of the subscription.';

create function note_moved_subscriber() returns trigger language plpgsql as $$
begin
  update subscriber set is_moved = true where member_id = new.id and not is_moved;
  return null;
end
$$;
create trigger member_moved after update of email, address_proved_at on member
  for each row when (old.email <> new.email or old.address_proved_at is distinct from new.address_proved_at)
  execute function note_moved_subscriber();

update subscriber set is_moved = true from member
  where member.id = subscriber.member_id and member.email <> subscriber.email;

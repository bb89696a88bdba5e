-- Posts show the name of their author. Whoever keeps what posts show hears of a change of it, whichever way it came about.

create index announcement_author on announcement (created_by);

create function announce_renamed_author() returns trigger language plpgsql as $$
begin
  if exists (select from announcement where created_by = new.id) then
    perform pg_notify('changes', 'announcements');
  end if;
  return null;
end
$$;
create trigger member_renamed after update of display_name on member for each row
  when (old.display_name is distinct from new.display_name)
  execute function announce_renamed_author();

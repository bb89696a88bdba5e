-- A name that an author gave up is not shown again, not even on a page that is kept for an outage.
create or replace function announce_renamed_author() returns trigger language plpgsql as $$
begin
  if new.id = (select min(created_by) from announcement where created_by >= new.id) then
    perform announce('announcements');
    perform announce('retractions');
  end if;
  return null;
end
$$;

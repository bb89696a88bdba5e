-- Whether a member has posts is one entry of the index: of few authors, PostgreSQL expected each to have many posts, and so read all of
-- them for every member who has none.
create or replace function announce_renamed_author() returns trigger language plpgsql as $$
begin
  if new.id = (select min(created_by) from announcement where created_by >= new.id) then
    perform announce('announcements');
  end if;
  return null;
end
$$;

-- Whose pictures cannot be opened any more, for house-keeping.
create index kyc_application_without_key on kyc_application (id) where sealed_data_key is null;

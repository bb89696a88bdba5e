-- The address of a post is found by the index, under a lock of that address instead of one of all addresses.

-- Whoever takes an address holds its lock until the end of the transaction. Each statement here sees what others committed while it
-- waited. `own` is the post that needs it.
create function take_slug(wanted text, own text) returns text language plpgsql as $$
declare
  candidate text := wanted;
  number integer := 1;
  is_locked boolean;
begin
  loop
    is_locked := false;
    loop
      exit when exists (select from announcement where slug = candidate and id <> own)
        or exists (select from announcement_former_slug where slug = candidate and announcement_id <> own);
      if is_locked then
        return candidate;
      end if;
      perform pg_advisory_xact_lock(7201847, hashtext(candidate));
      is_locked := true;
    end loop;
    number := number + 1;
    candidate := wanted || '-' || number;
  end loop;
end
$$;
comment on function take_slug is 'The wanted address, or the first of wanted-2, wanted-3… that no other post has or had in any language, and that nobody else is taking.';

-- The newest first, as feeds and site maps list all of them, without reading the texts.
create index announcement_addresses on announcement (posted_at desc) include (slug, language, edited_at)
  where state = 'published';
create index announcement_in_trash on announcement (deleted_at) where state = 'deleted';

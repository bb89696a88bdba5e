-- Where notifications do not arrive (behind a pooler that gives connections to others between transactions), instances read what
-- changed. Beside the release before: that one announces by notification only, as it always did.

create unlogged table change (
  xact xid8 not null default pg_current_xact_id(),
  topic text not null check (length(topic) <= 40),
  at timestamptz not null default now()
);
comment on table change is 'What was announced to all instances in the last minutes. Neither replicated nor backed up. Whoever reads it deletes old rows.';
comment on column change.xact is 'The transaction: whoever has seen all that ended before another one reads on from there.';
create index change_xact on change (xact);

create function announce(topic text) returns void language plpgsql as $$
begin
  insert into change (topic) values (announce.topic);
  perform pg_notify('changes', announce.topic);
end
$$;
comment on function announce is 'Tells every instance, once the transaction commits, that what depends on the topic has changed.';

create or replace function announce_renamed_author() returns trigger language plpgsql as $$
begin
  if exists (select from announcement where created_by = new.id) then
    perform announce('announcements');
  end if;
  return null;
end
$$;

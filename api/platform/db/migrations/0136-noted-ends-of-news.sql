-- A backup subscribes nobody again who left the news since.

alter type erasure_kind add value 'subscription';

create function note_end_of_news() returns trigger language plpgsql as $$
begin
  insert into erasure_to_note (kind, id, at)
    values ('subscription', new.id || '-' || floor(extract(epoch from new.ended_at) * 1000)::bigint, new.ended_at)
    on conflict (kind, id) do nothing;
  perform pg_notify('changes', 'erasures');
  return null;
end
$$;
create trigger subscriber_ended after update of state on subscriber
  for each row when (old.state <> 'ended' and new.state = 'ended')
  execute function note_end_of_news();

comment on column erasure_to_note.id is
  'Of the member, or of the identity application whose content or photos were destroyed; of a subscription to the news with the time of its end, because it may begin again.';

-- A backup does not bring back an application that was erased since, whether its sender had an account or not.

alter type erasure_kind add value 'ambassador';

create function note_deletion() returns trigger language plpgsql as $$
begin
  insert into erasure_to_note (kind, id) values (tg_argv[0]::erasure_kind, old.id)
    on conflict (kind, id) do update set at = excluded.at;
  perform pg_notify('changes', 'erasures');
  return null;
end
$$;
create trigger ambassador_application_erased after delete on ambassador_application
  for each row execute function note_deletion('ambassador');

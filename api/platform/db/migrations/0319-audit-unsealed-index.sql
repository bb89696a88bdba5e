-- outside a transaction
create index concurrently if not exists audit_entry_unsealed on audit_entry (id) where hash is null;
alter table audit_check validate constraint audit_check_broken_why_check;

-- The audit log as a list: by day, actor, action and subject, each newest first, also with millions of entries.

drop index audit_entry_by_subject;
drop index audit_entry_by_actor;
create index audit_entry_by_time on audit_entry (at, id);
create index audit_entry_of_actor on audit_entry (actor_id, at, id);
create index audit_entry_of_actor_action on audit_entry (actor_id, action, at, id);
create index audit_entry_of_action on audit_entry (action, at, id);
create index audit_entry_of_kind on audit_entry (subject_kind, at, id);
create index audit_entry_of_subject on audit_entry (subject_id, at, id);
-- Readings are the most by far.
create index audit_entry_of_changes on audit_entry (at, id) where action !~ '-(listed|viewed)$';

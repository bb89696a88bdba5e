-- What the program did by itself: an index in which the actor is null is not read in the order that follows it.

create index audit_entry_of_program on audit_entry (at, id) where actor_id is null;
create index audit_entry_of_program_action on audit_entry (action, at, id) where actor_id is null;

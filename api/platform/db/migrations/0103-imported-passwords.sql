-- Members of an earlier site keep its hashes of their passwords until they sign in. Until all of them have, every sign-in does
-- that work as well, so that its time does not tell who is one of them.

create table imported_password_kind (
  kind text primary key check (kind ~ '^[a-z\d]+(-\d+)+$' and char_length(kind) <= 60)
);
comment on table imported_password_kind is 'What the work of imported hashes of passwords depends on, for each kind that some member has.';

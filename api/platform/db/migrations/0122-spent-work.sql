-- Solved challenges are good for one call.

create table spent_work (
  id text primary key,
  expires_at timestamptz(3) not null
);
create index spent_work_by_expiry on spent_work (expires_at);
comment on table spent_work is 'Proofs of work that were used, until their challenges expire: none works twice, in any instance. The id is the signature of the challenge and says nothing of whom it was for.';

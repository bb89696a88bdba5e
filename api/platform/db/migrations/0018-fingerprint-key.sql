create table fingerprint_key (
  id text primary key check (id = 'of this installation'),
  sealed_key bytea not null
);
comment on table fingerprint_key is 'The key of all fingerprints, one row. It is sealed by the master key and stays the same when that is changed, or no old fingerprint would ever match again.';

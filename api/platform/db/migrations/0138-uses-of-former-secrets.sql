-- Of a token with two secrets for a while, which one was used.

alter table api_token
  add column previous_end text check (char_length(previous_end) = 4),
  add column previous_used_at timestamptz(3);
comment on column api_token.last_used_at is 'Of the present secret.';
comment on column api_token.previous_end is 'The last four characters of the secret before; null where that was replaced by an earlier release.';
comment on column api_token.previous_used_at is 'The last use of the secret before, also after it was replaced.';

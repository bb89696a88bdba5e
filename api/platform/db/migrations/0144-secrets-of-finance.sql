-- Who was shown the secret that signs what is told of orders and identity cases.

alter table webhook_endpoint
  add column secret_of_finance boolean not null default false,
  add column former_secret_of_finance boolean not null default false;
comment on column webhook_endpoint.secret_of_finance is
  'Whether it was shown to somebody with a level of finance. Of older endpoints nobody knows.';
comment on column webhook_endpoint.former_secret_of_finance is 'The same of the former secret.';

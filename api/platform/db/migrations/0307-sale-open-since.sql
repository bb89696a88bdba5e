alter table sale_shown add column open_since timestamptz(3);
comment on column sale_shown.open_since is 'When the sale opened, while it is open without a break. Null after it was sold out, because it is still the same sale.';

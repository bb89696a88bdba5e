-- contracts: changes are found by the version of what is sold, and no release has used this column.
alter table sale_shown drop column left_percent;
alter table sale_shown
  add column open_since timestamptz(3),
  add column sold_version bigint;
comment on column sale_shown.open_since is 'When the sale opened, while it is open without a break. Null after it was sold out, because it is still the same sale.';
comment on column sale_shown.sold_version is 'The version of the row in sale_sold, which changes with each order, even if the quantity is the same as before.';

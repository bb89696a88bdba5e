-- A price that is far from the one of the day before and is stopped by closing or removing its method counts as taken back, until the
-- coin is offered again.

alter table withdrawn_price add column is_provisional boolean not null default false;
comment on column withdrawn_price.is_provisional is
  'The price was stopped, and the coin has not been offered since: offered again at about this price, it was no mistake.';

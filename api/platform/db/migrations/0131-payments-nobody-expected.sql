-- What arrived for an order beyond what anybody dealt with.

alter table chain_payment add column has_surplus boolean not null default false;
alter table chain_payment add column came_elsewhere boolean not null default false;
-- locks chain_payment: no release has it yet
create index chain_payment_beyond on chain_payment (order_id) where has_surplus or came_elsewhere;
comment on column chain_payment.has_surplus is 'Whether, when it was last judged, more had arrived than is due or was recorded, or something after it was cancelled that it does not name.';
comment on column chain_payment.came_elsewhere is 'Whether something is at an address that the order had before its pay method was changed.';

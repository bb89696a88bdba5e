-- An announced payment that disappears from the network no longer keeps its order pending.

alter type order_step_kind add value 'payment_dropped' after 'payment_reported';
alter table token_order add column payment_dropped_at timestamptz(3);
comment on column token_order.payment_dropped_at is 'Since when the network does not know the transaction that the order names. Null while it does, or nobody has checked.';

-- A payment that is confirmed after its order was canceled is flagged. What is known at the upgrade isn't.

alter table chain_payment add column confirmed numeric(38, 18) not null default 0;
update chain_payment set confirmed = received where state <> 'seen' and received > 0;
comment on column chain_payment.confirmed is 'Amount that was in a block at the last evaluation.';

-- Whether a transaction refunded an order is looked up each time that someone names one as a payment.

create table refund_transaction (
  order_id text not null references token_order on delete cascade,
  tx_key text not null check (char_length(tx_key) <= 128),
  primary key (order_id, tx_key)
);
create index refund_transaction_key on refund_transaction (tx_key);
comment on table refund_transaction is
  'Transactions that refunded an order, including those that a correction replaced, so that none of them pays an order.';
comment on column refund_transaction.tx_key is 'Form in which the transaction ID is compared.';

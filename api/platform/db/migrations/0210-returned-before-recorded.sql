-- A payment may go back before someone records it. Debits are kept, and found by the transactions and orders that they name.

alter table statement_line add column tx_key text check (char_length(tx_key) <= 128);
comment on column statement_line.tx_key is
  'Form in which the transaction ID is compared; null until the product has computed it for an older line.';

alter table statement_line add column other_order_ids text[] not null default '{}';
comment on column statement_line.other_order_ids is
  'Further orders that a returned payment names, apart from order_id.';

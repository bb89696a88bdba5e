-- A placeholder such as `n/a` names no transaction anymore. The program renews the keys of these orders and lines.
create function pg_temp.is_placeholder(tx_key text) returns boolean language sql as $$
  select tx_key ~ '^(.)\1*$' or tx_key in (
    'na', 'none', 'nil', 'null', 'no', 'unknown', 'undefined', 'empty', 'missing', 'tbd', 'tba', 'todo', 'pending',
    'notavailable', 'notapplicable', 'notyet', 'txid', 'transactionid', '无', '没有', '暂无', '未知', '不详', '不适用', '待定',
    '待补')
$$;
update token_order set tx_key_version = 0
  where pg_temp.is_placeholder(tx_key)
    or id in (select order_id from order_step where pg_temp.is_placeholder(tx_key));
update statement_line set tx_key = null where pg_temp.is_placeholder(tx_key);
delete from refund_transaction where pg_temp.is_placeholder(tx_key);

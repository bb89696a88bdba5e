-- Finance refunds an order whose member can't or doesn't withdraw.
alter type order_step_kind add value 'refund_opened' before 'withdrawal_accepted';

-- A withdrawal ends where nothing was received, with a reason of its own.
alter type order_step_kind add value 'withdrawal_closed' after 'withdrawal_refused';

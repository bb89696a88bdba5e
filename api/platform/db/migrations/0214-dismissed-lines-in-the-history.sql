-- A statement line about an order was resolved without being recorded for it. The next approver sees that.
alter type order_step_kind add value 'line_dismissed';

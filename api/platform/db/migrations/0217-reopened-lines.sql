-- A dismissed statement line was reopened. The next approver sees that.
alter type order_step_kind add value 'line_reopened';
comment on column statement_line.reason is 'Why it was assigned, dismissed, or reopened.';

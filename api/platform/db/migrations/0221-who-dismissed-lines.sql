-- Every dismissal of a statement line counts: who decided it, and which orders show it in their history.
alter table statement_line
  add column dismissed_by text[] not null default '{}',
  add column noted_order_ids text[] not null default '{}';
comment on column statement_line.dismissed_by is 'Everyone who ever dismissed it, even if it was reopened.';
comment on column statement_line.noted_order_ids is 'Orders whose history shows its last dismissal.';
update statement_line line set dismissed_by = array[line.resolved_by],
  noted_order_ids = array(select distinct step.order_id from order_step step
    where step.kind = 'line_dismissed' and step.at = line.resolved_at and step.by_member_id = line.resolved_by)
  where line.state = 'dismissed' and line.resolved_by is not null;

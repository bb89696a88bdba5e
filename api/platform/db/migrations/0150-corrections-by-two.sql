-- Quantity and addresses of a completed order are changed by two of finance, and every correction keeps what was there before.

alter type order_step_kind add value 'correction_proposed';

alter table token_order add column proposed_correction jsonb;
comment on column token_order.proposed_correction is 'What the first of two would correct in a completed order, by field. Any other change of the order ends it.';

alter table order_step add column changes jsonb not null default '[]';
comment on column order_step.changes is 'What was changed in this step: the field, with its value before and after. Finance reads it.';

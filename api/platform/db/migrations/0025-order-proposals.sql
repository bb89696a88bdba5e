-- What was received for an order, and the first of the two who complete a large one.

alter type order_step_kind add value 'payment_recorded';
alter type order_step_kind add value 'completion_proposed';
alter type order_step_kind add value 'completion_declined';

alter table token_order
  add column paid_amount numeric(38, 18) check (paid_amount >= 0),
  add column paid_at timestamptz(3),
  add column completion_proposed_by text references member,
  add column completion_proposed_at timestamptz(3),
  add column completion_reason text not null default '' check (char_length(completion_reason) <= 500),
  add constraint token_order_proposal check ((completion_proposed_by is null) = (completion_proposed_at is null));
comment on column token_order.paid_amount is 'What finance found received, in the coin of the order. Null until somebody said so.';
comment on column token_order.paid_at is 'When it was received, as finance found it.';
comment on column token_order.completion_proposed_by is 'The first of the two who complete an order above the threshold. Any other change of the order ends it.';
comment on column token_order.completion_reason is 'Why the first would complete it; the member reads it once it is completed.';

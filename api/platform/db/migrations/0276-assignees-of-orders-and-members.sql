-- The colleague who is responsible for an order or for what a member asks.
alter table token_order add column assignee_id text;
alter table token_order add constraint token_order_assignee_id_fkey
  foreign key (assignee_id) references member on delete set null not valid;
comment on column token_order.assignee_id is 'The staff member responsible for it. Changing it does not change updated_at, because approvals depend on that.';
alter table member add column assignee_id text;
alter table member add constraint member_assignee_id_fkey
  foreign key (assignee_id) references member on delete set null not valid;
comment on column member.assignee_id is 'The staff member responsible for them. Changing it does not change updated_at, which the member''s own changes depend on.';

-- A proposal applies to the order as its author saw it. Proposals of earlier releases have no version, so they end.
alter table token_order add column completion_seen text;
comment on column token_order.completion_seen is 'Version of the order that the author of the proposal saw. Another version ends the proposal.';
alter table order_withdrawal add column proposal_seen text;
comment on column order_withdrawal.proposal_seen is 'Version of the order that the author of the proposal saw. Another version ends the proposal.';

-- A proposal to change the sale ends at the moment its author may not change the sale anymore. Until now it only didn't count, and
-- counted again once the right was given back.

create function end_sale_proposals() returns trigger language plpgsql as $$
begin
  update sale_proposal set ended_at = now(), outcome = 'expired' where proposed_by = new.id and ended_at is null;
  return null;
end $$;
create trigger member_sale_proposals_ended after update of manage_coins, active on member for each row
  when ((old.active and old.manage_coins >= 2) and not (new.active and new.manage_coins >= 2))
  execute function end_sale_proposals();

-- An approval by a finance member ends at the moment its author may not decide anymore, and doesn't count again once the right is
-- given back. Until now that depended on whether a worker had looked in between.

alter table member add column finance_lost_at timestamptz(3);
comment on column member.finance_lost_at is 'When the member last lost the right to approve payments and identities. Approvals that are older don''t count.';

create function note_finance_lost() returns trigger language plpgsql as $$
begin
  new.finance_lost_at = now();
  return new;
end $$;
create trigger member_finance_lost before update of manage_finance, active, password_length_ok_for_staff on member for each row
  when ((old.active and old.manage_finance >= 2 and old.password_length_ok_for_staff)
    and not (new.active and new.manage_finance >= 2 and new.password_length_ok_for_staff))
  execute function note_finance_lost();

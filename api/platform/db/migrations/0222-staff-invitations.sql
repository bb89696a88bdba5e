-- Administrators invite colleagues by email. The account of the address gets the rights once its owner chooses a
-- password with the emailed link.
create table staff_invitation (
  id text primary key default gen_random_uuid()::text,
  member_id text not null references member on delete cascade,
  email text not null check (char_length(email) <= 254),
  is_write_access_admin boolean not null,
  manage_news smallint not null check (manage_news between 0 and 2),
  manage_employee smallint not null check (manage_employee between 0 and 2),
  manage_finance smallint not null check (manage_finance between 0 and 2),
  manage_coins smallint not null check (manage_coins between 0 and 2),
  invited_by text references member on delete set null,
  created_at timestamptz(3) not null default now(),
  sent_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_by text references member on delete set null,
  check (accepted_at is null or revoked_at is null)
);
comment on table staff_invitation is 'Rights that an administrator offered to an address without an account.';
comment on column staff_invitation.email is 'The address at that time. A different address of the account does not get the rights.';
comment on column staff_invitation.invited_by is 'The invitation counts only while this member is an administrator.';
-- At most one invitation per account can still be accepted.
create unique index staff_invitation_open on staff_invitation (member_id)
  where accepted_at is null and revoked_at is null;
create index staff_invitation_by_member on staff_invitation (member_id);
create index staff_invitation_by_time on staff_invitation (sent_at, id);
create index staff_invitation_by_inviter on staff_invitation (invited_by);
create index staff_invitation_by_revoker on staff_invitation (revoked_by);

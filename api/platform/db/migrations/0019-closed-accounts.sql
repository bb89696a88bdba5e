alter table member add column closed_at timestamptz;
comment on column member.closed_at is 'When staff closed the account. It stays closed until staff open it again, also if it was never activated.';

update member set closed_at = updated_at where not active and password_hash is not null and erased_at is null;

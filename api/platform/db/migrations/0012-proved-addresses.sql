alter table member
  add column address_proved_at timestamptz,
  add column activated_with_hash text;
comment on column member.address_proved_at is 'When the mailbox was shown to belong to whoever knows the password: it was set through a mailed link, or typed in the browser that opened the activation mail. A sign-up may be a stranger''s: factors added before this time end with a reset.';
comment on column member.activated_with_hash is 'SHA-256 of the cookie of the browser that activated the account.';

-- Of accounts made before, nothing is known. A reset must not begin to remove their second factors.
update member set address_proved_at = created_at where password_hash is not null;

create table mailbox_code (
  member_id text primary key references member on delete cascade,
  code_hash text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table mailbox_code is 'Codes mailed to the address of a signed-in member: typing one shows that they read the mailbox. Asked for before a first factor, and before staff rights count, where that is not known.';
comment on column member.address_proved_at is 'When the mailbox was shown to belong to whoever uses the account: by a password set through a mailed link, by the password typed in the browser that opened the activation mail, or by a mailed code typed while signed in. Until then the sign-up may be a stranger''s: no factor is added, and rights wait.';

create table configured_grant (
  address_hash text primary key,
  granted_at timestamptz not null default now()
);
comment on table configured_grant is 'Addresses of ADMIN_EMAILS whose rights were granted, or taken by an administrator: the setting grants them once.';
comment on column configured_grant.address_hash is 'SHA-256 of the address, so that an erased account leaves none behind and does not get the rights again by a new sign-up.';

insert into configured_grant (address_hash)
select distinct translate(encode(sha256(convert_to(email, 'utf8')), 'base64'), '+/=', '-_')
from member
where erased_at is null and exists (
  select from audit_entry
  where subject_kind = 'member' and subject_id = member.id and action = 'rights-granted-by-setting');

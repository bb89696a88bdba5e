alter table member add column opens_console boolean not null default false;
comment on column member.opens_console is 'Whether signing in leads this staff member to the console instead of the account.';

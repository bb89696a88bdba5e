-- Staff correct a member's email address, which takes effect after a day if its owner confirmed it.
alter type staff_note_kind add value 'email';

alter table email_change
  add column opened_by text,
  add column proved_code_hash text;
comment on column email_change.opened_by is
  'The staff member who started the change. Null if the member started it, which changes the address as soon as they enter the code.';
comment on column email_change.proved_code_hash is
  'The code with which the owner of the new address confirmed a change by staff. Any other code in this row is not confirmed.';

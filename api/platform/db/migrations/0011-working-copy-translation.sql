-- A working copy keeps which post it translates, and one whose text was saved does not come back.

alter table announcement_working_copy
  add column translation_of text references announcement on delete set null,
  add column ended_at timestamptz(3);
create index announcement_working_copy_of_original on announcement_working_copy (translation_of)
  where translation_of is not null;
create index announcement_working_copy_ended on announcement_working_copy (ended_at) where ended_at is not null;

comment on column announcement_working_copy.translation_of is 'The post that it is to become the translation of.';
comment on column announcement_working_copy.ended_at is 'It was saved or dropped. The row stays for a while without its text, so that what was sent before and arrives after it changes nothing.';

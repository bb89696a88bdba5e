-- Statements have a column for the status of a payment, and a currency for files without a column for it. Stored mappings know neither, so
-- each is asked for once more.
-- locks statement_layout: one row for each kind of statement that finance imports

delete from statement_layout;

alter table statement_line add column mapped_by text;
alter table statement_line add constraint statement_line_mapped_by_fkey
  foreign key (mapped_by) references member not valid;
comment on column statement_line.mapped_by is 'Who imported the line last, while it was open, and so decided which column holds the amount.';

-- outside a transaction
alter table statement_line validate constraint statement_line_mapped_by_fkey;

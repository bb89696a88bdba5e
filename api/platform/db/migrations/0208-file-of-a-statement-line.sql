-- Two files may contain the same line although it is two payments. A line that looks like one of another file is left to a person.

alter table statement_line add column file_hash text check (char_length(file_hash) = 64);
comment on column statement_line.file_hash is
  'Hash of the rows of the file from which the line was first imported. Null for lines that are older than this column.';

-- A draft that was made of an earlier version says so until it is published, and then its version does.

alter table content_piece add column restored_id bigint;
comment on column content_piece.restored_id is 'The version that the draft was made of.';

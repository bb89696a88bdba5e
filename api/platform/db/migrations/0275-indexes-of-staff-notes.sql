-- outside a transaction
create index concurrently if not exists staff_note_by_order on staff_note (order_id, at desc, id desc);
create index concurrently if not exists staff_note_by_application on staff_note (application_id, at desc, id desc);
create index concurrently if not exists staff_note_by_ambassador_application on staff_note (ambassador_application_id, at desc, id desc);
create index concurrently if not exists staff_note_by_author on staff_note (author_id);
alter table staff_note validate constraint staff_note_order_id_fkey;
alter table staff_note validate constraint staff_note_application_id_fkey;
alter table staff_note validate constraint staff_note_ambassador_application_id_fkey;
alter table staff_note validate constraint staff_note_about_one;
alter table staff_note validate constraint staff_note_reason_about_member;

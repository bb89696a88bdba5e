-- A post that is taken back is not mailed from the outbox either, and goes to the same readers once it is public again.

alter table newsletter_mail add column is_taken_back boolean not null default false;
comment on column newsletter_mail.is_taken_back is 'It was dropped because its post was taken back, and is to be written anew. It may have left all the same.';

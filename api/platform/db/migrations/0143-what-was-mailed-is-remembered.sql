-- Digests reach further back than mails are kept: whom a post was mailed by itself is known for longer than its mail.

alter table newsletter_mail drop constraint newsletter_mail_mail_id_fkey;
comment on table newsletter_mail is 'Which mail of the outbox is of which issue to whom. It outlives the mail by some weeks, because digests reach back so far.';

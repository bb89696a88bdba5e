-- outside a transaction
-- The few mails of news that are to be written anew.

create index concurrently if not exists newsletter_mail_taken_back on newsletter_mail (issue_id) where is_taken_back;

-- outside a transaction
-- What failed or was stopped may be sent again: the few such mails of news are looked at in every round.

create index concurrently if not exists newsletter_mail_unsent on newsletter_mail (mail_id)
  where outcome in ('failed', 'stopped');

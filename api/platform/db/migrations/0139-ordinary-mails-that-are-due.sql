-- outside a transaction
-- A mail that somebody waits for is found at once, however many news are due.

create index concurrently if not exists mail_due_ordinary on mail (next_try_at)
  where state = 'waiting' and kind not in ('news-post', 'news-digest');

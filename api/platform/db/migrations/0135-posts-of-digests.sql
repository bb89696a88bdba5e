-- What stood in which digest, so that no post is left out of all of them, and whoever changes to single posts gets what the last week had.

create table newsletter_digest_post (
  announcement_id text primary key references announcement on delete cascade,
  issue_id text not null references newsletter_issue on delete cascade
);
create index newsletter_digest_post_of_issue on newsletter_digest_post (issue_id);
comment on table newsletter_digest_post is 'The posts of a digest, written before its first mail. A post stands in one digest.';

insert into newsletter_digest_post (announcement_id, issue_id)
  select a.id, i.id from newsletter_issue i
  join announcement a on a.language = i.language and a.state = 'published'
    and a.posted_at > i.from_at and a.posted_at <= i.until_at
  where i.rhythm = 'weekly'
  on conflict do nothing;

alter table subscriber add column left_weekly_at timestamptz(3);
comment on column subscriber.left_weekly_at is 'When the digest was given up for single posts: the next digest still brings what was published before.';

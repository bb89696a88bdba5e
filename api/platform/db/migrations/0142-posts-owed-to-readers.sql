-- A post that was taken back while its digest was being sent stands in the next one, for whom it was left out.

create table newsletter_owed_post (
  announcement_id text not null references announcement on delete cascade,
  subscriber_id text not null references subscriber on delete cascade,
  issue_id text references newsletter_issue on delete set null,
  primary key (announcement_id, subscriber_id)
);
create index newsletter_owed_post_of_subscriber on newsletter_owed_post (subscriber_id);
comment on table newsletter_owed_post is 'Who was sent the digest of a post without it.';
comment on column newsletter_owed_post.issue_id is 'The digest that brought it in the end.';

-- Posts of an earlier site are mailed to nobody, with or without the date that they had there.

alter table announcement add column is_taken_over boolean not null default false;
comment on column announcement.is_taken_over is 'It was public on an earlier site: nobody is told of it.';

update announcement a set is_taken_over = true where exists (
  select from announcement_version v where v.announcement_id = a.id and v.published_at < v.saved_at - interval '1 minute');

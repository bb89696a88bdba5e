-- Pictures of posts are known by name, so that those which nothing shows can go.

-- The names of stored pictures in a content. Its cost tells the planner that an index is the way.
create function pictures_in(content text) returns text[] language sql immutable strict parallel safe cost 100000
  as $$ select coalesce(array_agg(distinct name[1]), '{}')
    from regexp_matches(content, '/assets/media/news/([0-9a-f]{32})-[0-9]{1,4}\.webp', 'g') as name $$;

create index announcement_pictures on announcement using gin (pictures_in(content));
create index announcement_version_pictures on announcement_version using gin (pictures_in(content));
create index announcement_working_copy_pictures on announcement_working_copy using gin (pictures_in(content));

create table announcement_picture (
  name text primary key,
  widths integer[] not null,
  used_at timestamptz not null default now()
);
create index announcement_picture_by_use on announcement_picture (used_at);
comment on table announcement_picture is 'Pictures in the store, named here before they are written. What no post, version or working copy shows goes after some days.';
comment on column announcement_picture.used_at is 'When it was last sent or saved within a text.';

insert into announcement_picture (name, widths)
  select file[1], array_agg(distinct file[2]::integer)
  from (select content from announcement_version union select content from announcement) texts,
    regexp_matches(texts.content, '/assets/media/news/([0-9a-f]{32})-([0-9]{1,4})\.webp', 'g') as file
  group by 1;

create index announcement_version_unsigned on announcement_version (announcement_id)
  where published_at is not null and signature is null;

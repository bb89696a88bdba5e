-- Every post has an address of its own and can be searched for.

alter table announcement
  add column slug text check (char_length(slug) <= 100),
  add column search_text text not null default '',
  add column search_grams text[] not null default '{}';

update announcement set slug = id;

alter table announcement alter column slug set not null;

create unique index announcement_address on announcement (slug, language);
create index announcement_category_list on announcement (language, category, posted_at desc, id desc)
  where state = 'published';
create index announcement_search on announcement using gin (search_grams) where state = 'published';

comment on column announcement.slug is 'The post''s part of its address. A translation has the same one in its own language.';
comment on column announcement.search_text is 'Title and text without markup, lower case, cut to what is searched.';
comment on column announcement.search_grams is
  'What the index knows the text by: pairs of Chinese characters, threes of letters, beginnings of words.';

-- Reads of pages, posts, and documents, counted without cookies or stored addresses.

create type read_kind as enum ('page', 'post', 'document');

create table read_count (
  day date not null,
  kind read_kind not null,
  item text not null check (char_length(item) between 1 and 200),
  language language not null,
  referrer text not null check (char_length(referrer) <= 253),
  reads integer not null check (reads > 0),
  primary key (kind, item, day, language, referrer)
);
comment on table read_count is 'How many readers a page, post, or document had, by day (UTC), language, and referring site. After about a year, a row contains a month.';
comment on column read_count.day is 'The first day of the month if the row contains a month.';
comment on column read_count.item is 'The path of a page, the ID of a post, or the file name of a document.';
comment on column read_count.referrer is 'The host name of another site. Empty without one, and ''other'' beyond the limit per day.';
create index read_count_by_day on read_count (day);

create unlogged table read_salt (
  day date primary key,
  salt text not null check (char_length(salt) <= 64)
);
comment on table read_salt is 'The random salt with which readers are hashed on a day. It is deleted after the day, and is neither replicated nor backed up.';

create unlogged table read_mark (
  day date not null,
  mark bigint not null,
  primary key (day, mark)
);
comment on table read_mark is 'Salted hashes of the readers of a day, each for one page, so that instances count a reader once. They are deleted with the salt.';

alter table announcement_working_copy
  add column card_src text check (char_length(card_src) <= 100),
  add column card_alt text check (char_length(card_alt) <= 300),
  add column byline text;
comment on column announcement_working_copy.card_src is 'The address of the chosen card picture; empty: chosen automatically; null: as in the post.';
comment on column announcement_working_copy.byline is 'Whom the post names as its author: keep, none, or self; null: as in the post.';

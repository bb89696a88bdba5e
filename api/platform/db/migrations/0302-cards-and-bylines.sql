-- What posts look like on cards, how long they take to read, and whom they name as their author.
alter table announcement
  add column reading_minutes integer not null default 1,
  add column card_picture text check (char_length(card_picture) = 32),
  add column card_height integer,
  add column card_alt text check (char_length(card_alt) <= 300),
  add column byline text;
alter table announcement add constraint announcement_card_picture_fkey
  foreign key (card_picture) references announcement_picture on delete set null not valid;
alter table announcement add constraint announcement_byline_fkey
  foreign key (byline) references member on delete set null not valid;
comment on column announcement.reading_minutes is 'Reading time in minutes, from the number of words and Chinese characters.';
comment on column announcement.card_picture is 'The picture that an editor chose for cards. Without it, cards show the first picture of the text, or a drawing.';
comment on column announcement.card_height is 'Height of the largest width of that picture, in pixels.';
comment on column announcement.byline is 'The author whom the post names, by the display name of the account. Only the author can choose this.';

-- As the program computes it for new texts. The searched text is cut, but posts that long are rare.
update announcement set reading_minutes = greatest(1, round(
    (char_length(search_text) - char_length(regexp_replace(search_text, '[㐀-鿿]', '', 'g'))) / 400.0
    + cardinality(regexp_split_to_array(btrim(regexp_replace(search_text, '[㐀-鿿]', ' ', 'g')), '\s+')) / 220.0))
  where search_text <> '';

-- A post may name someone other than who created it.
create or replace function announce_renamed_author() returns trigger language plpgsql as $$
begin
  if new.id = (select min(created_by) from announcement where created_by >= new.id)
    or exists (select from announcement where byline = new.id) then
    perform announce('announcements');
    perform announce('retractions');
  end if;
  return null;
end
$$;

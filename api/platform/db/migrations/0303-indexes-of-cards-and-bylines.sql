-- outside a transaction
create index concurrently if not exists announcement_byline_list on announcement (byline, language, posted_at desc, id desc) where byline is not null;
create index concurrently if not exists announcement_by_card_picture on announcement (card_picture) where card_picture is not null;
alter table announcement validate constraint announcement_card_picture_fkey;
alter table announcement validate constraint announcement_byline_fkey;

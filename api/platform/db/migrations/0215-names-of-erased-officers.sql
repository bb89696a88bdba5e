-- Accounting must show for years who handled an order, even if that person has erased their account.

create table order_officer (
  member_id text primary key references member,
  display_name text not null check (char_length(display_name) <= 100),
  email text not null check (char_length(email) <= 254)
);
comment on table order_officer is
  'Names of erased staff who handled other members'' orders. Deleted with the orders of the erased.';

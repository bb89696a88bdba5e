-- Orders keep the receiving address that they show. Finance learns which of them got one that was soon set back.

create table withdrawn_address (
  address text not null check (char_length(address) <= 128),
  from_at timestamptz(3) not null,
  until_at timestamptz(3) not null,
  primary key (address, from_at)
);
comment on table withdrawn_address is
  'Receiving addresses of the sale that were set back to the previous one within a day. Orders placed meanwhile are flagged.';
comment on column withdrawn_address.address is 'In lower case.';

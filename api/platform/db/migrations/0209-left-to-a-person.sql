-- Some paid orders aren't completed by the program, although their payments are in order.

alter table chain_payment add column left_to_person text check (char_length(left_to_person) <= 40);
comment on column chain_payment.left_to_person is
  'Why the program left a paid order to a person: its price is new, or the program completed its total for the day. Null if it did not.';

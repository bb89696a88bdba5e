-- What people type is as long as the contract allows, whoever writes it.

alter table member
  add check (char_length(invitation_code) <= 100);

alter table sign_up
  add check (char_length(first_name) <= 100),
  add check (char_length(last_name) <= 100),
  add check (char_length(invitation_code) <= 100);

alter table email_change
  add check (char_length(new_email) <= 254);

alter table mail
  add check (char_length(to_address) <= 254);

alter table token_order
  add check (char_length(email) <= 254);

alter table kyc_application
  add check (char_length(full_name) <= 200),
  add check (char_length(last_name) <= 200),
  add check (char_length(country) <= 100),
  add check (char_length(email) <= 254),
  add check (char_length(event_id) <= 40),
  add check (char_length(reason) <= 2000),
  add check (char_length(note) <= 5000);

alter table kyc_step
  add check (char_length(reason) <= 2000);

alter table ambassador_application
  add check (char_length(email) <= 254),
  add check (char_length(full_name) <= 200),
  add check (char_length(city) <= 100),
  add check (char_length(country) <= 100),
  add check (char_length(description) <= 5000);

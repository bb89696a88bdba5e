-- A mail that the staff stopped before it was delivered.

alter type mail_state add value 'stopped';

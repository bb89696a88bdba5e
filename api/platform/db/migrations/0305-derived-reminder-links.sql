-- contracts: the links of reminders are derived from the master key, and no release has used this column.
alter table sale_reminder drop column link_secret;

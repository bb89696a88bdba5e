-- Addresses that differ in what their mail service ignores are one mailbox.
create index member_by_mailbox on member (email_alias(email));

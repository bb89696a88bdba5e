-- PostgreSQL's container runs this when its volume is empty. The product's role owns its database, but isn't a superuser.
\getenv password POSTGRES_PASSWORD
create role coin login password :'password';
create database coin owner coin;
-- Without a password, the superuser can log in only inside this container.
alter role postgres password null;

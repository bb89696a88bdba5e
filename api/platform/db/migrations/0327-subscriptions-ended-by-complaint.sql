-- Subscribers who reported an email as spam are unsubscribed.

alter type subscriber_end add value 'complained';

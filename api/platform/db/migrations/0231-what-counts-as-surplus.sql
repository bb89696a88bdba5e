comment on column chain_payment.has_surplus is
  'Whether, at the last evaluation, more had arrived than is due or recorded, a payment arrived after the amount was recorded, or an unnamed payment arrived after the order was canceled.';

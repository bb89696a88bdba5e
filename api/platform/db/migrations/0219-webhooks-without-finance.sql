-- An endpoint receives finance events only while someone with a finance level is responsible for it.
alter type webhook_disabled_for add value 'finance_lost';

alter table webhook_endpoint add column finance_responsible_by text;
comment on column webhook_endpoint.finance_responsible_by is
  'The last person with a finance level who set its URL, events, or secret, or resumed it. Receives no finance events without that level.';

-- Nobody knows who had a finance level at the time. If the last person doesn't have one now, the creator counts.
update webhook_endpoint endpoint set finance_responsible_by = coalesce(
  (select entry.actor_id from audit_entry entry join member on member.id = entry.actor_id
    where entry.subject_id = endpoint.id and entry.subject_kind = 'webhook'
      and (entry.action in ('webhook-created', 'webhook-secret-rotated')
        or (entry.action = 'webhook-updated' and entry.detail -> 'fields' ?| array['url', 'events']))
      and member.manage_finance >= 1
    order by entry.seq desc limit 1),
  endpoint.created_by)
where deleted_at is null;

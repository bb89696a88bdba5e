-- Reminders of the sale may have been sent or canceled since the backup, so a restored database sends none.

create or replace function end_what_was_open(dump_taken_at timestamptz) returns void language plpgsql as $$
begin
  delete from session;
  delete from known_device;
  delete from passkey_challenge;
  delete from reset_code;
  delete from email_change;
  delete from mailbox_code;
  delete from erasure_request;
  delete from program_instance;
  update sign_up set expires_at = least(expires_at, now()) where used_at is null;
  update lost_factor set state = 'expired', ended_at = now() where ended_at is null;
  update sale_proposal set outcome = 'expired', ended_at = now() where ended_at is null;
  update announcement set preview_hash = null, preview_until = null where preview_hash is not null;
  update mail set state = 'stopped', changed_at = now(), claimed_until = null where state = 'waiting';
  update newsletter_issue set fed_at = now() where fed_at is null;
  update newsletter_pace set since = now();
  delete from sale_reminder;
  update webhook_delivery d set state = 'failed', changed_at = now(), claimed_until = null
    from webhook_endpoint e where e.id = d.endpoint_id and e.state = 'active' and d.state = 'waiting';
  update webhook_endpoint set state = 'paused', paused_at = now(), updated_at = now() where state = 'active';
  update webhook_endpoint set sealed_former_secret = null, former_secret_until = null;
  update chain_watch set lease_holder = null, lease_until = null;
  update api_token set expires_at = least(expires_at, now()), previous_hash = null;
  insert into restored_backup (taken_at) values (dump_taken_at);
end
$$;

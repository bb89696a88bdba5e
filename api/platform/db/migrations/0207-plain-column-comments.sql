-- Rewrites the comments on columns in plain English. No column or value changes.

comment on column ambassador.email is
  'Address that the invitation was sent to, until someone joined.';
comment on column ambassador.full_name is
  'Name from the application. Not public: the profile contains the public name.';
comment on column ambassador.reason is
  'Why a reviewer hid the profile or ended the ambassadorship.';
comment on column ambassador.since is
  'When the application was accepted; the last time, if the ambassadorship ended in between.';
comment on column ambassador.slug is
  'Address of the page, assigned with the first approval and never changed.';

comment on column ambassador_application.ambassador_id is
  'The ambassador that resulted from the application, or already existed when it was accepted.';
comment on column ambassador_application.country_key is
  'Two-letter code if the entered country is known; otherwise the entered text in lower case. Null until a release with country keys has processed the application.';
comment on column ambassador_application.language is
  'Language of the application, also used for replies to its sender.';
comment on column ambassador_application.reason is
  'Why the application was declined. The email contains it if is_reason_told is true.';
comment on column ambassador_application.sent_again_at is
  'When it last replaced an earlier application from the same address.';
comment on column ambassador_application.state_at is
  'Since when it has its status; for a pending one, when it was last sent.';
comment on column ambassador_application.updated_at is
  'Last change by its sender or by staff; detects edit conflicts.';

comment on column ambassador_point.occasion is
  '1, or a higher number after an earlier entry was reversed.';

comment on column ambassador_profile.picture is
  'Name of the stored picture.';

comment on column ambassador_slug.of_content is
  'Whether the address belongs to an entry of content/, which may use it again.';

comment on column ambassador_step.to_member_id is
  'Staff member to whom it was assigned.';

comment on column announcement.changed_at is
  'Last change of text, state, or address.';
comment on column announcement.is_taken_over is
  'Whether it was public on an earlier site, so that no one is notified of it.';
comment on column announcement.publish_zone is
  'IANA time zone in which the publishing time was chosen.';
comment on column announcement.search_grams is
  'N-grams of the text for the index: pairs of Chinese characters, groups of three letters, word beginnings.';
comment on column announcement.search_text is
  'Title and text without markup, in lower case, cut to the searched length.';
comment on column announcement.state_before_trash is
  'State that a restored post returns to.';
comment on column announcement.version is
  'Number of its newest saved version.';

comment on column announcement_picture.used_at is
  'When it was last uploaded, or saved within a text.';

comment on column announcement_version.signed_document is
  'The exact text that was signed.';

comment on column announcement_working_copy.based_on is
  'The post''s edited_at when editing started; detects edit conflicts.';
comment on column announcement_working_copy.ended_at is
  'When it was saved or discarded. The row stays for a while without its text, so that requests that arrive late change nothing.';
comment on column announcement_working_copy.translation_of is
  'The post that it will translate.';

comment on column api_token.addresses is
  'Addresses and networks that may use it; empty: any.';
comment on column api_token.last_refused_why is
  'Why it was rejected although it is known.';
comment on column api_token.last_used_at is
  'Last use of the current secret.';
comment on column api_token.last_used_place is
  'Network of the last use (/24 or /48), recorded at most once a minute.';
comment on column api_token.previous_end is
  'Last four characters of the previous secret; null if an earlier release replaced it.';
comment on column api_token.previous_hash is
  'Hash of the previous secret, which is valid until previous_until.';
comment on column api_token.previous_used_at is
  'Last use of the previous secret, even after it was replaced.';
comment on column api_token.secret_end is
  'Last four characters of the secret, by which people recognize it.';
comment on column api_token.secret_hash is
  'SHA-256 of the secret, which has 256 random bits and is shown once.';
comment on column api_token.warned_at is
  'When its owner was notified that it expires soon.';

comment on column app.edited_at is
  'When staff changed the profile. Until then, every startup stores it from the content.';

comment on column audit_check.head is
  'Hash of the last entry, if the verification reached the end.';
comment on column audit_check.touched_at is
  'Updated while the verification runs; if it gets old, the instance has failed.';

comment on column audit_entry.hash is
  'SHA-256 over the entry and the hash of the previous entry.';
comment on column audit_entry.seq is
  'Position in the chain, assigned at commit.';

comment on column backup_run.failure is
  'Name or code of the error; null if the run succeeded.';

comment on column built_file.kept_at is
  'When an instance built with this file last marked it as in use.';
comment on column built_file.sealed_hash is
  'Hash of the bytes, encrypted with the master key and bound to the name, so that only files from an instance are ever served.';

comment on column chain_account.id is
  'Hash of the coin and the key; the key itself is only in the settings.';
comment on column chain_account.next_position is
  'Derivation index of the next address.';

comment on column chain_address.asked_at is
  'When its history was last queried, for nodes that are queried by address.';
comment on column chain_address.position is
  'Derivation index of the address.';
comment on column chain_address.target is
  'Address in the chain''s own encoding: the output script, or the lowercase address, in hexadecimal.';

comment on column chain_payment.came_elsewhere is
  'Whether something arrived at an address that the order had before its payment method changed.';
comment on column chain_payment.has_surplus is
  'Whether, at the last evaluation, more had arrived than is due or recorded, or an unnamed payment arrived after the order was canceled.';
comment on column chain_payment.is_gone is
  'Whether a completed order''s payment is no longer on chain.';

comment on column chain_transfer.gone_at is
  'Since when it is neither in the best chain nor in the mempool.';
comment on column chain_transfer.height is
  'Height of its block in the best chain; null while it is in no block.';
comment on column chain_transfer.reorganised_at is
  'When its block left the best chain; null again once another block contains it.';

comment on column chain_watch.failure is
  'Why the last poll failed, as one of a list; null if it succeeded.';
comment on column chain_watch.height is
  'Height of the last block polled.';
comment on column chain_watch.looked_at is
  'When a poll last reached the tip of the chain.';
comment on column chain_watch.next_at is
  'Earliest time of the next poll; the wait grows with each failure.';

comment on column change.xact is
  'Transaction ID, from which readers continue once they have seen all earlier transactions.';

comment on column configured_grant.address_hash is
  'SHA-256 of the address, so that an erased account leaves no address behind and a new sign-up does not get the rights again.';

comment on column consent.client is
  'Network address that the consent was given from.';

comment on column console_view.query is
  'Query of the list’s address, without the page.';

comment on column content_piece.n is
  'Counts every change of its draft and its published value.';
comment on column content_piece.outdated is
  'Places that a newer release changed since they were published here.';
comment on column content_piece.override is
  'Published changes to the file: changed texts by language and key, or a whole value. Null: same as the file.';
comment on column content_piece.release_id is
  'Its pending release.';
comment on column content_piece.restored_id is
  'The version that the draft restores.';
comment on column content_piece.taken_over_at is
  'Since when a release''s files equal the override. It is deleted later, because instances of the previous release may still run or come back.';

comment on column content_release.cause is
  'Why it ended without anyone ending it. Reasons given by people are in another column.';
comment on column content_release.changes is
  'Differences from the published content when it was proposed.';
comment on column content_release.pieces is
  'Each item with the number of its draft; a draft that changed since is not published.';

comment on column content_version.changes is
  'Changes: path, from, to.';
comment on column content_version.legal_versions is
  'For legal texts: the versions that readers of this text accepted. Such a row is kept permanently.';

comment on column erasure_to_note.id is
  'ID of the member, or of the identity application whose content or photos were destroyed; for a newsletter subscription, with the time of its end, because it may start again.';

comment on column invited_member.flags is
  'Why the invitation does not count.';
comment on column invited_member.signed_up_in is
  'Monday (UTC) of the week of the sign-up, of the activation, and of the approved identity.';

comment on column job_run.done_at is
  'When it last succeeded.';
comment on column job_run.failure is
  'Name or code of the error; null if the run succeeded.';

comment on column known_device.has_proved_factor is
  'Whether a second factor was proved in this browser, so that wrong codes entered elsewhere never block it. A reset by email alone does not prove one.';

comment on column known_entry.evidence is
  'A web address that only staff can read.';
comment on column known_entry.key is
  'Canonical form of the value for comparison: it is listed once, under any spelling.';
comment on column known_entry.note is
  'Public: shown to everyone who asks about the entry.';

comment on column kyc_application.approval_proposed_by is
  'First of the two officers who must approve an application that shares data with a finally rejected one.';
comment on column kyc_application.date_of_birth is
  'Date in ISO 8601; empty if it was not required.';
comment on column kyc_application.email_alias is
  'Email address without the parts that mail providers ignore, to find the same person twice.';
comment on column kyc_application.expiry_told_at is
  'When the member was notified that the approval will expire.';
comment on column kyc_application.final_lift_proposed_by is
  'First of the two officers who must reverse a final rejection. Neither of them decided it.';
comment on column kyc_application.final_proposed_by is
  'First of the two officers who must approve a final rejection.';
comment on column kyc_application.final_proposed_reason is
  'Why the first officer proposes a final rejection. It is kept with the proposal even if the applicant deletes the rest.';
comment on column kyc_application.fingerprint_version is
  'Version of the rules for its fingerprints. Older ones are renewed while the application can be read.';
comment on column kyc_application.is_final is
  'Finally rejected: the member can''t apply again.';
comment on column kyc_application.possible_matches is
  'Number of potential matches in the sanctions lists.';
comment on column kyc_application.round is
  'Number of submissions: the first, plus one for each answer to a request for more information.';
comment on column kyc_application.screened_list_hash is
  'The lists that the applicant was last screened against. Null: not screened since the name or date of birth changed.';
comment on column kyc_application.screening_hash is
  'Result of the last screening. An officer marks exactly this as read.';
comment on column kyc_application.screening_read_at is
  'When an officer read the screening result. Null again if a later one differs.';
comment on column kyc_application.sealed_data_key is
  'Key of its pictures, wrapped by the master key; without it they are unreadable. Dumps contain the key as it was at the time; a restore destroys again what was destroyed since.';
comment on column kyc_application.waiting_since is
  'When it was first submitted.';

comment on column kyc_photo.content_hash is
  'Keyed hash of the picture: equal for equal pictures, and useless without the master key.';
comment on column kyc_photo.replaced_in_round is
  'The submission in which the applicant replaced this rejected photo. It is kept as evidence and no longer reviewed.';
comment on column kyc_photo.round is
  'The submission that the photo belongs to.';

comment on column kyc_staged_photo.handoff_id is
  'The device link that the photo was uploaded through.';
comment on column kyc_staged_photo.sealed_data_key is
  'Key of this picture, wrapped by the master key.';

comment on column kyc_step.earlier is
  'Previous values that the applicant changed with the answer.';

comment on column lost_factor.opened_how is
  'How the first staff member verified the member''s identity.';

comment on column mail.changed_at is
  'When it was created, attempted, delivered, given up, stopped, or resent.';
comment on column mail.claimed_until is
  'Until when a worker has claimed it; once this time has passed, the worker has died.';
comment on column mail.member_id is
  'Owner of the address when the email was written; null if it had none.';
comment on column mail.message_id is
  'Fixed from the first attempt on, even if settings change, so that the receiver recognizes duplicates.';
comment on column mail.round_from is
  'Number of attempts before it was resent, which don''t count toward giving up.';
comment on column mail.tries is
  'Each attempt with its times and the code of its failure, but never the mail server''s text.';

comment on column mailbox_refusal.accepted_at is
  'When an email was first accepted again. A delivery report may still arrive.';
comment on column mailbox_refusal.is_reported is
  'Whether the refusal came in a delivery report instead of the response to the delivery.';
comment on column mailbox_refusal.trial_mail_id is
  'The email that tests whether the mailbox works, with all of its attempts.';
comment on column mailbox_refusal.tried_at is
  'When an unrequested email was last sent to it; one per day is.';

comment on column member.activated_at is
  'When the account was first activated, by a code, a reset, or staff. Maintained by the database.';
comment on column member.address_proved_at is
  'When the mailbox was shown to belong to the account''s user: by a password set through an emailed link, by the password typed in the browser that opened the activation email, or by an emailed code typed while signed in. Until then the sign-up may be a stranger''s: no factor can be added, and rights are pending.';
comment on column member.closed_at is
  'When staff deactivated the account. It stays deactivated until staff reactivate it, even if it was never activated.';
comment on column member.finance_lost_at is
  'When the member last lost the right to approve payments and identities. Earlier approvals don''t count.';
comment on column member.password_length_ok_for_staff is
  'Whether the password has the length required of staff; the password itself is not known.';

comment on column member_summary.is_staff is
  'Whether a right was granted, active or not.';
comment on column member_summary.kyc_state is
  'Identity status as in the sign-in response; null without an application.';
comment on column member_summary.last_sign_in_at is
  '1970 if there was none, so that the list can be sorted by it.';

comment on column newsletter_issue.fed_through is
  'The last subscriber processed; updated in the transaction that writes the emails.';
comment on column newsletter_issue.from_at is
  'For a digest: it contains the posts published after this time and up to until_at.';

comment on column newsletter_mail.is_taken_back is
  'Whether it was discarded because its post was withdrawn, and must be rewritten. It may have been sent nevertheless.';
comment on column newsletter_mail.outcome is
  'Outcome of the email, once the issue has counted it.';

comment on column newsletter_owed_post.issue_id is
  'The digest that finally contained the post.';

comment on column order_step.changes is
  'Changed fields with their values before and after. Visible to finance.';
comment on column order_step.reason is
  'Reason given for the step. Visible to the member, except for a shared transaction.';
comment on column order_step.tx_id is
  'The transaction reported in this step, even if it was rejected as disputed. Not verified.';
comment on column order_step.tx_key is
  'The transaction in the form used for comparison.';

comment on column order_withdrawal.note is
  'Optional note by the member. Reasons are never required.';
comment on column order_withdrawal.proposal is
  'The action proposed by the first approver, its reason, and for a refund, the amount, coin, transaction, and day.';
comment on column order_withdrawal.reason is
  'What finance stated about its decision or refund. Visible to the member.';
comment on column order_withdrawal.reference is
  'Reference for the receipt, finance, and support: ten random hexadecimal digits.';
comment on column order_withdrawal.refund_address is
  'Refund address chosen by the member; empty for the account that the payment came from.';
comment on column order_withdrawal.refund_before is
  'Refund due date: the end of the last day to refund the payment.';
comment on column order_withdrawal.refund_paid_on is
  'The day on which the refund was sent, according to finance.';
comment on column order_withdrawal.until_at is
  'When the withdrawal period would have ended, according to the settings at the request.';

comment on column passkey.sign_count is
  'Last counter reported by the authenticator. One that does not increase comes from a copy and is rejected; 0 is ignored.';
comment on column passkey.synced is
  'Whether the authenticator says that the passkey is stored beyond one device (backup state).';

comment on column pay_method.currency is
  'Currency of amounts. Null if none was set: the code determines it.';
comment on column pay_method.decimals is
  'Decimal places that an amount of the coin may have.';
comment on column pay_method.rate is
  'Number of tokens that one unit of the coin buys.';

comment on column phone_handoff.link_hash is
  'SHA-256 of the secret in the QR code.';
comment on column phone_handoff.room is
  'Number of photos that it accepts.';
comment on column phone_handoff.secret_hash is
  'SHA-256 of the secret that identifies the first browser that opened the link.';

comment on column program_instance.machine is
  'Boot ID and process namespace of its machine; null if the system does not provide them.';
comment on column program_instance.marks_store is
  'Whether the instance has stored a file with its ID, by which others see that they share the store.';
comment on column program_instance.pid is
  'Process ID on that machine.';
comment on column program_instance.settings is
  'Keyed hash by name of each setting that must be equal on all instances: shows whether two differ, but no value.';
comment on column program_instance.steady_since is
  'Since when its heartbeat has had no gap. After a database outage, instances don''t conclude that others are gone until they have been steady again.';

comment on column sale.cap is
  'Maximum number of tokens in all orders together, except canceled ones. Null: no limit.';
comment on column sale.closes_at is
  'Nothing is sold from this time on.';
comment on column sale.member_cap is
  'Maximum number of tokens in the orders of one member.';
comment on column sale.opened_at is
  'When it was last opened. Null if never, or before this release.';
comment on column sale.opens_at is
  'Nothing is sold before this time. Orders placed since then count toward the caps; if null, all orders do.';

comment on column session.has_proved_factor is
  'Whether the session ever proved a second factor, which staff endpoints require in addition to the account having one.';
comment on column session.idle_ms is
  'The session ends after this many milliseconds without use.';
comment on column session.previous_refresh_hash is
  'Hash of the token that the newest one replaced. Until the newest is used, its response may have been lost.';
comment on column session.proved_at is
  'When its user last proved their identity by password, code, or passkey: a sign-in or a step-up.';
comment on column session.refresh_hash is
  'Hash of the newest refresh token. Using it replaces it.';

comment on column setting_version.by_member_id is
  'Null if the system set it: at startup, or before changes were stored.';
comment on column setting_version.changes is
  'Differences: path, from, to.';

comment on column sign_up.consented_from is
  'Network address that the form was sent from.';
comment on column sign_up.consents is
  'Documents and versions accepted in this attempt; they become consents of the member once its code is used.';

comment on column statement_layout.id is
  'Hash of the heading.';

comment on column statement_line.amount is
  'Decimal amount, or the text of the file if it could not be read.';
comment on column statement_line.fingerprint is
  'Hash of the line''s content, which identifies the same line in another import.';
comment on column statement_line.mapped_by is
  'Who last imported the line while it was open, and so decided which column contains the amount.';
comment on column statement_line.problem is
  'Why it was not recorded automatically, as one of a list; empty if it was.';

comment on column subscriber.code_hash is
  'SHA-256 of the code in the email that asks for confirmation.';
comment on column subscriber.consent_wording is
  'Version of the consent text.';
comment on column subscriber.is_moved is
  'Whether the member''s address has changed or was verified since it was last compared with that of the subscription.';
comment on column subscriber.left_weekly_at is
  'When the subscriber switched from the digest to single posts: the next digest still contains earlier posts.';
comment on column subscriber.link_secret is
  'Part of the links in each email, which give access only to the subscription. Renewed after the subscription ended.';
comment on column subscriber.mailed_at is
  'When it was last emailed because someone typed the address into the form.';
comment on column subscriber.member_id is
  'The account that subscribed; its erasure ends the subscription.';

comment on column token_order.completion_proposed_by is
  'First of the two officers who complete an order above the threshold. Any other change of the order ends the proposal.';
comment on column token_order.completion_reason is
  'Why the first officer would complete it; visible to the member once it is completed.';
comment on column token_order.currency is
  'Currency of the amount when the order was placed. Null if none was set: the payment method determines it.';
comment on column token_order.finance_told_at is
  'When finance was emailed, once, that the order awaits them.';
comment on column token_order.is_disputed is
  'Whether its member reported a transaction of another order, or another member reported its own. It has no deadline meanwhile, and awaits finance.';
comment on column token_order.is_reported_late is
  'Whether a payment was reported after the order was canceled. It changes nothing but awaits finance.';
comment on column token_order.is_tx_shared is
  'Whether another order has the same transaction and finance confirmed it with a reason, or it was so before this release.';
comment on column token_order.long_wait_told_at is
  'When finance was emailed that a reported payment has waited too long.';
comment on column token_order.not_payable_told_at is
  'When staff were emailed that it lacks an address or an amount.';
comment on column token_order.paid_amount is
  'Received amount according to finance, in the coin of the order. Null until someone recorded it.';
comment on column token_order.paid_at is
  'When the payment was received, according to finance.';
comment on column token_order.pay_before is
  'When a pending order without a reported payment is canceled. Pending orders of a release without deadlines get theirs at the next startup, counted from then.';
comment on column token_order.payment_dropped_at is
  'Since when the network does not know the order''s transaction. Null while it does, or if no one has checked.';
comment on column token_order.proposed_correction is
  'The first approver''s proposed correction of a completed order, by field. Any other change of the order ends it.';
comment on column token_order.rate is
  'Rate of the quote that it was placed with.';
comment on column token_order.receiving_address is
  'Receiving address when the order was placed: later changes of the settings don''t affect it.';
comment on column token_order.reference is
  'Payment reference, also used by support: ten random hexadecimal digits.';
comment on column token_order.reported_at is
  'Since when a payment has been reported, even if it is disputed. Replacing the transaction does not change it.';
comment on column token_order.tx_id is
  'The transaction that the member reported. Not verified.';
comment on column token_order.tx_key is
  'The transaction in the form used for comparison: without case, spaces, and 0x.';
comment on column token_order.tx_key_version is
  'Version of the rules for tx_key. Older keys are renewed at startup, because the rules exist only in code.';

comment on column webhook_delivery.n is
  'Order in which events of one subject are delivered.';
comment on column webhook_delivery.response_excerpt is
  'Start of the last response, as text.';
comment on column webhook_delivery.round_from is
  'Number of attempts before it was resent manually, which don''t count for its delays.';

comment on column webhook_endpoint.failing_since is
  'First failed attempt since the last successful one.';
comment on column webhook_endpoint.former_secret_of_finance is
  'Whether the previous secret was shown to someone with a finance level.';
comment on column webhook_endpoint.sealed_former_secret is
  'Previous secret, which signs beside the new one until former_secret_until.';
comment on column webhook_endpoint.sealed_secret is
  'Secret that signs deliveries. Deleted with the endpoint.';
comment on column webhook_endpoint.secret_of_finance is
  'Whether the secret was shown to someone with a finance level. Unknown for older endpoints.';

comment on column withdrawal_period.last_day is
  'The last day of the period; null if the end of the sale cut it short.';

comment on column withdrawn_price.is_provisional is
  'The price was stopped and the coin has not been offered since; if it is offered again at about this price, the price was no mistake.';

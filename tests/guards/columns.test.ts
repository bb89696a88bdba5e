import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveConsoleView } from '#contract/console/console-views.ts'
import { applyAsAmbassador } from '#contract/people/ambassadors.ts'
import { declineAmbassadorApplication } from '#contract/people/console-ambassadors.ts'
import { createApiToken, revokeApiToken } from '#contract/people/api-tokens.ts'
import { appInput } from '#contract/people/apps.ts'
import {
  altText,
  announcementFields,
  cardAddress,
  scheduleFields,
} from '#contract/publishing/announcements.ts'
import { boardReason, profileLink, profileWords } from '#contract/people/ambassador-profiles.ts'
import { saveReply } from '#contract/people/console-conversations.ts'
import { contactStaff, messageText } from '#contract/people/conversations.ts'
import { createKyc, updateKyc } from '#contract/people/kyc.ts'
import { reviewKycPhoto } from '#contract/people/kyc-review.ts'
import { how } from '#contract/people/account-recovery.ts'
import { createMember, ownFields } from '#contract/people/members.ts'
import { profileColumns } from '#api/people/members/profile-columns.ts'
import { addMemberNote, openMemberErasure } from '#contract/people/console-members.ts'
import {
  cancelContentRelease,
  contentItemName,
  saveContentDraft,
} from '#contract/publishing/console-content.ts'
import { entryInput } from '#contract/publishing/console-official.ts'
import { createStaffInvitation } from '#contract/people/staff-invitations.ts'
import { consents } from '#contract/people/consents.ts'
import { reminderFields } from '#contract/money/public-sale.ts'
import { removeReason, subscribeToNews } from '#contract/publishing/newsletter.ts'
import { saveAutosave } from '#contract/publishing/newsroom.ts'
import { createOrder, txIdLengthMax } from '#contract/money/orders.ts'
import { holdDelivery } from '#contract/money/console-deliveries.ts'
import { assignPayoutTransfer, dismissPayoutTransfer } from '#contract/money/payout-transfers.ts'
import { cancelPayout, holdPayouts, resumePayouts } from '#contract/money/payouts.ts'
import { chainAddress, line } from '#contract/platform/fields.ts'
import { passkeyName } from '#contract/people/passkeys.ts'
import { createQuote, rateCode, updateSaleSettings } from '#contract/money/sale.ts'
import { declineSaleProposal } from '#contract/money/sale-proposals.ts'
import { changeRoundGuests, saleRound } from '#contract/money/sale-rounds.ts'
import { recordRefund } from '#contract/money/console-withdrawals.ts'
import { dismissStatementLine } from '#contract/money/statements.ts'
import { requestWithdrawal } from '#contract/money/withdrawals.ts'
import { createWebhook, webhookDelivery } from '#contract/integrations/webhooks.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'
import * as z from 'zod/mini'

const signUp = createMember.body.shape
const order = createOrder.body.shape
const kyc = { ...createKyc.body.shape, ...updateKyc.body.shape }
const ambassador = applyAsAmbassador.body.shape
const asked = requestWithdrawal.body.shape
const refunded = recordRefund.body.shape
const payMethod = updateSaleSettings.body.shape.payMethods.def.element.shape

/** The profile fields that contain text. */
const fieldsOfProfile = Object.fromEntries(
  Object.entries(profileColumns).flatMap(([field, column]) => {
    const schema: z.ZodMiniType | undefined = ownFields[field as keyof typeof ownFields]
    return schema && limitOf(schema) > 0 ? [[`member.${column}`, schema]] : []
  }),
)

/** The contract's field that limits the text length of a column. */
const fieldOf: Record<string, z.ZodMiniType> = {
  'member.email': signUp.email,
  ...fieldsOfProfile,
  'member.invitation_code': signUp.invitationCode,
  'sign_up.first_name': signUp.firstName,
  'sign_up.last_name': signUp.lastName,
  'sign_up.invitation_code': signUp.invitationCode,
  'email_change.new_email': signUp.email,
  'staff_invitation.email': createStaffInvitation.body.shape.email,
  'console_view.list': saveConsoleView.body.shape.list,
  'console_view.name': saveConsoleView.body.shape.name,
  'console_view.query': saveConsoleView.body.shape.query,
  'mail.to_address': signUp.email,
  'mailbox_refusal.address': signUp.email,
  'webhook_delivery.response_excerpt': webhookDelivery.shape.responseExcerpt,
  'webhook_endpoint.url': createWebhook.body.shape.url,
  'webhook_endpoint.description': createWebhook.body.shape.description,
  'sale_round.name_en': saleRound.shape.name.shape.en,
  'sale_round.name_cn': saleRound.shape.name.shape.cn,
  'sale_round_guest.email': changeRoundGuests.body.shape.add.def.element,
  'sale_round_price.code': saleRound.shape.prices.def.element.shape.code,
  'sale_reminder.email': reminderFields.shape.email,
  'subscriber.email': subscribeToNews.body.shape.email,
  'subscriber.end_reason': removeReason,
  'announcement.title': announcementFields.title,
  'announcement.publish_zone': scheduleFields.zone,
  'announcement.card_alt': altText,
  'announcement_version.title': announcementFields.title,
  'announcement_working_copy.title': saveAutosave.body.shape.title,
  'announcement_working_copy.card_src': cardAddress,
  'announcement_working_copy.card_alt': altText,
  'token_order.email': order.email,
  'passkey.name': passkeyName,
  'lost_factor.opened_how': how,
  'staff_note.text': addMemberNote.body.shape.text,
  'erasure_request.reason': openMemberErasure.body.shape.reason,
  'consent.version': consents.def.element.shape.version,
  'token_order.eth_address': order.ethAddress,
  'token_order.btc_address': order.btcAddress,
  'token_order.fab_address': order.fabAddress,
  'token_order.pay_method': order.payMethod,
  'token_order.tx_key': order.txId,
  'order_step.reason': order.reason,
  'token_order.completion_reason': order.reason,
  'statement_line.reason': dismissStatementLine.body.shape.reason,
  'order_step.tx_id': order.txId,
  'order_step.tx_key': order.txId,
  'token_order.receiving_address': payMethod.receivingAddress,
  'delivery.hold_reason': holdDelivery.body.shape.reason,
  'payout_run.cancel_reason': cancelPayout.body.shape.reason,
  'payout_item.address': chainAddress,
  'payout_item.assign_reason': assignPayoutTransfer.body.shape.reason,
  'payout_item.tx_id': line(txIdLengthMax),
  'payout_dismissed.reason': dismissPayoutTransfer.body.shape.reason,
  'payout_hold.note': holdPayouts.body.shape.note,
  'payout_hold.release_note': resumePayouts.body.shape.note,
  'payout_hold.second_release_note': resumePayouts.body.shape.note,
  'order_withdrawal.refund_address': asked.refundAddress,
  'order_withdrawal.note': asked.note,
  'order_withdrawal.reason': refunded.reason,
  'order_withdrawal.refund_currency': refunded.currency,
  'order_withdrawal.covering_currency': refunded.currency,
  'order_withdrawal.refund_tx_id': refunded.txId,
  'refund_transaction.tx_key': refunded.txId,
  'order_officer.display_name': ownFields.displayName,
  'order_officer.email': signUp.email,
  'order_quote.pay_method': createQuote.body.shape.payMethod,
  'order_quote.currency': payMethod.currency,
  'token_order.currency': payMethod.currency,
  'pay_method.code': payMethod.code,
  'withdrawn_price.pay_method': rateCode,
  'withdrawn_address.address': payMethod.receivingAddress,
  'pay_method.currency': payMethod.currency,
  'pay_method.receiving_address': payMethod.receivingAddress,
  'api_token.name': createApiToken.body.shape.name,
  'api_token.purpose': createApiToken.body.shape.purpose,
  'api_token.revoke_reason': revokeApiToken.body.shape.reason,
  'app.name': appInput.shape.name,
  'app.full_name': appInput.shape.fullName,
  'app.contact': appInput.shape.contact,
  'known_entry.value': entryInput.shape.value,
  'known_entry.key': entryInput.shape.value,
  'known_entry.note': entryInput.shape.note,
  'known_entry.evidence': entryInput.shape.evidence,
  'content_piece.piece': contentItemName,
  'content_draft.piece': contentItemName,
  'content_draft.place': saveContentDraft.body.shape.changes.def.keyType,
  'content_version.piece': contentItemName,
  'content_release.publish_zone': scheduleFields.zone,
  'content_release.reason': cancelContentRelease.body.shape.reason,
  'sale_proposal.reason': declineSaleProposal.body.shape.reason,
  'kyc_application.full_name': kyc.fullName,
  'kyc_application.last_name': kyc.lastName,
  'kyc_application.country': kyc.country,
  'kyc_application.date_of_birth': kyc.dateOfBirth,
  'kyc_application.email': kyc.email,
  'kyc_application.eth_address': kyc.ethAddress,
  'kyc_application.btc_address': kyc.btcAddress,
  'kyc_application.event_id': kyc.eventId,
  'kyc_application.reason': kyc.reason,
  'kyc_application.final_proposed_reason': kyc.reason,
  'kyc_application.note': kyc.note,
  'kyc_step.reason': kyc.reason,
  'kyc_photo.reason': reviewKycPhoto.body.shape.reason,
  'kyc_photo.note': reviewKycPhoto.body.shape.note,
  'conversation.email': contactStaff.body.shape.email,
  'conversation.name': contactStaff.body.shape.name,
  'conversation_message.text': messageText,
  'saved_reply.title': saveReply.body.shape.title,
  'saved_reply.text_en': saveReply.body.shape.en,
  'saved_reply.text_cn': saveReply.body.shape.cn,
  'ambassador.email': ambassador.email,
  'ambassador.full_name': ambassador.fullName,
  'ambassador.reason': boardReason,
  'ambassador_profile.name_en': profileWords.shape.name,
  'ambassador_profile.name_cn': profileWords.shape.name,
  'ambassador_profile.place_en': profileWords.shape.place,
  'ambassador_profile.place_cn': profileWords.shape.place,
  'ambassador_profile.sentence_en': profileWords.shape.sentence,
  'ambassador_profile.sentence_cn': profileWords.shape.sentence,
  'ambassador_profile.link': profileLink,
  'ambassador_profile.reason': boardReason,
  'ambassador_application.email': ambassador.email,
  'ambassador_application.full_name': ambassador.fullName,
  'ambassador_application.city': ambassador.city,
  'ambassador_application.country': ambassador.country,
  'ambassador_application.description': ambassador.description,
  'ambassador_application.reason': declineAmbassadorApplication.body.shape.reason,
}

/** Columns whose text callers do not choose, or not alone. */
const unlimited: [columns: RegExp, reason: string][] = [
  [/\.(id|\w+_id|\w+_by|translation_of)$/, 'ids are made by the server'],
  [/\.(\w+_hash|file_key)$/, 'hashes and names of files are made by the server'],
  [
    /^(program_instance|job_run|backup_run|audit_check|built_file|change|imported_password_kind|four_eyes)\./,
    'the server’s own',
  ],
  [/^skipped_setup_step\.step$/, 'one of a list'],
  [/^member_notification\.(kind|path|reference)$/, 'words of the server, and the reference of an order'],
  [/^audit_entry\./, 'words of the server'],
  [/^api_token\.(last_\w+|secret_end|previous_end)$/, 'words of the server and networks'],
  [
    /^mail\.(kind|last_error|message_id)$|^mailbox_refusal\.(error|enhanced)$/,
    'words of the server and codes of mail servers',
  ],
  [/^sale_shown\.state$/, 'a word of the server'],
  [/^subscriber\.(consent_wording|consent_way|link_secret)$/, 'words and a secret of the server'],
  [/^subscriber\.categories$/, 'some of a list'],
  [/^newsletter_(issue\.fed_through|mail\.mail_id)$/, 'ids that the server made'],
  [/^(consent\.(place|client)|sign_up\.consented_from)$/, 'a word of the server and a network address'],
  [
    /^(session\.(device|place)|sign_in\.device|phone_handoff\.device)$/,
    'the server’s summary of a browser and its address',
  ],
  [/^announcement(_version|_working_copy)?\.category$|^announcement_working_copy\.byline$/, 'one of a list'],
  [/^announcement(_version)?\.content(_summary)?$/, 'sanitizing may lengthen what was given'],
  [/^announcement_working_copy\.content$/, 'megabytes, which the contract bounds'],
  [/^announcement(_former_slug)?\.(slug|search_text)$/, 'made by the server from title and text'],
  [
    /^announcement_version\.(signed_document|signature)$|^signing_key\.|^fingerprint_key\./,
    'made by the server',
  ],
  [
    /^ambassador\.(code|slug)$|^ambassador_profile\.picture$|^ambassador_point\.reverses$/,
    'made by the server',
  ],
  [/^webhook_(event\.type|delivery\.last_error)$/, 'words of the server'],
  [/^mail_event_source\.provider$/, 'one of a list'],
  [/^announcement(_picture\.name|\.card_picture)$/, 'a hash of the server'],
  [/^announcement\.byline$/, 'the ID of an account'],
  [/^kyc_(photo\.(content_type|verdict)|fingerprint\.(kind|hash))$/, 'the server’s own'],
  [/^content_(file|file_value|legal_version)\.|^content_release\.cause$/, 'the server’s own'],
  [/^(token_order|order_withdrawal|delivery)\.reference$|^delivery\.cancel_cause$/, 'the server’s own'],
  [
    /^payout_(hold\.cause|run\.(network|contract|hash|cancel_delivery_ids)|export\.)/,
    'made by the server, from settings and deliveries',
  ],
  [/^withdrawal_period\./, 'made by the server, from settings'],
  [/^statement_line\.(?!reason$)/, 'what a file said, shortened by the server'],
  [/^read_(count|salt)\./, 'made by the server; what browsers say about sites is shortened by it'],
  [/^chain_\w+\./, 'made by the server, from settings and from what it read of chains'],
  [/^(token_order\.completion|order_withdrawal\.proposal)_seen$/, 'versions of orders, made by the server'],
  [/^ambassador_application\.country_key$/, 'two letters, or the country as it was typed'],
  [/^kyc_application\.email_alias$/, 'shorter than the address that it is made of'],
]

/** The limit in characters. */
function limitOf(field: z.ZodMiniType): number {
  const schema = z.toJSONSchema(field, { io: 'input', unrepresentable: 'any' })
  const limits = [schema, ...(schema.anyOf ?? [])].map((each) => each.maxLength ?? 0)
  return Math.max(...limits)
}

const url = await copyTemplate()
const client = new pg.Client({ connectionString: url })
beforeAll(() => client.connect())
afterAll(async () => {
  await client.end()
  await dropDatabase(url)
})

async function readColumns(): Promise<{ column: string; checks: string | null }[]> {
  const { rows } = await client.query<{ column: string; checks: string | null }>(`
    select format('%s.%s', c.relname, a.attname) as "column", string_agg(pg_get_constraintdef(k.oid), ' ') as checks
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relkind = 'r' and c.relname not like 'kysely%'
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'c' and k.conkey = array[a.attnum]
    where a.atttypid = 'text'::regtype and a.attnum > 0 and not a.attisdropped
    group by 1`)
  return rows
}

test('every column that holds what somebody typed has the limit of its field', async () => {
  const columns = (await readColumns()).filter(
    ({ column }) => column in fieldOf || !unlimited.some(([some]) => some.test(column)),
  )
  const limits = columns.map(({ column, checks }) => {
    const limit = /char_length\(\w+\) <= (\d+)/.exec(checks ?? '')?.[1]
    return [column, limit ? Number(limit) : null]
  })
  const promised = Object.entries(fieldOf).map(([column, field]) => [column, limitOf(field)])
  expect(Object.fromEntries(limits)).toEqual(Object.fromEntries(promised))
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ambassadorStates } from '#contract/people/ambassadors.ts'
import { applicationStepKinds } from '#contract/people/console-ambassadors.ts'
import { announcementStates } from '#contract/publishing/announcements.ts'
import { ambassadorProfileStates } from '#contract/people/ambassador-profiles.ts'
import { invitationCauses } from '#contract/people/ambassador-results.ts'
import { languages } from '#contract/platform/languages.ts'
import { notificationAreas } from '#contract/platform/notifications.ts'
import { conversationSubjects } from '#contract/people/console-conversations.ts'
import { conversationStatuses, messageAuthors } from '#contract/people/conversations.ts'
import { kycStates } from '#contract/people/kyc.ts'
import { recoveryStates } from '#contract/people/account-recovery.ts'
import { erasureKinds } from '#api/platform/erasure-notes/erasure-note.queries.ts'
import { consoleStepKinds } from '#contract/money/console-orders.ts'
import { memberNoteKinds } from '#contract/people/console-members.ts'
import { releaseStates } from '#contract/publishing/console-content.ts'
import { contentOrigins } from '#contract/publishing/content-versions.ts'
import { chainStates } from '#contract/money/chain-payments.ts'
import { channelStatuses } from '#contract/publishing/console-official.ts'
import { channelKinds } from '#contract/publishing/official.ts'
import { legalDocuments } from '#contract/people/consents.ts'
import { newsRhythms, subscriberEnds, subscriberStates } from '#contract/publishing/newsletter.ts'
import { readKinds } from '#contract/publishing/reads.ts'
import { orderStates } from '#contract/money/orders.ts'
import { payChains } from '#contract/money/sale.ts'
import { roundAdmissions } from '#contract/money/sale-rounds.ts'
import { settingSubjects } from '#contract/people/settings.ts'
import { statementLineStates } from '#contract/money/statements.ts'
import { withdrawalStates } from '#contract/money/withdrawals.ts'
import { webhookDisabledFor, webhookStates } from '#contract/integrations/webhooks.ts'
import { copyTemplate, dropDatabase } from '#tests/setup/database-copy.ts'

const url = await copyTemplate()
const client = new pg.Client({ connectionString: url })
beforeAll(() => client.connect())
afterAll(async () => {
  await client.end()
  await dropDatabase(url)
})

/** States that are never returned. */
const serverOnly = [
  'content_file_kind',
  'mail_state',
  'passkey_purpose',
  'sale_proposal_outcome',
  'webhook_delivery_state',
]

test('the states and languages of the database are those of the contract', async () => {
  const { rows } = await client.query<{ name: string; labels: string[] }>(
    `select t.typname as name, array_agg(e.enumlabel::text order by e.enumsortorder) as labels
    from pg_enum e join pg_type t on t.oid = e.enumtypid where t.typname <> all ($1) group by 1`,
    [serverOnly],
  )
  expect(Object.fromEntries(rows.map(({ name, labels }) => [name, labels]))).toEqual({
    language: languages,
    announcement_state: announcementStates,
    chain_payment_state: chainStates,
    conversation_subject: [...conversationSubjects],
    conversation_status: [...conversationStatuses],
    message_author: [...messageAuthors],
    order_state: orderStates,
    // The order itself shows that it was placed.
    order_step_kind: consoleStepKinds.filter((kind) => kind !== 'placed'),
    staff_note_kind: [...memberNoteKinds],
    pay_chain: payChains,
    round_admission: roundAdmissions,
    withdrawal_state: withdrawalStates,
    setting_subject: settingSubjects,
    statement_line_state: statementLineStates,
    known_standing: channelStatuses,
    known_kind: channelKinds,
    legal_document: legalDocuments,
    kyc_state: kycStates,
    ambassador_state: ambassadorStates,
    ambassador_profile_state: ambassadorProfileStates,
    content_release_state: releaseStates,
    content_origin: contentOrigins,
    ambassador_step_kind: applicationStepKinds,
    invitation_cause: invitationCauses,
    lost_factor_state: recoveryStates,
    erasure_kind: erasureKinds,
    webhook_state: webhookStates,
    webhook_disabled_for: webhookDisabledFor,
    subscriber_state: [...subscriberStates],
    subscriber_end: [...subscriberEnds],
    news_rhythm: [...newsRhythms],
    read_kind: [...readKinds],
    notification_area: [...notificationAreas],
  })
})

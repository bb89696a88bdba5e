import { expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/platform/endpoint.ts'

const ofStaff = Object.entries<Endpoint>(api).filter(
  ([, { access, method }]) => access.who === 'staff' && method === 'GET',
)
const namesOf = (isOne: (endpoint: Endpoint) => boolean) =>
  ofStaff.flatMap(([name, endpoint]) => (isOne(endpoint) ? [name] : [])).toSorted()

/** What staff read without an audit log entry, by reason. */
const unrecorded = {
  'of payouts: one contains only the hold, and the export writes an entry of its own': [
    'exportPayoutFile',
    'getPayoutHold',
  ],
  'published, or written for publication': [
    'exportNewsroomPosts',
    'findContent',
    'getAutosave',
    'getContentItem',
    'getContentShape',
    'getContentVersion',
    'getNewsroomPost',
    'getPostVersion',
    'listAutosaves',
    'listContentItems',
    'listContentReleases',
    'listContentVersions',
    'listNewsroomPosts',
    'listPostVersions',
    'openContentDocument',
    'readPostMail',
    'readReads',
  ],
  'about the project or the installation': [
    'exportChannels',
    'exportSettingVersions',
    'getAppRecord',
    'getMailTemplate',
    'getSaleRound',
    'getSaleSettings',
    'getSettingVersion',
    'getVerification',
    'getWebhook',
    'listAddressChanges',
    'listApiTokens',
    'listChainMonitors',
    'listChannels',
    'listFourEyes',
    'listKycReasons',
    'listMailTemplates',
    'listOfficialSources',
    'listSaleRounds',
    'listSavedReplies',
    'listSettingVersions',
    'listStaffInvitations',
    'listWebhooks',
    'readHealth',
    'readSetup',
  ],
  'counts and options of a list': [
    'countConsoleViews',
    'listApplicationColleagues',
    'listApplicationCountries',
    'listApplicationReaders',
    'listKycCaseReaders',
    'listMemberColleagues',
    'listMemberReaders',
    'listNeedsAttention',
    'listOrderColleagues',
    'listOrderReaders',
    'readDashboardMetrics',
    'readKycStatistics',
    'readMailFigures',
    'readOrderTotals',
    'listDeliveryRounds',
    'readDeliveryTotals',
  ],
  'the caller’s own': ['listConsoleViews', 'listMentions', 'readNotificationSettings'],
  'a part of a record whose access is recorded': [
    'checkConsoleConversation',
    'getKycHistory',
    'getOrderChainPayment',
    'listKycCaseEvents',
  ],
  'the audit log, whose exports are recorded as actions': ['exportRecord', 'exportRecordHead'],
}

test('what staff read of people is recorded in the audit log', () => {
  const open = namesOf(({ auditsAccess, auditsItself }) => !auditsAccess && !auditsItself)
  expect(open).toEqual(Object.values(unrecorded).flat().toSorted())
})

/** Files about the project, and pictures of a case that is shown one by one. */
const withoutStepUp = ['exportChannels', 'exportNewsroomPosts', 'getKycPhoto', 'openContentDocument']

test('a file for staff requires step-up authentication', () => {
  const open = namesOf(
    ({ returnsBytes, errors }) => Boolean(returnsBytes) && !errors.includes('step_up_required'),
  )
  expect(open).toEqual(withoutStepUp)
})

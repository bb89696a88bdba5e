// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listAmbassadorApplications } from '#contract/people/console-ambassadors.ts'
import { listConsoleAmbassadors } from '#contract/people/console-ambassador-profiles.ts'
import { listConsoleConversations } from '#contract/people/console-conversations.ts'
import { listConsoleMembers, type ConsoleMember } from '#contract/people/console-members.ts'
import { listMails } from '#contract/platform/console-mails.ts'
import { listContentReleases, type ContentRelease } from '#contract/publishing/console-content.ts'
import { findContent } from '#contract/publishing/content-shapes.ts'
import { getVerification, listRecord } from '#contract/console/console-audit-log.ts'
import { readAdministratorLink, sendAdministratorLink } from '#contract/people/members.ts'
import { listNewsroomPosts } from '#contract/publishing/newsroom.ts'
import { listNeedsAttention, type Waiting } from '#contract/console/console-home.ts'
import { listAddressChanges } from '#contract/money/sale-proposals.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { getRoute, type RouteName } from '../kernel/routes/routes.ts'
import { ConsoleRoot } from './console-root.tsx'

beforeEach(() => {
  answering(listAddressChanges, [])
  answering(listNeedsAttention, [])
})

const t = wordsOf('en')
const noRights = {
  isWriteAccessAdmin: false,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
} as const
const framed = (name: RouteName) => show(<ConsoleRoot route={getRoute(name)}>the page</ConsoleRoot>)
const navigation = () => within(screen.getByRole('navigation', { name: t('console.nav.label') }))
const entries = () =>
  navigation()
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const everything = { isWriteAccessAdmin: true, manageFinance: 2, manageCoins: 2 } as const

test('the navigation shows what the levels allow, and marks the current page', async () => {
  await signedIn({ manageNews: 1 })
  framed('console.newsroom')
  expect(entries()).toEqual([
    t('console.nav.home'),
    t('console.area.news'),
    t('console.nav.newsroom'),
    t('console.nav.content'),
    t('console.nav.official'),
    t('console.nav.reads'),
    // The only page of its area that the level allows.
    t('console.nav.apiTokens'),
  ])
  expect(navigation().getByRole('link', { current: 'page' })).toHaveTextContent(t('console.nav.newsroom'))
  expect(screen.getByText('the page')).toBeVisible()
})

test('someone with every right sees the areas, with the pages of the current one', async () => {
  await signedIn(everything)
  framed('console.withdrawals')
  expect(entries()).toEqual([
    t('console.nav.home'),
    t('console.nav.members'),
    t('console.nav.identity'),
    t('console.nav.conversations'),
    t('console.nav.orders'),
    t('console.nav.withdrawals'),
    t('console.nav.deliveries'),
    t('console.nav.payouts'),
    t('console.nav.totals'),
    t('console.nav.import'),
    t('console.nav.deliveryTotals'),
    t('console.area.sale'),
    t('console.nav.ambassadorProfiles'),
    t('console.area.news'),
    t('console.area.email'),
    t('console.area.operations'),
  ])
  const link = (name: string) => navigation().getByRole('link', { name })
  expect(link(t('console.area.sale'))).toHaveAttribute('href', '/console/sale')
  expect(link(t('console.area.operations'))).toHaveAttribute('href', '/console/health')
})

test('an administrator has news and members, but no identity documents without a finance level', async () => {
  await signedIn({ isWriteAccessAdmin: true })
  framed('console.home')
  expect(entries()).toContain(t('console.area.news'))
  expect(entries()).toContain(t('console.nav.members'))
  expect(entries()).not.toContain(t('console.nav.identity'))
})

test('a button shows the pages of another area, and hides those of the one shown before', async () => {
  await signedIn(everything)
  const { user } = framed('console.home')
  const button = (area: string) =>
    navigation().getByRole('button', { name: t('console.nav.pages', { area }), expanded: false })
  await user.click(button(t('console.nav.members')))
  expect(navigation().getByRole('link', { name: t('console.nav.lostFactors') })).toBeVisible()
  await user.click(button(t('console.area.email')))
  expect(navigation().getByRole('link', { name: t('console.nav.mailTemplates') })).toBeVisible()
  expect(entries()).not.toContain(t('console.nav.lostFactors'))
})

test('an area shows how many items wait in it, and if it is open, each of its pages does', async () => {
  const waiting = (what: Waiting['what'], count: number) => ({
    what,
    count,
    oldestAt: null,
    isNew: false,
    isMuted: false,
  })
  answering(listNeedsAttention, [
    waiting('orders_reported', 3),
    waiting('orders_disputed', 2),
    waiting('orders_any', 4),
    waiting('withdrawals_open', 2),
    waiting('withdrawals_overdue', 1),
    waiting('statement_lines', 10_001),
    waiting('mails_failed', 1),
    waiting('posts_due', 0),
  ])
  await signedIn(everything)
  const { user } = framed('console.home')
  expect(await navigation().findByRole('link', { name: 'Orders 999+ waiting' })).toBeVisible()
  expect(navigation().getByRole('link', { name: 'Email 1 waiting' })).toBeVisible()
  expect(navigation().getByRole('link', { name: t('console.area.news') })).toBeVisible()
  await user.click(
    navigation().getByRole('button', { name: t('console.nav.pages', { area: t('console.nav.orders') }) }),
  )
  // An order that was reported and is disputed counts once, and so does an overdue withdrawal.
  for (const name of [
    'Orders 4 waiting',
    'Order withdrawals 2 waiting',
    'Order totals',
    'Import payments 999+ waiting',
  ])
    expect(navigation().getByRole('link', { name })).toBeVisible()
  expect(callsOf(listNeedsAttention)).toHaveLength(1)
})

test('the navigation works without counts', async () => {
  refusing(listNeedsAttention, 'unavailable')
  await signedIn({ id: 'someone-else', manageFinance: 2 })
  framed('console.orders')
  await waitFor(() => expect(callsOf(listNeedsAttention)).toHaveLength(1))
  expect(navigation().getByRole('link', { name: t('console.nav.orders') })).toBeVisible()
})

test.each<[RouteName, object]>([
  ['console.home', {}],
  ['console.newsroom', { manageFinance: 2 }],
  ['console.identity', { isWriteAccessAdmin: true }],
  ['console.lostFactors', { manageEmployee: 1 }],
])('%s is hidden from members without the right, and nothing of it is requested', async (name, rights) => {
  answering(readAdministratorLink, { isWaiting: false, isSent: false })
  await signedIn(rights)
  framed(name)
  expect(await screen.findByText(t('console.forbidden'))).toBeVisible()
  expect(screen.queryByText('the page')).toBeNull()
})

test('granted rights that are not effective yet are not reported as missing', async () => {
  await signedIn({ waitingRights: { ...noRights, manageNews: 2, needs: ['password', 'second_factor'] } })
  framed('console.newsroom')
  expect(await screen.findByText(t('layout.waitingRights.lead'))).toBeVisible()
  expect(screen.queryByText(t('console.forbidden'))).toBeNull()
  expect(screen.queryByText('the page')).toBeNull()
})

test.each([
  [true, 'console.adminLink.sent', 'console.adminLink.again'],
  [false, 'console.adminLink.notSent', 'console.adminLink.send'],
] as const)('a future administrator gets the link by email (sent: %s)', async (isSent, text, button) => {
  answering(readAdministratorLink, { isWaiting: true, isSent })
  answering(sendAdministratorLink, { sent: true })
  await signedIn({ email: 'boss@example.org' })
  const { user } = framed('console.home')
  expect(await screen.findByText(t(text, { email: 'boss@example.org', min: 12 }))).toBeVisible()
  expect(screen.queryByText(t('console.forbidden'))).toBeNull()
  await user.click(screen.getByRole('button', { name: t(button) }))
  expect(await screen.findByText(t('console.adminLink.done'))).toBeVisible()
  expect(screen.getByText(t('console.adminLink.sent', { email: 'boss@example.org', min: 12 }))).toBeVisible()
  expect(callsOf(sendAdministratorLink)).toHaveLength(1)
})

test('staff without a second factor are told at once, with a link to set one up', async () => {
  await signedIn({ manageFinance: 2, needsSecondFactor: true })
  framed('console.identity')
  expect(screen.getByRole('link', { name: 'Set one up' })).toHaveAttribute('href', '/account/security')
  expect(screen.queryByText('the page')).toBeNull()
})

test('Ctrl+K opens the search; the arrow keys choose a screen and Enter opens it', async () => {
  await signedIn({ manageNews: 2, manageEmployee: 2 })
  // Newer browsers return a promise (CSSOM View), which React would call as a function if an effect returned it.
  Element.prototype.scrollIntoView = () => Promise.resolve() as never
  const { user } = framed('console.home')
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: t('console.palette.label') })
  const options = () => screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(options()).toEqual([
    t('console.nav.home'),
    t('console.nav.mentions'),
    t('console.nav.members'),
    t('console.nav.lostFactors'),
    t('console.nav.conversations'),
    t('console.nav.savedReplies'),
    t('console.nav.ambassadorProfiles'),
    t('console.nav.ambassadors'),
    t('console.nav.newsroom'),
    t('console.nav.content'),
    t('console.nav.official'),
    t('console.nav.reads'),
    t('console.nav.subscribers'),
    t('console.nav.mails'),
    t('console.nav.mailTemplates'),
    t('console.nav.apiTokens'),
    t('console.command.post'),
    t('console.command.apiToken'),
  ])
  await user.keyboard('{ArrowUp}')
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent(t('console.command.apiToken'))
  expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id)
  await user.keyboard('{Control>}k{/Control}')
  await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull())
  expect(navigation().getByRole('link', { current: 'page' })).toBeVisible()
})

const aRelease = (): ContentRelease => ({
  id: 'a',
  state: 'proposed',
  pieces: ['messages/legal'],
  publishAt: null,
  zone: null,
  by: null,
  at: new Date(0).toISOString(),
  confirmedBy: null,
  newVersions: [],
  sensitive: ['legal'],
  changes: [],
  changesOfficial: false,
  mayConfirm: false,
  ended: null,
})

test('the search finds pending approvals for possible approvers', async () => {
  await signedIn({ manageNews: 2 })
  answering(listNewsroomPosts, [])
  answering(findContent, [])
  const release = { ...aRelease(), id: 'waits', by: { id: 'b', name: 'Mei Sample' }, mayConfirm: true }
  answering(listContentReleases, [release, { ...release, id: 'own', mayConfirm: false }])
  const { user } = framed('console.home')
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: t('console.palette.label') })
  await user.type(field, 'To appr')
  const offered = await screen.findByRole('option', { name: /^Content to approve ?Mei Sample$/ })
  expect(screen.getAllByRole('option')).toEqual([offered])
})

test('the search names the content in which it found a text', async () => {
  await signedIn({ manageNews: 1 })
  answering(listNewsroomPosts, [])
  answering(findContent, [
    { piece: 'messages/official', place: 'en.official.lead', language: 'en', text: 'Paste a link' },
  ])
  const { user } = framed('console.home')
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: t('console.palette.label') })
  await user.type(field, 'Paste')
  const name = new RegExp(`^Paste a link ?${t('consoleContent.piece.official')}$`)
  expect(await screen.findByRole('option', { name })).toBeVisible()
})

test('if no member has the words, the search offers those with similar ones', async () => {
  await signedIn({ manageEmployee: 1 })
  for (const endpoint of [
    listMails,
    listAmbassadorApplications,
    listConsoleAmbassadors,
    listConsoleConversations,
  ])
    answering(endpoint, [])
  const mei: ConsoleMember = {
    ...noRights,
    id: 'mei',
    email: 'mei@example.org',
    name: 'Mei Sample',
    active: true,
    isClosed: false,
    kyc: 'none',
    hasFactor: false,
    memberSince: new Date(0).toISOString(),
    lastSignIn: null,
    assignee: null,
  }
  answeringInTurn(listConsoleMembers, [], [mei])
  const { user } = framed('console.home')
  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: t('console.palette.label') }), 'Sanple')
  expect(await screen.findByRole('option', { name: /^Mei Sample ?mei@example.org$/ })).toBeVisible()
  const [exact, similar] = callsOf(listConsoleMembers).map(({ query }) => query)
  expect([exact, similar]).toMatchObject([{ q: 'Sanple' }, { similarTo: 'Sanple' }])
})

test('the search offers the audit log of an address or a reference to members with the right, without a request', async () => {
  await signedIn({ isWriteAccessAdmin: true })
  answering(listConsoleMembers, [])
  answering(listMails, [])
  answering(listAmbassadorApplications, [])
  answering(listConsoleAmbassadors, [])
  answering(listRecord, [])
  answering(getVerification, { last: null })
  answering(listNewsroomPosts, [])
  answering(findContent, [])
  const { user } = framed('console.home')
  await user.keyboard('{Control>}k{/Control}')
  const field = await screen.findByRole('combobox', { name: t('console.palette.label') })
  await user.type(field, 'mei@example.org')
  const offered = await screen.findByRole('option', { name: 'Audit log: mei@example.org' })
  expect(callsOf(listRecord)).toEqual([])
  await user.click(offered)
  await waitFor(() => expect(location.search).toBe('?subject=mei%40example.org'))
  expect(location.pathname).toBe('/console/record')
})

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  countUnreadNotifications,
  listNotifications,
  markAllNotificationsRead,
  markNotificationsRead,
  readEmailChoices,
  saveEmailChoice,
  type Notification,
} from '#contract/platform/notifications.ts'
import { MemberLayout } from '../kernel/layout/member-layout.tsx'
import { show, showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringPage, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

const notification = (id: string, change: Partial<Notification> = {}): Notification => ({
  id,
  area: 'orders',
  text: `Your order COIN-1A2B3-C4D5E was placed (${id})`,
  path: '/account/account-details?order=o1',
  at: '2036-05-01T10:00:00.000Z',
  isUnread: true,
  ...change,
})

async function onPage(path = '/account/notifications', language: 'en' | 'cn' = 'en') {
  await signedIn()
  answering(markNotificationsRead, { read: true })
  return showPage(path, language)
}

const rows = async () => within(await screen.findByRole('list', { name: t('notifications.list') }))

test.each(['en', 'cn'] as const)(
  'links each notification to the page where the member can act, and marks unread ones (%s)',
  async (language) => {
    const t = wordsOf(language)
    answering(listNotifications, [
      notification('n1'),
      notification('n2', { area: 'security', isUnread: false }),
    ])
    await onPage('/account/notifications', language)
    const list = within(await screen.findByRole('list', { name: t('notifications.list') }))
    const [first, second] = list.getAllByRole('listitem')
    expect(within(first!).getByRole('link')).toHaveAttribute('href', '/account/account-details?order=o1')
    expect(within(first!).getByText(t('notifications.new'))).toBeVisible()
    expect(within(second!).queryByText(t('notifications.new'))).toBeNull()
    expect(within(second!).getByText(t('notifications.area.security'))).toBeVisible()
  },
)

test('marks only shown notifications as read', async () => {
  answering(listNotifications, [
    notification('n1'),
    notification('n2', { isUnread: false }),
    notification('n3'),
  ])
  await onPage()
  await rows()
  await expect.poll(() => callsOf(markNotificationsRead)).toMatchObject([{ body: { ids: ['n1', 'n3'] } }])
  expect(screen.queryByText(t('notifications.arrived'))).toBeNull()
})

test('offers to show notifications that arrive while the list is open, and keeps them unread', async () => {
  answering(listNotifications, [notification('n1')])
  answering(countUnreadNotifications, { unread: 1 })
  const { user } = await onPage()
  expect(await screen.findByText(t('notifications.arrived'))).toBeVisible()
  expect(callsOf(markNotificationsRead)).toMatchObject([{ body: { ids: ['n1'] } }])
  answering(listNotifications, [notification('n2'), notification('n1', { isUnread: false })])
  answering(countUnreadNotifications, { unread: 0 })
  await user.click(screen.getByRole('button', { name: t('notifications.arrived.show') }))
  await waitFor(async () => expect((await rows()).getAllByRole('listitem')).toHaveLength(2))
  await waitFor(() => expect(screen.queryByText(t('notifications.arrived'))).toBeNull())
})

test('adds older notifications below, and marks them when they are shown', async () => {
  answeringPage(listNotifications, [notification('n1')], 'cursor')
  const { user } = await onPage()
  expect((await rows()).getAllByRole('listitem')).toHaveLength(1)
  answering(listNotifications, [notification('n2')])
  await user.click(screen.getByRole('button', { name: t('notifications.more') }))
  await waitFor(async () => expect((await rows()).getAllByRole('listitem')).toHaveLength(2))
  expect(callsOf(listNotifications).at(-1)).toMatchObject({ query: { after: 'cursor' } })
  await expect
    .poll(() => callsOf(markNotificationsRead).at(-1))
    .toMatchObject({ body: { ids: ['n1', 'n2'] } })
  expect(screen.queryByRole('button', { name: t('notifications.more') })).toBeNull()
})

test('marks older notifications as read without showing them, or says why it can’t', async () => {
  answeringPage(
    listNotifications,
    [notification('n1'), notification('n2', { at: '2036-04-01T10:00:00.000Z' })],
    'cursor',
  )
  answering(countUnreadNotifications, { unread: 30 })
  refusing(markAllNotificationsRead, 'unavailable')
  const { user } = await onPage()
  const button = await screen.findByRole('button', { name: t('notifications.markAll') })
  await user.click(button)
  await waitFor(() =>
    expect(
      screen
        .getAllByRole('alert')
        .map(({ textContent }) => textContent)
        .join(''),
    ).not.toBe(''),
  )
  answering(markAllNotificationsRead, { read: true })
  answering(countUnreadNotifications, { unread: 0 })
  await user.click(button)
  expect(await screen.findByText(t('notifications.markAll.done'))).toBeVisible()
  expect(callsOf(markAllNotificationsRead).at(-1)).toMatchObject({
    body: { until: '2036-04-01T10:00:00.000Z' },
  })
  await waitFor(() => expect(screen.queryByText(t('notifications.new'))).toBeNull())
  expect(screen.queryByRole('button', { name: t('notifications.markAll') })).toBeNull()
})

test('each area has its own list and address, and an empty list says so', async () => {
  answering(listNotifications, [])
  await onPage('/account/notifications?area=messages')
  expect(await screen.findByText(t('notifications.none.area'))).toBeVisible()
  expect(callsOf(listNotifications)).toMatchObject([{ query: { area: 'messages' } }])
  const tabs = within(screen.getByRole('navigation', { name: t('notifications.filter') }))
  expect(tabs.getByRole('link', { current: 'page' })).toHaveTextContent(t('notifications.area.messages'))
  expect(tabs.getByRole('link', { name: t('notifications.area.all') })).toHaveAttribute(
    'href',
    '/account/notifications',
  )
})

test('offers to try again if the list can’t be loaded', async () => {
  refusing(listNotifications, 'unavailable')
  const { user } = await onPage()
  expect(await screen.findByText(t('notifications.failed'))).toBeVisible()
  answering(listNotifications, [])
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByText(t('notifications.none.help'))).toBeVisible()
})

test('the navigation shows the number of unread notifications', async () => {
  await signedIn()
  answering(countUnreadNotifications, { unread: 100 })
  show(<MemberLayout route="account.messages">{null}</MemberLayout>)
  const link = await screen.findByRole('link', { name: /99\+/ })
  expect(link).toHaveAttribute('href', '/account/notifications')
  expect(link).toHaveTextContent(t('layout.account.unread', { count: '99+' }))
})

test('turns off emails for an area at once, except security emails', async () => {
  answering(readEmailChoices, { identity: true, orders: true, messages: false })
  refusing(saveEmailChoice, 'unavailable')
  const { user } = await onPage('/account/notifications?show=emails')
  const box = (area: 'identity' | 'orders' | 'messages' | 'security') =>
    screen.getByRole('checkbox', { name: t(`notifications.area.${area}`) })
  await screen.findByRole('group', { name: t('notifications.emails.legend') })
  expect(box('messages')).not.toBeChecked()
  expect(box('security')).toBeChecked()
  expect(box('security')).toBeDisabled()
  expect(box('security')).toHaveAccessibleDescription(t('notifications.emails.help.security'))
  await user.click(box('orders'))
  await waitFor(() => expect(box('orders')).toHaveAccessibleDescription(/unavailable/))
  expect(box('orders')).toBeChecked()
  answering(saveEmailChoice, { identity: true, orders: false, messages: false })
  await user.click(box('orders'))
  await waitFor(() => expect(box('orders')).not.toBeChecked())
  expect(await screen.findByText(t('notifications.emails.off'))).toBeVisible()
  expect(callsOf(saveEmailChoice).at(-1)).toMatchObject({ body: { area: 'orders', isOn: false } })
})

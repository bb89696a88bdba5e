// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  listNeedsAttention,
  markNotificationsSeen,
  readNotificationSettings,
  saveNotificationSettings,
  type Waiting,
} from '#contract/console/console-home.ts'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const waiting = (what: Waiting['what'], marks: Partial<Waiting> = {}): Waiting => ({
  what,
  count: 2,
  oldestAt: null,
  isNew: false,
  isMuted: false,
  ...marks,
})

async function notifications() {
  await signedIn({ manageFinance: 2 })
  answering(listNeedsAttention, [
    waiting('identity_unassigned', { isNew: true }),
    waiting('orders_reported'),
    waiting('orders_late', { isMuted: true }),
    waiting('orders_any', { count: 4 }),
  ])
  answering(readNotificationSettings, { muted: ['orders_late', 'mails_failed'], hasDigest: false })
  answering(markNotificationsSeen, { seen: true })
  return showPage('/console/notifications')
}

test('what is new comes first, muted kinds are left out, and opening the page marks all as seen', async () => {
  await notifications()
  const part = async (name: 'new' | 'earlier') =>
    within(await screen.findByRole('region', { name: t(`consoleHome.notifications.${name}`) }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent)
  expect(await part('new')).toEqual(['2 Unassigned identity cases '])
  expect(await part('earlier')).toEqual(['2 Orders with a reported payment '])
  await waitFor(() => expect(callsOf(markNotificationsSeen)).toHaveLength(1))
})

test('a choice of kinds and of the daily email is saved together, and kinds that are not shown are kept', async () => {
  const { user } = await notifications()
  await user.click(await screen.findByLabelText(t('consoleHome.waiting.orders_late')))
  await user.click(screen.getByLabelText(t('consoleHome.waiting.orders_reported')))
  await user.click(screen.getByLabelText(t('consoleHome.notifications.digest')))
  const body = { muted: ['mails_failed', 'orders_reported'], hasDigest: true }
  refusing(saveNotificationSettings, 'unavailable')
  const save = screen.getByRole('button', { name: t('consoleHome.notifications.save') })
  await user.click(save)
  expect(await screen.findByText('refused: unavailable')).toBeVisible()
  expect(screen.getByLabelText(t('consoleHome.notifications.digest'))).toBeChecked()
  answering(saveNotificationSettings, { muted: ['mails_failed', 'orders_reported'], hasDigest: true })
  await user.click(save)
  expect(await screen.findByText(t('consoleHome.notifications.saved'))).toBeVisible()
  expect(callsOf(saveNotificationSettings).map((each) => each.body)).toEqual([body, body])
})

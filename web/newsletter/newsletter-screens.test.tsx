// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { categoryNames } from '#contract/publishing/announcements.ts'
import {
  changeSubscription,
  confirmSubscription,
  unsubscribeFromNews,
  openSubscription,
  readDigestTime,
  subscribeToNews,
  type Subscription,
} from '#contract/publishing/newsletter.ts'
import { expectAlert, showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, holding, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const digest = { day: 1, hour: 9, zone: 'UTC' }
const subscription: Subscription = {
  language: 'en',
  categories: ['News', 'Events'],
  rhythm: 'each',
  state: 'active',
  address: 'a•••@example.org',
  since: '2036-05-01T10:00:00.000Z',
  digest,
}
const email = () => screen.getByRole('textbox', { name: t('newsletter.email') })
const category = (name: string) => screen.getByRole('checkbox', { name })
const rhythm = () => screen.getByRole('combobox', { name: t('newsletter.rhythm') })
const button = (key: string) => screen.getByRole('button', { name: t(key) })

async function showForm() {
  answering(readDigestTime, digest)
  return showPage('/newsletter')
}

test('input and choices survive a refusal, and are sent as shown', async () => {
  const { user } = await showForm()
  refusing(subscribeToNews, 'rate_limited')
  await user.type(email(), 'ada@example.org')
  await user.click(category('Events'))
  await user.selectOptions(rhythm(), 'weekly')
  await user.click(button('newsletter.subscribe'))
  await expectAlert('refused: rate_limited')
  expect(email()).toHaveValue('ada@example.org')
  expect(category('Events')).not.toBeChecked()
  expect(rhythm()).toHaveValue('weekly')

  answering(subscribeToNews, { received: true })
  await user.click(button('newsletter.subscribe'))
  expect(await screen.findByText(t('newsletter.sent', { email: 'ada@example.org' }))).toBeVisible()
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(callsOf(subscribeToNews).at(-1)!.body).toEqual({
    email: 'ada@example.org',
    language: 'en',
    categories: categoryNames.filter((name) => name !== 'Events'),
    rhythm: 'weekly',
  })
})

test('the sending time is shown to digest readers, and readers without news are not asked for it', async () => {
  const { user } = await showForm()
  const when = t('newsletter.rhythm.digest', { day: t('newsletter.day.1'), hour: '09:00', zone: 'UTC' })
  expect(rhythm()).not.toHaveAccessibleDescription(when)
  await user.selectOptions(rhythm(), 'weekly')
  expect(rhythm()).toHaveAccessibleDescription(when)
  await user.type(email(), 'ada@example.org')
  for (const name of categoryNames) await user.click(category(name))
  expect(screen.getByText(t('newsletter.categories.none'))).toBeVisible()
  await user.click(button('newsletter.subscribe'))
  expect(callsOf(subscribeToNews)).toEqual([])
})

test('opening a link confirms nothing; the button does, and leads to the subscription', async () => {
  const { user } = await showPage('/newsletter/confirm#a-code')
  expect(callsOf(confirmSubscription)).toEqual([])
  unreachable(confirmSubscription)
  await user.click(button('newsletter.confirm.submit'))
  await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement())
  // The code is still valid, so the button stays.
  answering(confirmSubscription, { ...subscription, token: 'its-token' })
  await user.click(button('newsletter.confirm.submit'))
  expect(
    await screen.findByText(t('newsletter.confirmed.text', { address: subscription.address })),
  ).toBeVisible()
  expect(callsOf(confirmSubscription).at(-1)!.body).toEqual({ code: 'a-code' })
  answering(unsubscribeFromNews, { ...subscription, state: 'ended' })
  await user.click(button('newsletter.leave'))
  expect(await screen.findByText(t('newsletter.left', { address: subscription.address }))).toBeVisible()
  expect(callsOf(unsubscribeFromNews)[0]!.body).toEqual({ token: 'its-token' })
})

test("an invalid code can't be retried, and leads to the form", async () => {
  refusing(confirmSubscription, 'code_invalid')
  const { user } = await showPage('/newsletter/confirm#old')
  await user.click(button('newsletter.confirm.submit'))
  await expectAlert(t('newsletter.confirm.wrong'))
  expect(screen.queryByRole('button', { name: t('newsletter.confirm.submit') })).toBeNull()
  expect(screen.getByRole('link', { name: t('newsletter.anew') })).toHaveAttribute('href', '/newsletter')
})

test('a link without its code says so at once', async () => {
  await showPage('/newsletter/confirm')
  await expectAlert(t('newsletter.confirm.wrong'))
})

test('a subscription loads, choices survive a refusal, and are saved', async () => {
  const arrive = holding(openSubscription, subscription)
  const { user } = await showPage('/newsletter/manage#its-token')
  expect(screen.getByText(t('forms.loading'))).toBeInTheDocument()
  arrive()
  await screen.findByRole('checkbox', { name: 'News' })
  expect(category('News')).toBeChecked()
  expect(category('Partnerships')).not.toBeChecked()

  refusing(changeSubscription, 'conflict')
  await user.click(category('Partnerships'))
  await user.selectOptions(rhythm(), 'weekly')
  await user.click(button('newsletter.save'))
  await expectAlert('refused: conflict')
  expect(category('Partnerships')).toBeChecked()
  expect(rhythm()).toHaveValue('weekly')
  const changed = {
    ...subscription,
    categories: ['News', 'Events', 'Partnerships'],
    rhythm: 'weekly' as const,
  }
  answering(changeSubscription, changed)
  await user.click(button('newsletter.save'))
  expect(await screen.findByText(t('newsletter.saved'))).toBeVisible()
  expect(callsOf(changeSubscription).at(-1)!.body).toEqual({
    token: 'its-token',
    language: 'en',
    categories: changed.categories,
    rhythm: 'weekly',
  })
  for (const name of changed.categories) await user.click(category(name))
  expect(button('newsletter.save')).toBeDisabled()
})

test('unsubscribing takes one click; after a failure the subscription is still shown', async () => {
  answering(openSubscription, subscription)
  const { user } = await showPage('/newsletter/manage#its-token')
  unreachable(unsubscribeFromNews)
  await user.click(await screen.findByRole('button', { name: t('newsletter.leave') }))
  await waitFor(() => expect(screen.getByRole('alert')).not.toBeEmptyDOMElement())
  expect(category('News')).toBeChecked()
  answering(unsubscribeFromNews, { ...subscription, state: 'ended' })
  await user.click(button('newsletter.leave'))
  expect(await screen.findByText(t('newsletter.left', { address: subscription.address }))).toBeVisible()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('a link that opens nothing says what to do', async () => {
  refusing(openSubscription, 'code_invalid')
  await showPage('/newsletter/manage#gone')
  expect(await screen.findByText(t('newsletter.manage.nothing'))).toBeVisible()
})

test('a failed load can be retried', async () => {
  unreachable(openSubscription)
  const { user } = await showPage('/newsletter/manage#its-token')
  expect(await screen.findByText(t('newsletter.failed'))).toBeVisible()
  answering(openSubscription, subscription)
  await user.click(button('forms.retry'))
  expect(await screen.findByRole('checkbox', { name: 'News' })).toBeChecked()
})

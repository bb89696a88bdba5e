// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  createWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  resendWebhookDelivery,
  setWebhookState,
  testWebhook,
  type Webhook,
  type WebhookDelivery,
} from '#contract/integrations/webhooks.ts'
import { financeEventTypes } from '#contract/integrations/webhook-events.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, answeringPage, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const at = '2036-05-01T10:00:00.000Z'
const active: Webhook = {
  id: 'w',
  url: 'https://hooks.example.com/in',
  description: 'The ledger',
  events: ['order.completed'],
  state: 'active',
  disabledFor: null,
  disabledAt: null,
  formerSecretUntil: null,
  isSecretOfFinance: true,
  failingSince: null,
  lastDeliveredAt: null,
  createdAt: at,
  updatedAt: at,
  waiting: 0,
  failed: 1,
}
const failed: WebhookDelivery = {
  id: 'd',
  eventId: 'evt_1',
  type: 'order.completed',
  subjectId: 'order-1',
  state: 'failed',
  attempts: 10,
  status: 503,
  trouble: 'status',
  ms: 12,
  responseExcerpt: '<b>down</b>',
  createdAt: at,
  changedAt: at,
  nextTryAt: null,
  body: '{"id":"evt_1"}',
  tries: [{ at, ms: 12, status: 503, trouble: 'status' }],
}

async function showOne(webhook: Webhook, ...deliveries: WebhookDelivery[]) {
  await signedIn({ isWriteAccessAdmin: true })
  answering(getWebhook, webhook)
  answering(listWebhookDeliveries, deliveries)
  return showPage('/console/webhooks/w')
}

test('an endpoint is added with its events, and its secret is shown until it was stored', async () => {
  await signedIn({ isWriteAccessAdmin: true, manageFinance: 1 })
  answering(listWebhooks, [])
  const { user } = await showPage('/console/webhooks')
  expect(await screen.findByText(t('webhooks.none'))).toBeVisible()
  await user.click(screen.getByRole('button', { name: t('webhooks.add') }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: t('webhooks.create') }))
  expect(dialog.getByText(t('webhooks.eventsMissing'))).toBeVisible()
  expect(callsOf(createWebhook)).toEqual([])
  await user.type(dialog.getByLabelText(t('webhooks.url')), 'https://10.0.0.1/')
  await user.click(dialog.getByLabelText(t('webhooks.event.order.completed')))
  refusing(createWebhook, 'validation_failed', { errors: [{ path: 'url', code: 'invalid', message: '' }] })
  await user.click(dialog.getByRole('button', { name: t('webhooks.create') }))
  expect(await dialog.findByText(t('webhooks.urlWrong'))).toBeVisible()
  answeringInTurn(createWebhook, { webhook: active, secret: 'whsec_sample' })
  await user.clear(dialog.getByLabelText(t('webhooks.url')))
  await user.type(dialog.getByLabelText(t('webhooks.url')), active.url)
  await user.click(dialog.getByRole('button', { name: t('webhooks.create') }))
  expect(await screen.findByLabelText(t('webhooks.secret'))).toHaveValue('whsec_sample')
  // Neither Escape nor a click outside closes a dialog that shows something only once.
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
  fireEvent.click(screen.getByRole('dialog'))
  expect(screen.getByLabelText(t('webhooks.secret'))).toBeVisible()
})

test("without a finance level its events can't be chosen, and their content is hidden", async () => {
  const { user } = await showOne(active, { ...failed, subjectId: '', body: '', responseExcerpt: '' })
  expect(await screen.findAllByText(t('webhooks.ofFinance'))).toHaveLength(3)
  await user.click(screen.getByRole('button', { name: t('webhooks.edit') }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText(t('webhooks.event.case.decided'))).toBeDisabled()
  // An existing event can be removed.
  expect(dialog.getByLabelText(t('webhooks.event.order.completed'))).toBeEnabled()
  expect(dialog.getAllByText(t('webhooks.takesFinance'))).toHaveLength(financeEventTypes.length)
})

test('answers are shown as text, and a failed delivery can be resent', async () => {
  const { user } = await showOne(active, failed)
  expect(await screen.findByText('HTTP 503 · rejected')).toBeVisible()
  await user.click(screen.getByText(t('webhooks.details')))
  expect(screen.getByText('<b>down</b>')).toBeVisible()
  answering(resendWebhookDelivery, { ...failed, state: 'waiting' })
  await user.click(screen.getByRole('button', { name: /^Resend: Order completed/ }))
  await waitFor(() => expect(callsOf(resendWebhookDelivery)).toMatchObject([{ body: { id: 'd' } }]))
})

test('a disabled endpoint says why, and resumes on a click', async () => {
  const { user } = await showOne({ ...active, state: 'disabled', disabledFor: 'gone', disabledAt: at })
  expect(await screen.findByText(/permanently gone \(HTTP 410\)/)).toBeVisible()
  expect(screen.getByText(t('webhooks.logNone'))).toBeVisible()
  answering(setWebhookState, active)
  await user.click(screen.getByRole('button', { name: t('webhooks.resume') }))
  await waitFor(() => expect(callsOf(setWebhookState)).toMatchObject([{ body: { state: 'active' } }]))
})

test.each([0, 1] as const)(
  'an endpoint that stopped without finance access says so, and is resumed only with it: level %i',
  async (manageFinance) => {
    await signedIn({ isWriteAccessAdmin: true, manageFinance })
    answering(getWebhook, { ...active, state: 'disabled', disabledFor: 'finance_lost', disabledAt: at })
    answering(listWebhookDeliveries, [])
    await showPage('/console/webhooks/w')
    expect(await screen.findByText(/no longer has Finance access/)).toBeVisible()
    const offered = screen.queryAllByRole('button', { name: t('webhooks.resume') })
    expect(offered).toHaveLength(manageFinance)
  },
)

test('finance events are added only if the secret is unknown to people without that level', async () => {
  await signedIn({ isWriteAccessAdmin: true, manageFinance: 1 })
  answering(getWebhook, { ...active, isSecretOfFinance: false })
  answering(listWebhookDeliveries, [])
  const { user } = await showPage('/console/webhooks/w')
  await user.click(await screen.findByRole('button', { name: t('webhooks.edit') }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText(t('webhooks.event.case.decided'))).toBeDisabled()
  expect(dialog.getByLabelText(t('webhooks.event.order.completed'))).toBeEnabled()
  expect(dialog.getAllByText(t('webhooks.secretFirst'))).toHaveLength(financeEventTypes.length - 1)
})

test('a test can be sent in every state, and waits while the endpoint is paused', async () => {
  const { user } = await showOne({ ...active, state: 'paused' })
  answering(testWebhook, { id: 'x', eventId: 'evt_x' })
  await user.click(await screen.findByRole('button', { name: t('webhooks.test') }))
  expect(await screen.findByText(t('webhooks.testWaits'))).toBeVisible()
  expect(callsOf(testWebhook)).toMatchObject([{ body: { id: 'w' } }])
})

test('polls the endpoint while something is pending, and reloads its log on changes, keeping its length', async () => {
  const one = (n: number, state: WebhookDelivery['state']): WebhookDelivery => ({
    ...failed,
    id: `d${n}`,
    state,
    createdAt: new Date(Date.parse(at) - n * 1000).toISOString(),
  })
  await signedIn({ isWriteAccessAdmin: true })
  const waits = { ...active, waiting: 1 }
  answeringInTurn(getWebhook, waits, waits, active)
  answering(listWebhookDeliveries, [one(1, 'waiting')])
  await showPage('/console/webhooks/w')
  expect(await screen.findByText(t('webhooks.details'))).toBeVisible()
  await waitFor(() => expect(callsOf(getWebhook)).toHaveLength(2), { timeout: 4000 })
  // Nothing has changed, so no access is logged.
  expect(callsOf(listWebhookDeliveries)).toHaveLength(1)
  answering(listWebhookDeliveries, [one(0, 'delivered'), one(1, 'delivered')])
  await waitFor(() => expect(callsOf(listWebhookDeliveries)).toHaveLength(2), { timeout: 4000 })
  expect(await screen.findAllByText(t('webhooks.details'))).toHaveLength(2)
  expect(callsOf(getWebhook)).toHaveLength(3)
}, 15_000)

test('shows more of the log with one request, which also brings what is new', async () => {
  const rows = Array.from({ length: 25 }, (_, n) => ({ ...failed, id: `d${n}` }))
  await signedIn({ isWriteAccessAdmin: true })
  answering(getWebhook, active)
  answeringPage(listWebhookDeliveries, rows.slice(5), 'older')
  const { user } = await showPage('/console/webhooks/w')
  const more = await screen.findByRole('button', { name: t('webhooks.more') })
  answeringPage(listWebhookDeliveries, rows)
  await user.click(more)
  await waitFor(() => expect(screen.getAllByText(t('webhooks.details'))).toHaveLength(25))
  expect(screen.queryByRole('button', { name: t('webhooks.more') })).toBeNull()
  expect(callsOf(listWebhookDeliveries)).toMatchObject([
    { query: { limit: '20' } },
    { query: { limit: '40' } },
  ])
})

// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listChainMonitors } from '#contract/money/chain-payments.ts'
import { readHealth } from '#contract/console/console-health.ts'
import { setMaintenance } from '#contract/console/maintenance.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import { show, signedIn } from '#tests/setup/show.tsx'
import { answering, answeringInTurn, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { formatBytes } from './health-check-card.tsx'
import healthPage from './health-page.tsx'

const t = wordsOf('en')
const at = '2026-11-20T10:00:00.000Z'

const health = (fields: Partial<OutputOf<typeof readHealth>> = {}): OutputOf<typeof readHealth> => ({
  at,
  checks: [
    { name: 'database', state: 'good', problems: [], facts: [{ name: 'size', value: '1572864' }] },
    {
      name: 'mail',
      state: 'attention',
      problems: ['mail_failed'],
      facts: [{ name: 'delivery', value: 'smtp' }],
    },
    { name: 'storage', state: 'down', problems: ['storage_full'], facts: [] },
  ],
  jobs: [
    { name: 'oldMails', state: 'good', beganAt: at, ms: 12, failure: null, doneAt: at, instance: 'aaaa' },
    { name: 'trash', state: 'failed', beganAt: at, ms: 3, failure: 'ENOSPC', doneAt: null, instance: 'aaaa' },
    { name: 'newJob', state: 'late', beganAt: at, ms: 3, failure: null, doneAt: at, instance: 'aaaa' },
  ],
  maintenance: null,
  instances: [{ id: 'aaaa', host: 'one', version: '1', node: '24', startedAt: at, seenAt: at, isThis: true }],
  ...fields,
})

const isFolded = (element: HTMLElement) => element.closest('details:not([open])') !== null

const { View } = healthPage
const open = async () => {
  await signedIn({ isWriteAccessAdmin: true })
  answering(listChainMonitors, { at, watchers: [] })
  return show(<View data={undefined} params={{}} search={new URLSearchParams()} />)
}

test('each check shows its status in words, its problem, and what to do', async () => {
  answering(readHealth, health())
  await open()
  const part = async (name: 'database' | 'mail' | 'storage') =>
    within(await screen.findByRole('article', { name: t(`health.check.${name}`) }))
  expect((await part('database')).getByText(t('health.state.good'))).toBeInTheDocument()
  expect((await part('database')).getByText('1.5 MiB')).toBeInTheDocument()
  expect((await part('mail')).getByText(t('health.state.attention'))).toBeVisible()
  expect((await part('mail')).getByText(t('health.advice.mail_failed'))).toBeVisible()
  expect((await part('mail')).getByText(t('health.setting.smtp'))).toBeVisible()
  expect((await part('storage')).getByText(t('health.state.down'))).toBeVisible()
  expect(screen.getByText('Down: 1. Fix these problems first.')).toBeVisible()
})

test('only what needs attention is open: the worst problems first, the rest in folded groups', async () => {
  answering(readHealth, health())
  await open()
  await screen.findByRole('article', { name: t('health.check.mail') })
  const shown = screen.getAllByRole('article').map((card) => [card.dataset['state'], isFolded(card)])
  expect(shown).toEqual([
    ['down', false],
    ['attention', false],
    ['good', true],
  ])
  const folded = (area: string) =>
    isFolded(screen.getByRole('table', { name: t('health.jobs.of', { area }) }))
  expect([t('console.area.news'), t('health.jobs.other'), t('console.area.email')].map(folded)).toEqual([
    false,
    false,
    true,
  ])
})

test('failed or late jobs come first; an unknown one shows its code', async () => {
  answering(readHealth, health())
  await open()
  await screen.findByRole('heading', { name: t('health.jobs') })
  const rows = screen.getAllByRole('row').filter((row) => /Failed|Overdue|Healthy/.test(row.textContent))
  expect(rows[0]).toHaveTextContent('Empty the post trash')
  expect(rows[0]).toHaveTextContent('Failed: ENOSPC')
  expect(rows[0]).toHaveTextContent('Never')
  expect(rows[1]).toHaveTextContent('newJob')
  expect(rows[2]).toHaveTextContent('Delete old emails')
})

test('checks again only when the button is clicked', async () => {
  answeringInTurn(readHealth, health(), health({ checks: [] }))
  const { user } = await open()
  const again = await screen.findByRole('button', { name: t('health.again') })
  expect(callsOf(readHealth)).toHaveLength(1)
  await user.click(again)
  expect(await screen.findByText(t('health.all.good'))).toBeVisible()
  expect(callsOf(readHealth)).toHaveLength(2)
})

test('a refusal is shown with a retry', async () => {
  refusing(readHealth, 'unavailable')
  await open()
  expect(await screen.findByText(t('health.failed'))).toBeVisible()
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 KiB'],
  [1_572_864, '1.5 MiB'],
  [270_582_939_648, '252 GiB'],
])('formats %i bytes as %s', (bytes, words) => expect(formatBytes(bytes, 'en')).toBe(words))

const since = '2026-11-20T09:00:00.000Z'

test('an administrator turns on maintenance with its expected end, and off again', async () => {
  answering(readHealth, health())
  const { user } = await open()
  const card = () => within(screen.getByRole('region', { name: t('health.maintenance') }))
  await user.click(await screen.findByRole('button', { name: t('health.maintenance.turnOn') }))
  const dialog = within(screen.getByRole('dialog', { name: t('health.maintenance.title') }))
  await user.type(dialog.getByLabelText(t('health.maintenance.until')), '2036-05-01T14:30')
  const until = new Date('2036-05-01T14:30').toISOString()
  answering(setMaintenance, { maintenance: { since, until, by: 'Ada (ada@coin.example)' } })
  await user.click(dialog.getByRole('button', { name: t('health.maintenance.confirm') }))
  await waitFor(() => expect(card().getByText(t('health.maintenance.on'))).toBeVisible())
  expect(card().getByText(/Ada \(ada@coin\.example\)/)).toBeVisible()
  expect(card().getByText(/2036/)).toBeVisible()
  answering(setMaintenance, { maintenance: null })
  await user.click(card().getByRole('button', { name: t('health.maintenance.turnOff') }))
  await waitFor(() => expect(card().getByText(t('health.maintenance.off'))).toBeVisible())
  expect(callsOf(setMaintenance)).toMatchObject([{ body: { isOn: true, until } }, { body: { isOn: false } }])
})

test('an end in the past is reported at the field, and maintenance stays off', async () => {
  answering(readHealth, health())
  const { user } = await open()
  const card = () => within(screen.getByRole('region', { name: t('health.maintenance') }))
  await user.click(await screen.findByRole('button', { name: t('health.maintenance.turnOn') }))
  const dialog = within(screen.getByRole('dialog'))
  await user.type(dialog.getByLabelText(t('health.maintenance.until')), '2020-05-01T14:30')
  refusing(setMaintenance, 'validation_failed', {
    errors: [{ path: 'until', code: 'past', message: 'In the past.' }],
  })
  await user.click(dialog.getByRole('button', { name: t('health.maintenance.confirm') }))
  expect(await dialog.findByText('In the past.')).toBeVisible()
  expect(card().getByText(t('health.maintenance.off'))).toBeVisible()
})

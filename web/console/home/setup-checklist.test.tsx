// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { listNeedsAttention, readDashboardMetrics } from '#contract/console/console-home.ts'
import {
  readSetup,
  setupSteps,
  skipSetupStep,
  type SetupStep,
  type SetupStepName,
} from '#contract/console/console-setup.ts'
import { listFourEyes } from '#contract/people/four-eyes.ts'
import { noFigures } from '#tests/console-figures.ts'
import { callsOf, answering, refusing } from '#tests/setup/stub-api.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')

beforeEach(() => {
  answering(listFourEyes, [])
  answering(listNeedsAttention, [])
  answering(readDashboardMetrics, noFigures)
})

/** All steps are done except these. */
const steps = (others: Partial<Record<SetupStepName, Partial<SetupStep>>> = {}): SetupStep[] =>
  setupSteps.map((name) => ({
    name,
    state: name in others ? 'open' : 'done',
    problems: [],
    facts: [],
    ...others[name],
  }))

async function home(given: SetupStep[], path = '/console', rights = {}) {
  await signedIn({ isWriteAccessAdmin: true, ...rights })
  answering(readSetup, given)
  const shown = await showPage(path)
  await screen.findByText(t('consoleHome.waiting.none'))
  return shown
}

const list = () => screen.findByRole('region', { name: t('setup.heading') })
const itemOf = (name: SetupStepName) => within(screen.getByText(t(`setup.step.${name}`)).closest('li')!)

test('shows the progress and, for each open step, why it matters and where to do it', async () => {
  await home(
    steps({
      second_administrator: { problems: ['one_administrator'] },
      backup: { problems: ['backup_never'] },
      texts: { problems: ['content_sample'], facts: [{ name: 'sampleCount', value: '42' }] },
    }),
  )
  expect(within(await list()).getByText('5 of 8 done')).toBeVisible()
  expect(within(await list()).getAllByText(t('setup.state.done'))).toHaveLength(5)

  const second = itemOf('second_administrator')
  expect(second.getByText(t('setup.why.second_administrator'))).toBeVisible()
  expect(second.getByText(t('setup.advice.one_administrator'))).toBeVisible()
  expect(second.getByRole('link').getAttribute('href')).toBe('/console/members/invitations')
  expect(itemOf('texts').getByText('Sample items: 42')).toBeVisible()
  expect(itemOf('texts').getByRole('link').getAttribute('href')).toBe('/console/content')
  // Only the operator can make backups, so no page is linked.
  expect(itemOf('backup').queryByRole('link')).toBeNull()
  expect(itemOf('backup').getByText(/docs\/how-to\/back-up-and-restore\.md/)).toBeVisible()
})

test('leads to the sale settings only those who may change them', async () => {
  await home(steps({ sale: {} }))
  expect(itemOf('sale').getByText(t('setup.sale.right'))).toBeVisible()
  expect(itemOf('sale').getByRole('link').getAttribute('href')).toBe('/console/members')
})

test('leads administrators with the permission for the sale to its settings', async () => {
  await home(steps({ sale: {} }), '/console', { manageCoins: 2 })
  expect(itemOf('sale').queryByText(t('setup.sale.right'))).toBeNull()
  expect(itemOf('sale').getByRole('link').getAttribute('href')).toBe('/console/sale')
})

test('marks a step as not needed, keeps the list, and restores the step', async () => {
  const { user } = await home(steps({ screening_list: { problems: ['no_screening_list'] } }))
  answering(skipSetupStep, steps({ screening_list: { state: 'skipped' } }))
  await user.click(itemOf('screening_list').getByRole('button', { name: t('setup.skip') }))
  expect(await screen.findByText('7 of 7 done')).toBeVisible()
  expect(screen.getByText(t('setup.complete'))).toBeVisible()
  expect(callsOf(skipSetupStep).at(-1)).toMatchObject({
    params: { step: 'screening_list' },
    body: { isSkipped: true },
  })
  const undo = itemOf('screening_list').getByRole('button', { name: t('setup.restore') })
  expect(undo).toHaveFocus()
  answering(skipSetupStep, steps({ screening_list: {} }))
  await user.click(undo)
  expect(await screen.findByText('7 of 8 done')).toBeVisible()
  expect(itemOf('screening_list').getByRole('button', { name: t('setup.skip') })).toHaveFocus()
})

test('says so if a step can’t be marked', async () => {
  const { user } = await home(steps({ backup: {} }))
  refusing(skipSetupStep, 'unavailable')
  await user.click(itemOf('backup').getByRole('button', { name: t('setup.skip') }))
  expect(await within(await list()).findByRole('alert')).not.toBeEmptyDOMElement()
  expect(screen.getByText('7 of 8 done')).toBeVisible()
})

test('is gone when every step is done or not needed, unless someone asks for it', async () => {
  const all = steps({ sale: { state: 'skipped' } })
  await home(all)
  expect(screen.queryByRole('region', { name: t('setup.heading') })).toBeNull()
})

test('is shown again on request', async () => {
  await home(steps(), '/console?setup')
  expect(within(await list()).getByText('8 of 8 done')).toBeVisible()
})

test('staff who aren’t administrators don’t see it', async () => {
  await home(steps({ backup: {} }), '/console', { isWriteAccessAdmin: false, manageFinance: 2 })
  expect(screen.queryByRole('region', { name: t('setup.heading') })).toBeNull()
  expect(callsOf(readSetup)).toHaveLength(0)
})

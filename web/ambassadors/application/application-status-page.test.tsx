// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { readAmbassadorStatus } from '#contract/people/ambassadors.ts'
import { showPage } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing, unreachable } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const path = '/ambassador-program/status/a-code-from-a-mail'

test('the emailed link shows status and date, and sends only the code', async () => {
  answering(readAmbassadorStatus, { status: 'in_review', at: '2036-05-02T10:00:00.000Z' })
  await showPage(path)
  expect(await screen.findByText(t('ambassadorStatus.in_review'))).toBeVisible()
  expect(screen.getByText(/May 2, 2036/)).toBeVisible()
  expect(callsOf(readAmbassadorStatus).map(({ body }) => body)).toEqual([{ code: 'a-code-from-a-mail' }])
})

test.each(['code_invalid', 'validation_failed'] as const)(
  'a link that opens nothing (%s) says so in one sentence',
  async (code) => {
    refusing(readAmbassadorStatus, code)
    await showPage(path)
    expect(await screen.findByText(t('ambassadorStatus.nothing'))).toBeVisible()
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('a reader who asked too often or has no connection can retry', async () => {
  unreachable(readAmbassadorStatus)
  const { user } = await showPage(path)
  expect(await screen.findByText(t('ambassadorStatus.failed'))).toBeVisible()
  answering(readAmbassadorStatus, { status: 'accepted', at: '2036-05-02T10:00:00.000Z' })
  await user.click(screen.getByRole('button', { name: t('forms.retry') }))
  expect(await screen.findByText(t('ambassadorStatus.accepted'))).toBeVisible()
})

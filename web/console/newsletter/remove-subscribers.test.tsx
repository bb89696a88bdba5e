// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { listSubscribers, removeSubscriber, type ConsoleSubscriber } from '#contract/publishing/newsletter.ts'
import { showPage, signedIn } from '#tests/setup/show.tsx'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'

const t = wordsOf('en')
const aSubscriber = (id: string): ConsoleSubscriber => ({
  id,
  email: `${id}@example.org`,
  memberId: null,
  state: 'active',
  language: 'en',
  categories: ['News'],
  rhythm: 'each',
  askedAt: '2036-05-01T10:00:00.000Z',
  consentedAt: '2036-05-01T10:00:00.000Z',
  wording: '1',
  way: 'form',
  endedAt: null,
  endedBy: null,
  reason: null,
})

async function endAll(...rows: ConsoleSubscriber[]) {
  await signedIn({ manageEmployee: 2 })
  answering(listSubscribers, rows)
  const { user } = await showPage('/console/subscribers')
  for (const box of (await screen.findAllByRole('checkbox')).slice(-rows.length)) await user.click(box)
  await user.click(screen.getByRole('button', { name: t('consoleNewsletter.remove') }))
  const dialog = within(screen.getByRole('dialog', { hidden: true }))
  await user.type(
    dialog.getByRole('textbox', { name: t('consoleNewsletter.reason'), hidden: true }),
    'Asked for by mail',
  )
  await user.click(dialog.getByRole('button', { name: t('consoleNewsletter.remove'), hidden: true }))
}

const asked = () => callsOf(removeSubscriber).map(({ body }) => body.id)

test.each(['conflict', 'not_found'] as const)(
  'an ended or deleted subscription (%s) does not block the others',
  async (code) => {
    refusing(removeSubscriber, code)
    await endAll(aSubscriber('a'), aSubscriber('b'))
    expect(await screen.findByText(t('consoleNewsletter.remove.done'))).toBeVisible()
    expect(asked()).toEqual(['a', 'b'])
  },
)

test('other failures are reported, and the rest is not attempted', async () => {
  refusing(removeSubscriber, 'forbidden')
  await endAll(aSubscriber('a'), aSubscriber('b'))
  await waitFor(() => expect(screen.getByText('refused: forbidden')).toBeInTheDocument())
  expect(asked()).toEqual(['a'])
})

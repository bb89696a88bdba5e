// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { requestPasswordReset } from '#contract/people/members.ts'
import { solutionOf, workHeader, type Work } from '#contract/platform/proof-of-work.ts'
import { showPage } from '#tests/setup/show.tsx'
import { solveWork } from '#tests/setup/solve-work.ts'
import { answering, callsOf, refusing } from '#tests/setup/stub-api.ts'
import { wordsOf } from '#tests/setup/words.ts'
import { navigate } from '../navigation/navigate.ts'
import { findNumber } from './find-number.ts'

const work: Work = { challenge: 'a'.repeat(43), parts: 3, below: 2 ** 26 }
const address = 'somebody@example.com'

/** Replaces the browser's worker and finds numbers on command. */
class Solver {
  static all: Solver[] = []
  onmessage: (event: { data: number }) => void = () => {}
  onerror: () => void = () => {}
  asked: Work | undefined
  found = 0
  isEnded = false

  constructor() {
    Solver.all.push(this)
  }
  postMessage(asked: Work) {
    this.asked = asked
  }
  terminate() {
    this.isEnded = true
  }
  findNext() {
    const { challenge, below } = this.asked!
    this.onmessage({ data: findNumber(challenge, this.found, below) })
    this.found += 1
  }
}

beforeEach(() => {
  Solver.all = []
  vi.stubGlobal('Worker', Solver)
})
afterEach(() => void vi.unstubAllGlobals())

async function sendAndBeAsked(language: 'en' | 'cn' = 'en') {
  const t = wordsOf(language)
  refusing(requestPasswordReset, 'work_required', { work }, { 'retry-after': '600' })
  const { user } = await showPage('/login/reset', language)
  const field = screen.getByLabelText(t('forms.email.label'), { exact: false })
  await user.type(field, address)
  await user.click(screen.getByRole('button', { name: t('login.reset.submit') }))
  await waitFor(() => expect(Solver.all).toHaveLength(1))
  return { t, user, field, solver: Solver.all[0]! }
}

test.each(['en', 'cn'] as const)(
  'the form shows what is happening and its progress, and is sent with the proof (%s)',
  async (language) => {
    const { t, field, solver } = await sendAndBeAsked(language)
    const sent = vi.spyOn(globalThis, 'fetch')
    expect(await screen.findByText(t('forms.work.checking'))).toBeVisible()
    expect(screen.getByText(t('forms.work.checking')).closest('[role="status"]')).not.toBeNull()
    const progress = screen.getByRole('progressbar', { name: t('forms.work.checking') })
    expect(progress).toHaveAttribute('max', '3')
    solver.findNext()
    await waitFor(() => expect(progress).toHaveAttribute('value', '1'))
    expect(field).toHaveValue(address)
    answering(requestPasswordReset, { sent: true })
    solver.findNext()
    solver.findNext()
    expect(await screen.findByText(t('login.reset.sent'))).toBeVisible()
    const headers = new Headers(sent.mock.calls.at(-1)![1]!.headers)
    expect(headers.get(workHeader)).toBe(solutionOf(work.challenge, solveWork(work)))
    expect(callsOf(requestPasswordReset).map(({ body }) => body)).toEqual([
      { email: address },
      { email: address },
    ])
    expect([solver.isEnded, screen.queryByRole('progressbar')]).toEqual([true, null])
  },
)

test("if the browser can't find a proof, a message gives a time and a retry, and no input is lost", async () => {
  const { t, user, field, solver } = await sendAndBeAsked()
  solver.onerror()
  const again = await screen.findByRole('button', { name: t('forms.retry') })
  expect(screen.getByRole('alert')).toHaveTextContent(/refused: work_required.*now.*10 minutes/)
  expect(field).toHaveValue(address)
  answering(requestPasswordReset, { sent: true })
  await user.click(again)
  expect(await screen.findByText(t('login.reset.sent'))).toBeVisible()
})

test('a rejected proof is not followed by another one without a click', async () => {
  const { t, solver } = await sendAndBeAsked()
  for (let part = 0; part < work.parts; part += 1) solver.findNext()
  expect(await screen.findByRole('button', { name: t('forms.retry') })).toBeVisible()
  expect([callsOf(requestPasswordReset).length, Solver.all.length]).toEqual([2, 1])
})

test('leaving the page ends the search, and nothing is sent', async () => {
  const { solver } = await sendAndBeAsked()
  await screen.findByRole('progressbar')
  await act(() => navigate('/login/signin'))
  await waitFor(() => expect(solver.isEnded).toBe(true))
  expect(callsOf(requestPasswordReset)).toHaveLength(1)
})

// @vitest-environment happy-dom
import { renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listNeedsAttention } from '#contract/console/console-home.ts'
import { signedIn } from '#tests/setup/show.tsx'
import { callsOf, refusing } from '#tests/setup/stub-api.ts'
import { callAs, currentCaller } from '../../kernel/call/caller.ts'
import { loadWaiting, useWaitingCounts } from './waiting.ts'

const caller = { ...currentCaller() }
const renewToken = vi.fn<(options: { isUnseen: boolean }) => Promise<null>>(async () => null)

beforeEach(async () => {
  await signedIn({ manageFinance: 2 })
  renewToken.mockClear()
  callAs({ token: () => 'token', renewToken })
  refusing(listNeedsAttention, 'session_expired')
})
afterEach(() => callAs(caller))

test('if the session has ended, the counts in the navigation don’t ask for a sign-in', async () => {
  renderHook(useWaitingCounts)
  await waitFor(() => expect(renewToken).toHaveBeenCalled())
  await waitFor(() => expect(callsOf(listNeedsAttention)).toHaveLength(1))
  expect(renewToken.mock.calls).toEqual([[{ isUnseen: true }]])
})

test('if the session has ended, a page that lists what needs attention asks for a sign-in', async () => {
  await expect(loadWaiting()).rejects.toMatchObject({ code: 'session_expired' })
  expect(renewToken.mock.calls).toEqual([[{ isUnseen: true }], [{ isUnseen: false }]])
})

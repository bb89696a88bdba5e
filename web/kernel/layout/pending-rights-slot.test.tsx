// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { show, signedIn } from '#tests/setup/show.tsx'
import { wordsOf } from '#tests/setup/words.ts'
import type { RouteName } from '../routes/routes.ts'
import { restoreSession } from '../session/keep-session.ts'
import { PendingRightsSlot } from './pending-rights-slot.tsx'

const lead = wordsOf('en')('layout.waitingRights.lead')
const rights = {
  isWriteAccessAdmin: true,
  manageNews: 0,
  manageEmployee: 0,
  manageFinance: 0,
  manageCoins: 0,
} as const
const loads = vi.fn<() => void>()

vi.mock(import('./pending-rights.tsx'), (original) => {
  loads()
  return original()
})

function Pages() {
  const [route, setRoute] = useState<RouteName>('kyc')
  return (
    <>
      <button type="button" onClick={() => setRoute('account.security')}>
        On
      </button>
      <PendingRightsSlot route={route} />
    </>
  )
}

test('loads the note only if rights are pending, again on the next page, and removes it once they are effective', async () => {
  await signedIn()
  const { user } = show(<Pages />)
  expect(loads).not.toHaveBeenCalled()

  loads.mockImplementationOnce(() => {
    throw new Error('the connection is lost')
  })
  const become = async (member?: Parameters<typeof signedIn>[0]) => {
    await signedIn(member)
    await act(restoreSession)
  }
  await become({ waitingRights: { ...rights, needs: ['password'] } })
  await waitFor(() => expect(loads).toHaveBeenCalledTimes(1))
  expect(screen.queryByText(lead)).toBeNull()

  await user.click(screen.getByRole('button', { name: 'On' }))
  expect(await screen.findByText(lead)).toBeVisible()

  await become()
  expect(screen.queryByText(lead)).toBeNull()
})

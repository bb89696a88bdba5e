// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { countUnreadNotifications } from '#contract/platform/notifications.ts'
import { refusing } from '#tests/setup/stub-api.ts'
import { callAs, currentCaller } from '../call/caller.ts'
import { loadUnread } from './unread.ts'

const caller = { ...currentCaller() }
afterEach(() => callAs(caller))

test('if the session has ended, counting unread notifications doesn’t ask for a sign-in', async () => {
  const renewToken = vi.fn<(options: { isUnseen: boolean }) => Promise<null>>(async () => null)
  callAs({ token: () => 'token', renewToken })
  refusing(countUnreadNotifications, 'session_expired')
  await expect(loadUnread()).rejects.toMatchObject({ code: 'session_expired' })
  expect(renewToken.mock.calls).toEqual([[{ isUnseen: true }]])
})

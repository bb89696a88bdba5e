import { signOut } from '#contract/sessions.ts'
import { call, CallFailed, isSessionRefused } from '../../call/call.ts'
import { navigate } from '../../navigation/navigate.ts'
import { letPageGo, mayLeavePage } from '../../navigation/unsaved.ts'
import { showNotice } from '../../notices/notices.ts'
import { pathTo } from '../../routes/routes.ts'
import { signedOutHere } from '../../session/keep-session.ts'

/** Signs out and goes to the home page. If the server cannot be reached, the member stays signed in and is notified. */
export async function leave(): Promise<void> {
  if (!(await mayLeavePage())) return
  try {
    await call(signOut, { body: {} })
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure
    if (!isSessionRefused(failure)) {
      showNotice(failure.message, 'error')
      return
    }
  }
  letPageGo()
  signedOutHere()
  await navigate(pathTo('home'), { notice: 'layout.notice.signedOut' })
}

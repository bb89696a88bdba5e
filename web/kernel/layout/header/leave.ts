import { CallFailed } from '../../call/call.ts'
import { navigate } from '../../navigation/navigate.ts'
import { discardUnsavedInput, mayLeavePage } from '../../navigation/unsaved.ts'
import { showNotice } from '../../notices/notices.ts'
import { pathTo } from '../../routes/routes.ts'
import { endSession } from '../../session/end-session.ts'

/**
 * Signs out and goes to the home page. If the server cannot be reached, the member stays signed in and sees a notice.
 */
export async function leave(): Promise<void> {
  if (!(await mayLeavePage())) return
  try {
    await endSession()
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure
    showNotice(failure.message, 'error')
    return
  }
  discardUnsavedInput()
  await navigate(pathTo('home'), { notice: 'layout.notice.signedOut' })
}

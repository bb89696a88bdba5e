import { CallFailed } from '../../call/call.ts'
import { navigate } from '../../navigation/navigate.ts'
import { pathTo } from '../../routes/routes.ts'
import { signOut } from '../../session/session.ts'
import { showNotice } from '../../notices/notices.ts'

/** Signs out and goes home; says why where that was not possible. */
export async function leave(): Promise<void> {
  try {
    await signOut()
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure
    showNotice(failure.message, 'error')
    return
  }
  await navigate(pathTo('home'), { notice: 'layout.notice.signedOut' })
}

import { CallFailed } from '../../call.ts'
import { navigate } from '../../navigate.ts'
import { pathTo } from '../../routes.ts'
import { signOut } from '../../session.ts'
import { showNotice } from '../notices.tsx'

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

import { CallFailed } from '../call/call-failed.ts'
import { say } from '../i18n/current-language.ts'
import { showNotice } from '../notices/notices.ts'
import { pathTo, type RouteName } from '../routes/routes.ts'
import { navigate } from './navigate.ts'

const emailedLinks: readonly RouteName[] = ['login.activate', 'login.changePassword', 'login.reset']

/** Whether emails link to the page, so that a signed-in member may open it on purpose. */
export const isEmailedLink = (name: RouteName): boolean => emailedLinks.includes(name)

/**
 * Such a page is only for visitors who are not signed in. A signed-in member can change the password in the account, or
 * sign out first.
 */
export function offerEmailedLink({ pathname, search, hash }: URL): void {
  showNotice(
    say('layout.notice.linkWhileSignedIn'),
    'info',
    {
      label: say('layout.notice.changePassword'),
      run: () => void navigate(`${pathTo('account.security')}#change-password`),
      isOffer: true,
    },
    {
      label: say('layout.notice.signOutAndOpen'),
      run: () => void signOutAndOpen(pathname + search + hash),
    },
  )
}

async function signOutAndOpen(path: string): Promise<void> {
  const { endSession } = await import('../session/end-session.ts')
  try {
    await endSession()
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure
    showNotice(failure.message, 'error')
    return
  }
  await navigate(path)
}

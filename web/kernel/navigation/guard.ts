import type { PlainKey } from '../i18n/message-key.ts'
import type { Guard } from '../routes/route.ts'
import type { Session } from '../session/session.ts'
import type { RouteName } from '../routes/routes.ts'

type Redirect = { to: RouteName; log: string; notice: PlainKey; isInterruption: boolean }

/** Pages that only signed-in members may open. */
export const isPrivate = (guard: Guard): boolean => guard === 'member' || guard === 'staff'

/** Returns where to redirect a visitor who cannot open a page, or null if they can. */
export function redirectFor(guard: Guard, state: Session['state']): Redirect | null {
  if (isPrivate(guard) && state !== 'signedIn')
    return {
      to: 'login.signin',
      log: 'You are not signed in!',
      notice: 'layout.notice.notSignedIn',
      isInterruption: true,
    }
  if (guard === 'stranger' && state === 'signedIn')
    return {
      to: 'home',
      log: 'You are already signed in!',
      notice: 'layout.notice.alreadySignedIn',
      isInterruption: false,
    }
  return null
}

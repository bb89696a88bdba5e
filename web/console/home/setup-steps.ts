import type { SetupStepName } from '#contract/console/console-setup.ts'
import { levelOf, type Rights } from '#contract/people/level-of.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { pathTo } from '../../kernel/routes/routes.ts'

/** Where a step is done: on a page of the console, or on the server, which a file of the documentation explains. */
export type SetupPlace = { path: string; page: PlainKey } | { guide: string }

const members = (): SetupPlace => ({ path: pathTo('console.members'), page: 'console.nav.members' })

const places: Readonly<Record<SetupStepName, () => SetupPlace>> = {
  second_administrator: () => ({ path: pathTo('console.invitations'), page: 'console.nav.invitations' }),
  email: () => ({ guide: 'docs/how-to/send-mail.md' }),
  backup: () => ({ guide: 'docs/how-to/back-up-and-restore.md' }),
  screening_list: () => ({ guide: 'docs/operate.md' }),
  texts: () => ({ path: pathTo('console.content'), page: 'console.nav.content' }),
  first_post: () => ({ path: pathTo('console.newsroom'), page: 'console.nav.newsroom' }),
  sale: () => ({ path: pathTo('console.sale'), page: 'console.nav.sale' }),
  domain: () => ({ guide: 'docs/how-to/put-a-proxy-in-front.md' }),
}

/** Administrators can't change the sale settings unless they also have the permission for the sale. */
export const lacksRight = (name: SetupStepName, rights: Rights): boolean =>
  name === 'sale' && levelOf(rights, 'coins') < 2

export const placeOf = (name: SetupStepName, rights: Rights): SetupPlace =>
  lacksRight(name, rights) ? members() : places[name]()

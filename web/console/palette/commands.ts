import { newsroomAddress } from '../newsroom/newsroom-address.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import type { Need } from '../../kernel/routes/route.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { addressOfAction } from '../use-asked-action.ts'

type Command = { label: PlainKey; needs: Need; path: string }

/** Actions of the palette that don't concern a single record. */
export const commands: readonly Command[] = [
  {
    label: 'console.command.post',
    needs: { level: 'news', atLeast: 2 },
    path: newsroomAddress({ name: 'new' }),
  },
  {
    label: 'console.command.sale',
    needs: { level: 'coins', atLeast: 2 },
    path: `${pathTo('console.sale')}#isOpen`,
  },
  {
    label: 'console.command.invite',
    needs: { level: 'admin', atLeast: 1 },
    path: addressOfAction(pathTo('console.invitations'), 'consoleMembers.invite'),
  },
  {
    label: 'console.command.webhook',
    needs: { level: 'admin', atLeast: 1 },
    path: addressOfAction(pathTo('console.webhooks'), 'webhooks.add'),
  },
  {
    label: 'console.command.apiToken',
    needs: { level: 'any', atLeast: 1 },
    path: addressOfAction(pathTo('console.apiTokens'), 'tokens.make'),
  },
]

import type { Values } from '../fill.ts'
import type { MailKind, MailValue } from './render-mail.ts'

/** What stands for a value that staff do not read. */
export const covered = '••••••'

/**
 * What staff may read of a mail. Everything else is covered: what opens an account, as codes and links do, where somebody
 * signed in, and whatever value a mail may have in future.
 */
const readable: ReadonlySet<string> = new Set<MailValue<MailKind>>([
  'address',
  'amount',
  'count',
  'date',
  'deadline',
  'email',
  'excerpt',
  'guide',
  'keyId',
  'left',
  'max',
  'min',
  'name',
  'postTitle',
  'posts',
  'quantity',
  'reason',
  'reference',
  'time',
  'transaction',
])

/** The values of a mail as staff see them. */
export const coverValues = <Name extends string>(values: Values<Name>): Values<Name> =>
  Object.fromEntries(
    // An empty one leaves out its line, covered or not.
    Object.entries<string | number>(values).map(([name, value]) => [
      name,
      readable.has(name) || value === '' ? value : covered,
    ]),
  ) as Values<Name>

import type { Values } from '../text/fill.ts'
import type { MailKind, MailValue } from './mail-kinds.ts'

/** Replaces a value that staff can't read. */
export const covered = '••••••'

/**
 * The values that staff can read in an email. Everything else is masked: codes and links that give access,
 * sign-in locations, and any future value.
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

/** The values of an email as staff see them. */
export const redactValues = <Name extends string>(values: Values<Name>): Values<Name> =>
  Object.fromEntries(
    // An empty value removes its line, masked or not.
    Object.entries<string | number>(values).map(([name, value]) => [
      name,
      readable.has(name) || value === '' ? value : covered,
    ]),
  ) as Values<Name>

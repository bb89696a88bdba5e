import type { FieldProblem } from '#contract/platform/errors.ts'
import type { PlainKey } from '../i18n/message-key.ts'
import type { UsedMessages } from '../i18n/messages.tsx'

type Problem = {
  message: string
  minimum?: number | bigint
  maximum?: number | bigint
  params?: { minimum?: number; maximum?: number } | undefined
}

/** Problems for which forms have their own messages. The others use the server's messages. */
const ownMessages = {
  required: 'FormErrors.FieldRequiredError',
  email: 'FormErrors.ValidEmailError',
  mismatch: 'forms.passwordMismatch',
  // Only the server can name both rates in its message.
  confirm_rate: 'field.invalid',
} as const satisfies Partial<Record<FieldProblem, PlainKey>>

/** The form library keeps a single string per error, so the violated bound follows the code: `too_long 254`. */
export function problemText({ message, minimum, maximum, params }: Problem): string {
  const bound = minimum ?? maximum ?? params?.minimum ?? params?.maximum
  return bound === undefined ? message : `${message} ${bound}`
}

/** The message for a schema issue. The contract's checks use a field problem as their message. */
export function problemMessage(t: UsedMessages['t'], text: string): string {
  const [name = '', bound] = text.split(' ')
  if (!isProblem(name)) return t('field.invalid')
  // The number as it should be typed, without grouping separators.
  const displayBound = name === 'ambiguous_number' ? bound : Number(bound)
  const values = bound === undefined ? {} : { min: displayBound, max: displayBound }
  // A problem whose message mentions a bound always includes that bound.
  return t(
    hasOwnMessage(name) ? ownMessages[name] : `field.${name}`,
    values as { min: number | string; max: number | string },
  )
}

/** The schema library's own messages are sentences. The list of problems would be a large part of a small page. */
const isProblem = (name: string): name is FieldProblem => /^[a-z][a-z_]*$/.test(name)

const hasOwnMessage = (name: FieldProblem): name is keyof typeof ownMessages =>
  Object.hasOwn(ownMessages, name)

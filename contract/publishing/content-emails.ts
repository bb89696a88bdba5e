/** Emails to members and applicants, grouped for editors: the shared frame, and the emails about each topic. */
export const mailGroups = [
  'frame',
  'account',
  'security',
  'identity',
  'orders',
  'ambassadors',
  'news',
] as const
type MailGroup = (typeof mailGroups)[number]

/** Emails to staff and warnings describe what the application does, so they cannot be edited. */
const ofStaff = /^(staff|sale|content|administrator|rights|test)\b/
const byName: readonly (readonly [RegExp, MailGroup])[] = [
  [/^frame$/, 'frame'],
  [/^kyc-/, 'identity'],
  [/^order-/, 'orders'],
  [/^ambassador-/, 'ambassadors'],
  [/^(news(letter)?|reminder)-/, 'news'],
  [
    /^(password|mailbox|second-factor|factors|passkey|recovery|new-sign-in|wrong-factors|session|lost-factor|phrase)\b/,
    'security',
  ],
]

/** Finds the group of a text by its key, such as `activation.subject`. Undefined if editors cannot change it. */
export function mailGroupOf(key: string): MailGroup | undefined {
  const name = key.slice(0, key.indexOf('.'))
  if (ofStaff.test(name)) return undefined
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? 'account'
}

export const isEmailItem = (piece: string): boolean => piece.startsWith('mails/')

/** The mails that members and applicants get, as editors find them: what stands around them all, and those about one matter. */
export const mailGroups = [
  'frame',
  'account',
  'security',
  'identity',
  'orders',
  'ambassadors',
  'news',
] as const
export type MailGroup = (typeof mailGroups)[number]

/** Mails that warn or call the staff say what the program does, and stay as the release has them. */
const ofStaff = /^(staff|sale|content|administrator|rights|test)\b/
const byName: readonly (readonly [RegExp, MailGroup])[] = [
  [/^frame$/, 'frame'],
  [/^kyc-/, 'identity'],
  [/^order-/, 'orders'],
  [/^ambassador-/, 'ambassadors'],
  [/^news(letter)?-/, 'news'],
  [
    /^(password|mailbox|second-factor|factors|passkey|recovery|new-sign-in|wrong-factors|session|lost-factor|phrase)\b/,
    'security',
  ],
]

/** Of a text by its key, such as `activation.subject`; undefined where editors do not change it. */
export function mailGroupOf(key: string): MailGroup | undefined {
  const name = key.slice(0, key.indexOf('.'))
  if (ofStaff.test(name)) return undefined
  return byName.find(([pattern]) => pattern.test(name))?.[1] ?? 'account'
}

export const isMailPiece = (piece: string): boolean => piece.startsWith('mails/')

import type { PlainKey } from '../i18n/message-key.ts'

/** Monday first. */
export const dayWords: readonly PlainKey[] = [
  'newsletter.day.1',
  'newsletter.day.2',
  'newsletter.day.3',
  'newsletter.day.4',
  'newsletter.day.5',
  'newsletter.day.6',
  'newsletter.day.7',
]

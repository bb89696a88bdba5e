import type { PlainKey } from '../i18n/message-key.ts'

/** The areas of the console with their labels, in the order of the side navigation. */
export const consoleAreas = {
  home: 'console.nav.home',
  members: 'console.nav.members',
  identity: 'console.nav.identity',
  messages: 'console.nav.conversations',
  orders: 'console.nav.orders',
  sale: 'console.area.sale',
  ambassadors: 'console.nav.ambassadorProfiles',
  news: 'console.area.news',
  email: 'console.area.email',
  operations: 'console.area.operations',
} as const satisfies Record<string, PlainKey>
export type ConsoleArea = keyof typeof consoleAreas

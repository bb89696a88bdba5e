import type { KnownStanding } from '#contract/console-official.ts'
import type { KnownKind, OfficialRole } from '#contract/official.ts'
import type { PlainKey } from '../../i18n/message-key.ts'

export const kindWords = {
  domain: 'consoleOfficial.kind.domain',
  link: 'consoleOfficial.kind.link',
  email: 'consoleOfficial.kind.email',
  handle: 'consoleOfficial.kind.handle',
  phone: 'consoleOfficial.kind.phone',
  coin: 'consoleOfficial.kind.coin',
} as const satisfies Record<KnownKind, PlainKey>

export const standingWords = {
  false: 'consoleOfficial.false',
  official: 'consoleOfficial.official',
} as const satisfies Record<KnownStanding, PlainKey>

export const roleWords = {
  site: 'consoleOfficial.role.site',
  contact: 'consoleOfficial.role.contact',
  sender: 'consoleOfficial.role.sender',
  phone: 'consoleOfficial.role.phone',
  social: 'consoleOfficial.role.social',
  link: 'consoleOfficial.role.link',
  wallet: 'consoleOfficial.role.wallet',
  document: 'consoleOfficial.role.document',
  receiving: 'consoleOfficial.role.receiving',
  added: 'consoleOfficial.role.added',
} as const satisfies Record<OfficialRole, PlainKey>

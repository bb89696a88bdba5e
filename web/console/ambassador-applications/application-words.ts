import type { AmbassadorState } from '#contract/ambassadors.ts'
import type { ApplicationStepKind, DuplicateSign } from '#contract/console-ambassadors.ts'
import type { Language } from '#contract/languages.ts'
import { locale } from '../../i18n/language.ts'
import type { KeyTaking, PlainKey } from '../../i18n/message-key.ts'
import type { TagColour } from '../../ui/tag.tsx'

export const stateWords = {
  received: { colour: 'yellow', words: 'consoleAmbassadors.state.received' },
  in_review: { colour: 'verdigris', words: 'consoleAmbassadors.state.in_review' },
  accepted: { colour: 'green', words: 'consoleAmbassadors.state.accepted' },
  declined: { colour: 'quiet', words: 'consoleAmbassadors.state.declined' },
} as const satisfies Record<AmbassadorState, { colour: TagColour; words: PlainKey }>

export const emptyWords = {
  received: 'consoleAmbassadors.none.received',
  in_review: 'consoleAmbassadors.none.in_review',
  accepted: 'consoleAmbassadors.none.accepted',
  declined: 'consoleAmbassadors.none.declined',
} as const satisfies Record<AmbassadorState, PlainKey>

export const signWords = {
  name: 'consoleAmbassadors.same.name',
  link: 'consoleAmbassadors.same.link',
  mailbox: 'consoleAmbassadors.same.mailbox',
} as const satisfies Record<DuplicateSign, PlainKey>

export const stepWords = {
  in_review: 'consoleAmbassadors.step.in_review',
  assigned: 'consoleAmbassadors.step.assigned',
  released: 'consoleAmbassadors.step.released',
  accepted: 'consoleAmbassadors.step.accepted',
  declined: 'consoleAmbassadors.step.declined',
} as const satisfies Record<ApplicationStepKind, KeyTaking<'name'>>

/** The name of a country in the reader’s language; what is no code of one stays as it was typed. */
export function countryName(key: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(key)) return key
  return new Intl.DisplayNames(locale[language], { type: 'region' }).of(key) ?? key
}

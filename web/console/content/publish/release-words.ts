import type { LegalDocument } from '#contract/consents.ts'
import type { ContentRelease } from '#contract/console-content.ts'
import type { PlainKey } from '../../../i18n/message-key.ts'

export const legalNames: Readonly<Record<LegalDocument, PlainKey>> = {
  terms: 'consoleContent.terms',
  privacy: 'consoleContent.privacy',
}

/** What is said once something was to be published. */
export const doneWords = ({ state }: Pick<ContentRelease, 'state'>): PlainKey =>
  state === 'proposed'
    ? 'consoleContent.publish.proposed'
    : state === 'scheduled'
      ? 'consoleContent.publish.scheduled'
      : 'consoleContent.publish.done'

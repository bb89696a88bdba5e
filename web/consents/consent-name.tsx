import { dayOfVersion, type Consent, type LegalDocument } from '#contract/consents.ts'
import type { KeyTaking } from '../i18n/message-key.ts'
import { useMessages } from '../i18n/messages.tsx'
import { NewTabLink } from '../layout/new-tab-link.tsx'
import { pathTo, type RouteName } from '../routes/routes.ts'

const documents: Record<LegalDocument, { words: KeyTaking<'date'>; route: RouteName }> = {
  terms: { words: 'consents.terms', route: 'legal.terms' },
  privacy: { words: 'consents.privacy', route: 'legal.privacy' },
}

/** A link to a legal text, with the date of its version. */
export function ConsentName({ consent }: { consent: Consent }) {
  const { t, formatDate } = useMessages()
  const { words, route } = documents[consent.document]
  const date = formatDate(dayOfVersion(consent.version))
  return <NewTabLink href={pathTo(route)}>{t(words, { date })}</NewTabLink>
}

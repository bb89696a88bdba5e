import { legalDocuments, type Consent } from '#contract/people/consents.ts'
import type { SiteContent } from '../../platform/site-content/site-content.ts'

type Content = Pick<SiteContent, 'brand'>

export const currentVersions = (content: Content): Consent[] => {
  const { legal } = content.brand()
  return legalDocuments.map((document) => ({ document, version: legal[document] }))
}

const isSame = (a: Consent, b: Consent) => a.document === b.document && a.version === b.version

/** Accepting a document counts only for its current version. */
export const isCurrent = (content: Content, consent: Consent): boolean =>
  currentVersions(content).some((each) => isSame(each, consent))

/** Returns the current versions that were not accepted yet. */
export const dueConsents = (content: Content, given: readonly Consent[]): Consent[] =>
  currentVersions(content).filter((current) => !given.some((each) => isSame(each, current)))

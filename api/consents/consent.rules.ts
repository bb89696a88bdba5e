import brand from '#content/brand.json' with { type: 'json' }
import { legalDocuments, type Consent } from '#contract/consents.ts'

export const currentVersions: readonly Consent[] = legalDocuments.map((document) => ({
  document,
  version: brand.legal[document],
}))

const isSame = (a: Consent, b: Consent) => a.document === b.document && a.version === b.version

/** Accepting a document counts only for its current version. */
export const isCurrent = (consent: Consent): boolean => currentVersions.some((each) => isSame(each, consent))

/** The current versions that were not accepted yet. */
export const dueConsents = (given: readonly Consent[]): Consent[] =>
  currentVersions.filter((current) => !given.some((each) => isSame(each, current)))

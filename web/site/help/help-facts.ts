import type { Language } from '#contract/platform/fields.ts'
import type { Facts } from '../../kernel/content/facts.ts'
import type { LocalizedBrand } from '../../kernel/content/brand.tsx'
import { findDocument } from '../../kernel/documents/find-document.ts'

export const helpFactFiles = [
  'documents',
  'facts/faq.json',
  'facts/manuals.json',
  'facts/technical-help.json',
] as const

/** Returns the data of the help page in one language, so that the other is not sent to the browser. */
export function helpFacts(
  facts: Facts<(typeof helpFactFiles)[number]>,
  brand: Pick<LocalizedBrand, 'documents'>,
  language: Language,
) {
  const { documents, 'facts/faq.json': faq } = facts
  return {
    main: { id: faq.main.id, ...faq.main[language] },
    questions: faq.questions.map(({ id, page, [language]: words }) => ({ id, page, ...words })),
    technical: facts['facts/technical-help.json'].map(({ id, page, [language]: words }) => ({
      id,
      page,
      ...words,
    })),
    brochure: findDocument(documents, brand.documents.brochure, language),
    // A manual without a file is left out.
    manuals: facts['facts/manuals.json'].flatMap(({ id, fileTitle, hasChinese, [language]: words }) => {
      const file = findDocument(documents, fileTitle, language === 'cn' && !hasChinese ? 'en' : language)
      return file ? [{ id, ...words, file }] : []
    }),
  }
}

export type HelpFacts = ReturnType<typeof helpFacts>

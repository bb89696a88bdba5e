import faq from '#content/facts/faq.json'
import manuals from '#content/facts/manuals.json'
import technicalHelp from '#content/facts/technical-help.json'
import { documents } from '#content/brand.json'
import type { Language } from '#contract/fields.ts'
import { findDocument } from '../../documents/find-document.ts'

/** What the help page says, in one language: the other language is not sent to the browser. */
export function helpFacts(language: Language) {
  return {
    main: { id: faq.main.id, ...faq.main[language] },
    questions: faq.questions.map(({ id, [language]: words }) => ({ id, ...words })),
    technical: technicalHelp.map(({ id, [language]: words }) => ({ id, ...words })),
    brochure: findDocument(documents.brochure, language),
    manuals: manuals.map(({ id, fileTitle, hasChinese, [language]: words }) => ({
      id,
      ...words,
      file: findDocument(fileTitle, hasChinese ? language : 'en'),
    })),
  }
}

export type HelpFacts = ReturnType<typeof helpFacts>

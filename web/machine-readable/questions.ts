import { htmlLanguage } from '../i18n/language.ts'
import type { HelpFacts } from '../site/help/help-facts.ts'
import type { Described, Thing } from './linked-data.ts'

/** Every question of the help page with its full answer, which may contain simple HTML. */
export const questions = (
  { main, questions, technical }: Pick<HelpFacts, 'main' | 'questions' | 'technical'>,
  { language }: Pick<Described, 'language'>,
): Thing => ({
  '@type': 'FAQPage',
  inLanguage: htmlLanguage[language],
  mainEntity: [
    answered(main.question, `${paragraph(main.intro)}<ol>${main.items.map(item).join('')}</ol>`),
    ...[...questions, ...technical].map(({ question, answer }) =>
      answered(question, answer.map(paragraph).join('')),
    ),
  ],
})

const answered = (name: string, text: string): Thing => ({
  '@type': 'Question',
  name,
  acceptedAnswer: { '@type': 'Answer', text },
})

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const paragraph = (text: string): string => `<p>${escape(text)}</p>`
const item = (text: string): string => `<li>${escape(text)}</li>`

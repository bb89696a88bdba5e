import { DocumentFacts } from '../../../kernel/documents/document-facts.tsx'
import { linkToDocument } from '../../../kernel/documents/link-to-document.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import section from '../../../kernel/ui/page-section.module.css'
import styles from './faq-section.module.css'
import type { HelpFacts } from '../help-facts.ts'
import { Paragraphs, Question } from './question.tsx'

export function FaqSection({
  main,
  brochure,
  questions,
}: Pick<HelpFacts, 'main' | 'brochure' | 'questions'>) {
  const { t } = useMessages()
  return (
    <section id="faq" className={`${section.section} ${styles.faq}`} aria-labelledby="faq-heading">
      <div className={styles.head}>
        <h2 id="faq-heading">{t('help.faq.heading')}</h2>
        <p>{t('help.faq.intro')}</p>
      </div>
      <div className={styles.questions}>
        <Question id={main.id} question={main.question} size="large" isOpen>
          <p className={styles.intro}>{main.intro}</p>
          {main.items.length > 0 && (
            <ol className={styles.items}>
              {main.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ol>
          )}
          {brochure && (
            <div>
              <a {...linkToDocument(brochure)}>{main.brochureLabel ?? brochure.title}</a>
              <DocumentFacts file={brochure} />
            </div>
          )}
        </Question>
        {questions.map(({ id, question, answer, page }) => (
          <Question key={id} id={id} question={question} page={page}>
            <Paragraphs texts={answer} />
          </Question>
        ))}
      </div>
    </section>
  )
}

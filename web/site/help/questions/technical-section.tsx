import { useMessages } from '../../../kernel/i18n/messages.tsx'
import section from '../../../kernel/ui/page-section.module.css'
import type { HelpFacts } from '../help-facts.ts'
import { Paragraphs, Question } from './question.tsx'
import styles from './technical-section.module.css'

export function TechnicalSection({ questions }: { questions: HelpFacts['technical'] }) {
  const { t } = useMessages()
  const half = Math.ceil(questions.length / 2)
  return (
    <section
      id="technical"
      className={`${section.section} ${styles.technical}`}
      aria-labelledby="technical-heading"
    >
      <h2 id="technical-heading">{t('help.technical.heading')}</h2>
      <p className={styles.intro}>{t('help.technical.intro')}</p>
      {[questions.slice(0, half), questions.slice(half)].map(
        (column, at) =>
          column.length > 0 && (
            <div key={at} className={styles.column}>
              {column.map(({ id, question, answer, page }) => (
                <Question key={id} id={id} question={question} page={page} size="small">
                  <Paragraphs texts={answer} />
                </Question>
              ))}
            </div>
          ),
      )}
    </section>
  )
}

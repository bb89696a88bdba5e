import { useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import section from '../../kernel/ui/page-section.module.css'
import { StepDrawing } from './drawings/step-drawing.tsx'
import styles from './get-started-section.module.css'

export function GetStartedSection() {
  const { t } = useMessages()
  const steps = [
    t('project.getStarted.point1'),
    t('project.getStarted.point2'),
    t('project.getStarted.point3'),
  ]
  return (
    <section
      id="get-started"
      className={`${section.section} ${styles.start}`}
      aria-labelledby="get-started-heading"
    >
      <h2 id="get-started-heading">{t('project.getStarted.heading')}</h2>
      <p className={styles.lead}>{t('project.getStarted.paragraph1')}</p>
      <ol className={styles.steps}>
        {steps.map((step, at) => (
          <li key={at}>
            <StepDrawing at={at} className={styles.drawing} />
            <p>{step}</p>
          </li>
        ))}
      </ol>
      <p>
        <FormattedMessage
          k="project.getStarted.paragraph2"
          tags={{ link: (words) => <a href={pathTo('help')}>{words}</a> }}
        />
      </p>
    </section>
  )
}

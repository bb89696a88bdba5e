import { guilloche } from '../../kernel/brand/guilloche.ts'
import { useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import section from '../../kernel/ui/page-section.module.css'
import drawings from './drawings/drawings.module.css'
import styles from './get-started-section.module.css'

/** The figures of the three steps, each more regular than the one before. */
const figures = [
  guilloche({ inner: 49.5, outer: 49.5, lobes: 8 }),
  guilloche({ inner: 14, outer: 49.5, lobes: 8, turns: 3, lean: 8 }),
  guilloche({ inner: 10, outer: 49.5, lobes: 34, turns: 9, lean: 4 }),
]

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

/** A line that enters on the left, draws the figure of step `at`, and leaves on the right. */
function StepDrawing({ at, className }: { at: number; className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 -50 100 100" preserveAspectRatio="xMinYMid" aria-hidden="true">
      <path className={drawings.copper} d={figures[at]} transform="translate(50)" />
    </svg>
  )
}

import { useMessages } from '../../../kernel/i18n/messages.tsx'
import styles from './problem-solution.module.css'

type Item = { title: string; text: string }

/** Two lists with matching rows: each problem beside its solution. */
export function ProblemSolution() {
  const { t } = useMessages()
  return (
    <section id="problem" className={styles.section} aria-labelledby="problem-heading">
      <Half
        id="problem"
        className={styles.problem}
        heading={t('home.problem.heading')}
        intro={t('home.problem.intro')}
        items={[
          { title: t('home.problem.item1.title'), text: t('home.problem.item1.text') },
          { title: t('home.problem.item2.title'), text: t('home.problem.item2.text') },
          { title: t('home.problem.item3.title'), text: t('home.problem.item3.text') },
        ]}
      />
      <Half
        id="solution"
        className={styles.solution}
        heading={t('home.solution.heading')}
        intro={t('home.solution.intro')}
        items={[
          { title: t('home.solution.item1.title'), text: t('home.solution.item1.text') },
          { title: t('home.solution.item2.title'), text: t('home.solution.item2.text') },
          { title: t('home.solution.item3.title'), text: t('home.solution.item3.text') },
        ]}
      />
    </section>
  )
}

function Half({
  id,
  className = '',
  heading,
  intro,
  items,
}: {
  id: string
  className?: string | undefined
  heading: string
  intro: string
  items: readonly Item[]
}) {
  return (
    <div className={`${styles.half} ${className}`}>
      <div className={styles.head}>
        <h2 id={`${id}-heading`}>{heading}</h2>
        <p>{intro}</p>
      </div>
      {items.map(({ title, text }) => (
        <div key={title} className={styles.item}>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      ))}
    </div>
  )
}

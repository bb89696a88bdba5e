import { useMessages, FormattedMessage } from '../../kernel/i18n/messages.tsx'
import { pathTo } from '../../kernel/routes/routes.ts'
import section from '../../kernel/ui/page-section.module.css'
import { ForcesDrawing } from './drawings/forces-drawing.tsx'
import styles from './force-section.module.css'

export function ForceSection() {
  const { t } = useMessages()
  return (
    <section id="force" className={`${section.section} ${styles.force}`} aria-labelledby="force-heading">
      <div className={styles.words}>
        <h2 id="force-heading">{t('project.force.heading')}</h2>
        <p>{t('project.force.paragraph1')}</p>
        <ul className={styles.points}>
          <li data-key="miners">{t('project.force.point1')}</li>
          <li data-key="validators">{t('project.force.point2')}</li>
          <li data-key="nodes">{t('project.force.point3')}</li>
        </ul>
        <p>
          <FormattedMessage
            k="project.force.paragraph2"
            tags={{ link: (words) => <a href={pathTo('ambassadorProgram')}>{words}</a> }}
          />
        </p>
      </div>
      <ForcesDrawing className={styles.drawing} />
    </section>
  )
}

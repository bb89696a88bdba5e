import { useMessages } from '../../../kernel/i18n/messages.tsx'
import section from '../../../kernel/ui/page-section.module.css'
import styles from './dao-section.module.css'
import { AssemblyDrawing } from '../drawings/assembly-drawing.tsx'

export function DaoSection() {
  const { t } = useMessages()
  return (
    <section
      id="dao"
      className={`${section.section} ${styles.dao}`}
      aria-labelledby="dao-heading"
      data-ground="dark"
    >
      <h2 id="dao-heading">{t('project.dao.heading')}</h2>
      <div className={styles.words}>
        <p>{t('project.dao.paragraph1')}</p>
        <p>{t('project.dao.paragraph2')}</p>
      </div>
      <ul className={styles.points}>
        <li>{t('project.dao.point1')}</li>
        <li>{t('project.dao.point2')}</li>
        <li>{t('project.dao.point3')}</li>
      </ul>
      <AssemblyDrawing className={styles.drawing} />
    </section>
  )
}

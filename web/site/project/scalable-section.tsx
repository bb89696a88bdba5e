import { useMessages } from '../../kernel/i18n/messages.tsx'
import section from '../../kernel/ui/page-section.module.css'
import { ChainDrawing } from './drawings/chain-drawing.tsx'
import styles from './scalable-section.module.css'

export function ScalableSection() {
  const { t } = useMessages()
  return (
    <section id="scalable" className={styles.scalable} aria-labelledby="scalable-heading">
      <div className={`${section.section} ${styles.words}`}>
        <h2 id="scalable-heading">{t('project.scalable.heading')}</h2>
        <p className={styles.first}>{t('project.scalable.paragraph1')}</p>
        <p className={styles.second}>{t('project.scalable.paragraph2')}</p>
      </div>
      <ChainDrawing className={styles.chain} />
      <div className={`${section.section} ${styles.under}`}>
        <ul className={styles.points}>
          <li data-key="block">{t('project.scalable.point1')}</li>
          <li data-key="seal">{t('project.scalable.point2')}</li>
          <li data-key="planned">{t('project.scalable.point3')}</li>
        </ul>
      </div>
    </section>
  )
}

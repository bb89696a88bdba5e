import { useMessages } from '../../../kernel/i18n/messages.tsx'
import section from '../../../kernel/ui/page-section.module.css'
import { CoinsDrawing } from '../drawings/coins-drawing.tsx'
import styles from './own-token-section.module.css'

export function OwnTokenSection() {
  const { t } = useMessages()
  return (
    <section
      id="own-token"
      className={`${section.section} ${styles.token}`}
      aria-labelledby="own-token-heading"
    >
      <div className={styles.words}>
        <h2 id="own-token-heading">{t('project.ownToken.heading')}</h2>
        <p>{t('project.ownToken.paragraph1')}</p>
        <p>{t('project.ownToken.paragraph2')}</p>
        <ul>
          <li>{t('project.ownToken.point1')}</li>
          <li>{t('project.ownToken.point2')}</li>
          <li>{t('project.ownToken.point3')}</li>
        </ul>
      </div>
      <CoinsDrawing className={styles.coins} />
    </section>
  )
}

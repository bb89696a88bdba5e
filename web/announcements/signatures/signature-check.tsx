import { lazy, Suspense, useState } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { verifyGuidePath } from './verify-guide.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import styles from './signature-check.module.css'

const Findings = lazy(() => import('./findings.tsx'))

/** Says that the post is signed and, on demand, verifies the signature against the displayed post. */
export function SignatureCheck({ post }: { post: Announcement }) {
  const { t, language } = useMessages()
  const [run, setRun] = useState(0)
  return (
    <section className={styles.section} aria-labelledby="signature-check">
      <h2 id="signature-check">{t('news.verify.heading')}</h2>
      <p>{t('news.verify.lead')}</p>
      <p className={styles.ways}>
        <Button kind="quiet" className={styles.verify} onClick={() => setRun(run + 1)}>
          {t('news.verify.button')}
        </Button>
        <a href={verifyGuidePath[language]}>{t('news.verify.guide')}</a>
      </p>
      {run > 0 && (
        <Suspense fallback={<Loading label={t('news.verify.checking')} />}>
          <Findings key={`${run} ${post.lastEdited}`} post={post} />
        </Suspense>
      )}
    </section>
  )
}

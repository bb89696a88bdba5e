import { useEffect, useState } from 'react'
import { getKycPhoto } from '#contract/kyc.ts'
import { judgeKycPhoto, type KycCaseDetail } from '#contract/kyc-review.ts'
import { call } from '../../call.ts'
import type { MessageKey } from '../../i18n/message-key.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './review.module.css'

type Photo = KycCaseDetail['photos'][number]
type Judging = { mayJudge: boolean; onJudged: () => void; onFailed: (failure: unknown) => void }

const verdictWords: Readonly<Record<Photo['verdict'], MessageKey>> = {
  open: 'review.photo.open',
  accepted: 'review.photo.accepted',
  refused: 'review.photo.refused',
}

/** The documents; each can be turned, enlarged and judged. */
export function CasePhotos({ shown, ...judging }: { shown: KycCaseDetail } & Judging) {
  const { t } = useWords()
  if (shown.photoCount === 0) return <p>{t('review.photo.gone')}</p>
  return (
    <ul className={styles.photos}>
      {shown.photos.map((photo) => (
        <CasePhoto key={photo.n} id={shown._id} photo={photo} {...judging} />
      ))}
    </ul>
  )
}

function CasePhoto({ id, photo, mayJudge, onJudged, onFailed }: { id: string; photo: Photo } & Judging) {
  const { t } = useWords()
  const [quarters, setQuarters] = useState(0)
  const [isLarge, setIsLarge] = useState(false)
  const [reason, setReason] = useState(photo.reason)
  const url = usePhotoUrl(id, photo.n, onFailed)
  const name = t('review.photo', { number: photo.n + 1 })
  const judge = (verdict: 'accepted' | 'refused') =>
    void call(judgeKycPhoto, { params: { id, n: photo.n }, body: { verdict, reason } }).then(
      onJudged,
      onFailed,
    )
  return (
    <li>
      <h3>
        {name}: {t(verdictWords[photo.verdict])}
      </h3>
      <div className={styles.viewer} data-large={isLarge || undefined}>
        {url ? <img src={url} alt={name} data-quarters={quarters} /> : <Spinner />}
      </div>
      <div className={styles.actions}>
        <Button kind="quiet" onClick={() => setQuarters((quarters + 1) % 4)}>
          {t('review.photo.turn')}
        </Button>
        <Button kind="quiet" aria-pressed={isLarge} onClick={() => setIsLarge(!isLarge)}>
          {t(isLarge ? 'review.photo.shrink' : 'review.photo.zoom')}
        </Button>
      </div>
      {mayJudge && (
        <>
          <TextField
            label={t('review.reason')}
            maxLength={2000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
          <div className={styles.actions}>
            <Button kind="quiet" onClick={() => judge('accepted')}>
              {t('review.photo.accept')}
            </Button>
            <Button kind="quiet" disabled={reason.trim() === ''} onClick={() => judge('refused')}>
              {t('review.photo.refuse')}
            </Button>
          </div>
        </>
      )}
    </li>
  )
}

/** Held in memory alone, and let go with the view. */
function usePhotoUrl(id: string, n: number, onFailed: (failure: unknown) => void): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | undefined
    let isCurrent = true
    call(getKycPhoto, { params: { id, n } }).then((blob) => {
      if (!isCurrent) return
      made = URL.createObjectURL(blob as Blob)
      setUrl(made)
    }, onFailed)
    return () => {
      isCurrent = false
      if (made) URL.revokeObjectURL(made)
    }
  }, [id, n, onFailed])
  return url
}

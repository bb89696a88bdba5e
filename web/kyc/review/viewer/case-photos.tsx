import { useRef, useState, useCallback, useEffect } from 'react'
import { reviewKycPhoto, type KycCaseDetail } from '#contract/people/kyc-review.ts'
import { call } from '../../../kernel/call/call.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { Spinner } from '../../../kernel/ui/loading.tsx'
import { KeyHint, useKeyShortcut } from '../keys/key-hint.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { photoVerdictLabels } from '../review-states.ts'
import { PhotoStage } from './photo-stage.tsx'
import { PhotoVerdict } from './photo-verdict.tsx'
import styles from './viewer.module.css'
import { getKycPhoto } from '#contract/people/kyc.ts'

export type Photo = KycCaseDetail['photos'][number]
type Props = {
  kycCase: KycCaseDetail
  mayReview: boolean
  onReviewed: (photo: Photo) => void
  onFailed: (failure: unknown) => Promise<void>
}

const isCurrent = ({ isReplaced }: Photo): boolean => !isReplaced

/** One photo at a time, with thumbnails of the others below it. */
export function CasePhotos({ kycCase, mayReview, onReviewed, onFailed }: Props) {
  const { t } = useMessages()
  const { photos, _id: id } = kycCase
  const [at, setAt] = useState(() => Math.max(0, photos.findIndex(isCurrent)))
  const photo = photos[at]
  const stage = useRef<HTMLDivElement>(null)
  /** The number of the photo that the browser drew last. */
  const [drawn, setDrawn] = useState<number>()
  const { urls, retry } = usePhotoUrls(id, photo?.n ?? 0)
  const step = (by: 1 | -1) => setAt(Math.min(photos.length - 1, Math.max(0, at + by)))
  useKeys({ nextPhoto: () => step(1), previousPhoto: () => step(-1) })
  if (!photo) return null

  const current = urls[photo.n]
  const review = (verdict: 'accepted' | 'refused', reason: string) =>
    call(reviewKycPhoto, {
      params: { id, n: photo.n },
      body: { verdict, reason, round: kycCase.round },
    }).then(
      (reviewed) => {
        onReviewed(reviewed)
        const open = photos.findIndex(
          (each, index) => index > at && each.verdict === 'open' && isCurrent(each),
        )
        if (verdict === 'accepted' && open !== -1) setAt(open)
        return true
      },
      async (failure: unknown) => {
        await onFailed(failure)
        return false
      },
    )
  return (
    <section className={styles.viewer} aria-labelledby="case-photos">
      <Steps at={at} count={photos.length} onStep={step} />
      {current && 'url' in current ? (
        <PhotoStage
          key={photo.n}
          url={current.url}
          name={t('review.photo', { number: photo.n + 1 })}
          stage={stage}
          onShown={() => setDrawn(photo.n)}
        />
      ) : (
        <EmptyStage hasFailed={current !== undefined} onRetry={retry} />
      )}
      {photos.length > 1 && <Thumbnails photos={photos} urls={urls} at={at} onChoose={setAt} />}
      <PhotoVerdict
        photo={photo}
        language={kycCase.memberLanguage}
        mayReview={mayReview && !photo.isReplaced}
        isShown={drawn === photo.n}
        bringIntoView={() => bringIntoView(stage.current)}
        onVerdict={review}
      />
    </section>
  )
}

function Steps({ at, count, onStep }: { at: number; count: number; onStep: (by: 1 | -1) => void }) {
  const { t } = useMessages()
  const shortcut = useKeyShortcut()
  return (
    <header className={styles.head}>
      <h2 id="case-photos">{t('review.photo.of', { number: at + 1, count })}</h2>
      <div className={styles.steps}>
        {(['previousPhoto', 'nextPhoto'] as const).map((key) => (
          <button
            key={key}
            type="button"
            className={styles.tool}
            aria-keyshortcuts={shortcut(key)}
            disabled={key === 'nextPhoto' ? at === count - 1 : at === 0}
            onClick={() => onStep(key === 'nextPhoto' ? 1 : -1)}
          >
            {t(key === 'nextPhoto' ? 'review.photo.next' : 'review.photo.previous')}
            <KeyHint of={key} />
          </button>
        ))}
      </div>
    </header>
  )
}

/** Shown until the photo has loaded, or if it could not be loaded. */
function EmptyStage({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  const { t } = useMessages()
  return (
    <div className={styles.stage} role="status">
      {hasFailed ? (
        <div className={styles.failed}>
          <p>{t('review.photo.failed')}</p>
          <Button kind="quiet" onClick={onRetry}>
            {t('forms.retry')}
          </Button>
        </div>
      ) : (
        <Spinner size={32} />
      )}
    </div>
  )
}

function Thumbnails({
  photos,
  urls,
  at,
  onChoose,
}: {
  photos: readonly Photo[]
  urls: Readonly<Record<number, PhotoUrl>>
  at: number
  onChoose: (index: number) => void
}) {
  const { t } = useMessages()
  return (
    <ul className={styles.thumbs} aria-label={t('review.photo.list')}>
      {photos.map(({ n, verdict }, index) => {
        const thumb = urls[n]
        return (
          <li key={n}>
            <button
              type="button"
              className={styles.thumb}
              aria-current={index === at || undefined}
              aria-label={t('review.photo.named', {
                number: n + 1,
                verdict: t(photoVerdictLabels[verdict].words),
              })}
              data-verdict={verdict}
              onClick={() => onChoose(index)}
            >
              {thumb && 'url' in thumb ? <img src={thumb.url} alt="" /> : n + 1}
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Returns whether the stage was already in view. */
function bringIntoView(stage: HTMLElement | null): boolean {
  if (!stage) return false
  const { top, bottom, height } = stage.getBoundingClientRect()
  const isInView = height === 0 || (bottom > 0 && top < window.innerHeight)
  if (!isInView) stage.scrollIntoView({ block: 'center' })
  return isInView
}

type PhotoUrl = { url: string } | { failure: unknown } | undefined

/**
 * Pictures of a case, each fetched when it is first viewed, because every fetch is logged as a view. They are held in
 * memory only and released with the case.
 */
function usePhotoUrls(
  id: string,
  n: number,
): { urls: Readonly<Record<number, PhotoUrl>>; retry: () => void } {
  const [urls, setUrls] = useState<Readonly<Record<number, PhotoUrl>>>({})
  const made = useRef(new Map<number, string>())
  const requested = useRef(new Set<number>())
  const fetchPhoto = useCallback(
    async (wanted: number, isWanted: () => boolean) => {
      const picture = await call(getKycPhoto, { params: { id, n: wanted } }).then(
        (blob): PhotoUrl => ({ url: URL.createObjectURL(blob as Blob) }),
        (failure: unknown): PhotoUrl => ({ failure }),
      )
      if (picture && 'url' in picture) {
        if (!isWanted()) return URL.revokeObjectURL(picture.url)
        made.current.set(wanted, picture.url)
      }
      setUrls((before) => ({ ...before, [wanted]: picture }))
    },
    [id],
  )
  const isHere = useRef(true)
  useEffect(() => {
    const urlsMade = made.current
    const wantedBefore = requested.current
    isHere.current = true
    return () => {
      isHere.current = false
      for (const url of urlsMade.values()) URL.revokeObjectURL(url)
      urlsMade.clear()
      wantedBefore.clear()
    }
  }, [])
  useEffect(() => {
    if (requested.current.has(n)) return
    requested.current.add(n)
    void fetchPhoto(n, () => isHere.current)
  }, [n, fetchPhoto])
  const retry = () => {
    setUrls((before) => ({ ...before, [n]: undefined }))
    void fetchPhoto(n, () => isHere.current)
  }
  return { urls, retry }
}

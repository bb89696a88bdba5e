import { useEffect, useRef, useState, type RefObject } from 'react'
import type { Language } from '#contract/platform/fields.ts'
import { reviewKycPhoto } from '#contract/people/kyc-review.ts'
import { boundsOf } from '../../../kernel/forms/field-bounds.ts'
import { useMessages } from '../../../kernel/i18n/messages.tsx'
import { Button } from '../../../kernel/ui/button.tsx'
import { TextArea } from '../../../kernel/ui/field.tsx'
import { Tag } from '../../../kernel/ui/tag.tsx'
import { KeyHint, useKeyShortcut } from '../keys/key-hint.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { ReasonTemplate } from '../reason-template.tsx'
import { photoVerdictLabels } from '../review-states.ts'
import type { Photo } from './case-photos.tsx'
import styles from './viewer.module.css'

type Verdict = 'accepted' | 'refused'

type Props = {
  photo: Photo
  /** The applicant's language. */
  language: Language
  mayReview: boolean
  /** Whether the picture is visible. */
  isShown: boolean
  /** Returns whether the picture was already in view. */
  bringIntoView: () => boolean
  onVerdict: (verdict: Verdict, reason: string) => Promise<boolean>
}

/** Why a verdict cannot be given now. */
type Obstacle = 'review.photo.notShown' | 'review.photo.away'

/** The verdict on the displayed photo, and the buttons for both verdicts. */
export function PhotoVerdict({ photo, language, mayReview, isShown, bringIntoView, onVerdict }: Props) {
  // By photo, so that a reason typed for one is kept while another is viewed.
  const [typed, setTyped] = useState<Readonly<Record<number, string>>>({})
  const [reasonOpenFor, setReasonOpenFor] = useState<number>()
  const reason = typed[photo.n] ?? photo.reason
  const setReason = (text: string) => setTyped((before) => ({ ...before, [photo.n]: text }))
  const [whyNot, setWhyNot] = useState<{ n: number; words: Obstacle }>()
  const isWaiting = whyNot?.n === photo.n && (whyNot.words === 'review.photo.away' || !isShown)
  const isReasonOpen = reasonOpenFor === photo.n
  const [busy, setBusy] = useState<Verdict>()
  const field = useRef<HTMLTextAreaElement>(null)

  /**
   * Only visible photos can be reviewed: a key may be pressed before the picture has loaded or while it is out of view.
   */
  function findObstacle(how: 'key' | 'button'): Obstacle | undefined {
    if (!isShown) return 'review.photo.notShown'
    return how === 'key' && !bringIntoView() ? 'review.photo.away' : undefined
  }
  async function review(verdict: Verdict, how: 'key' | 'button') {
    if (busy) return
    const words = findObstacle(how)
    setWhyNot(words && { n: photo.n, words })
    if (words) return
    if (verdict === 'refused' && (!isReasonOpen || reason.trim() === '')) {
      setReasonOpenFor(photo.n)
      field.current?.focus()
      return
    }
    setBusy(verdict)
    const isDone = await onVerdict(verdict, verdict === 'refused' ? reason : '')
    if (isDone) setReasonOpenFor(undefined)
    setBusy(undefined)
  }
  useEffect(() => {
    if (isReasonOpen) field.current?.focus()
  }, [isReasonOpen])
  useKeys(
    mayReview
      ? { accept: () => void review('accepted', 'key'), refuse: () => void review('refused', 'key') }
      : {},
  )
  return (
    <div className={styles.verdict}>
      <Status photo={photo} obstacle={isWaiting ? whyNot.words : undefined} />
      {mayReview && (
        <>
          <VerdictButtons
            isShown={isShown}
            isReasonOpen={isReasonOpen}
            busy={busy}
            onPress={(verdict) => void review(verdict, 'button')}
          />
          {isReasonOpen && <Reason language={language} reason={reason} onChange={setReason} field={field} />}
        </>
      )}
    </div>
  )
}

function Status({ photo, obstacle }: { photo: Photo; obstacle: Obstacle | undefined }) {
  const { t } = useMessages()
  const { colour, words } = photoVerdictLabels[photo.verdict]
  return (
    <p role="status">
      <Tag colour={colour}>{t(words)}</Tag>
      {photo.verdict === 'refused' && <span className={styles.given}>{photo.reason}</span>}
      {photo.isReplaced && (
        <span className={styles.given}>{t('review.photo.replaced', { round: photo.round })}</span>
      )}
      {obstacle && <span className={styles.given}>{t(obstacle)}</span>}
      {photo.note && <span className={styles.given}>{t('review.photo.note', { note: photo.note })}</span>}
    </p>
  )
}

type ButtonProps = {
  isShown: boolean
  isReasonOpen: boolean
  /** The verdict that is being sent. */
  busy: Verdict | undefined
  onPress: (verdict: Verdict) => void
}

function VerdictButtons({ isShown, isReasonOpen, busy, onPress }: ButtonProps) {
  const { t } = useMessages()
  const shortcut = useKeyShortcut()
  return (
    <div className={styles.actions}>
      <Button
        kind="quiet"
        aria-keyshortcuts={shortcut('accept')}
        busy={busy === 'accepted'}
        aria-disabled={!isShown || undefined}
        onClick={() => onPress('accepted')}
      >
        {t('review.photo.accept')}
        <KeyHint of="accept" />
      </Button>
      <Button
        kind="quiet"
        aria-expanded={isReasonOpen}
        aria-keyshortcuts={shortcut('refuse')}
        busy={busy === 'refused'}
        aria-disabled={!isShown || undefined}
        onClick={() => onPress('refused')}
      >
        {t('review.photo.refuse')}
        <KeyHint of="refuse" />
      </Button>
    </div>
  )
}

function Reason({
  language,
  reason,
  onChange,
  field,
}: {
  language: Language
  reason: string
  onChange: (reason: string) => void
  field: RefObject<HTMLTextAreaElement | null>
}) {
  const { t } = useMessages()
  return (
    <div className={styles.why}>
      <ReasonTemplate of="photo" language={language} onChoose={onChange} />
      <TextArea
        ref={field}
        label={t('review.photo.reason')}
        help={t('review.photo.needsReason')}
        rows={3}
        maxLength={boundsOf(reviewKycPhoto.body.shape.reason).maxLength}
        value={reason}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

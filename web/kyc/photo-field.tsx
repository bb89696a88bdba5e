import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { photosMax, photoBytesMax } from '#contract/kyc.ts'
import { MIB } from '#contract/fields.ts'
import { afterPress } from '../forms/after-press.ts'
import { useMessages } from '../i18n/messages.tsx'
import { Button } from '../ui/button.tsx'
import { FieldNotes } from '../ui/field.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './photo-field.module.css'
import { accepted, PhotoRow } from './photo-row.tsx'
import { withoutProblems } from './photos.ts'
import type { Photos } from './use-photos.ts'

type Props = {
  photos: Photos
  max?: number
  isRequired?: boolean
  /** The field was used, or a submit was attempted. */
  isErrorDue: boolean
  onTouched: () => void
  serverError?: string | undefined
  /** Another way to add photos. */
  children?: ReactNode
}

/** Adds photos from a camera, file dialog, or drag and drop, one or several at a time. */
export function PhotoField(props: Props) {
  const { photos, max = photosMax, isRequired = true, isErrorDue, onTouched, serverError, children } = props
  const { t } = useMessages()
  const id = useId()
  const { list, leftOut, isReading } = photos

  const add = (files: readonly File[]) => void photos.add(files).then(onTouched)
  const take = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    // Allows choosing the same file again after it was removed.
    input.value = ''
    add(files)
  }

  const isEmpty = withoutProblems(list).length === 0
  const hasUnreadable = list.some(({ upload }) => upload.state === 'wrong' && upload.problem === 'unreadable')
  const isWrong = (isRequired && isErrorDue && isEmpty && !isReading) || hasUnreadable
  const hints = [
    ...(isWrong ? [t('kyc.photo.required')] : []),
    ...leftOut.map(({ name }) => t('kyc.photo.tooMany', { name, max })),
    ...(serverError ? [serverError] : []),
  ]
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {t('kyc.photos')}
        <span className={styles.limits} id={`${id}-limits`}>
          {t('kyc.photo.help', { max, size: photoBytesMax / MIB })}
        </span>
      </label>
      <Camera onTaken={take} />
      <DropZone inputId={id} isEmpty={isEmpty} isWrong={isWrong} isReading={isReading} onDropped={add} />
      <input
        id={id}
        className={styles.input}
        type="file"
        name="photoId"
        accept={accepted}
        multiple
        required={isRequired}
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-error`}
        onChange={(event) => take(event.target)}
        onBlur={() => afterPress(onTouched)}
        ref={(input) => {
          // React has no event for a file dialog that is canceled.
          input?.addEventListener('cancel', onTouched)
          return () => input?.removeEventListener('cancel', onTouched)
        }}
      />
      {children}
      <FieldNotes
        id={id}
        error={hints.length > 0 ? hints.map((line) => <span key={line}>{line}</span>) : undefined}
      />
      <PhotoList photos={photos} onTouched={onTouched} />
    </div>
  )
}

/** On phones, opens the camera directly. */
function Camera({ onTaken }: { onTaken: (input: HTMLInputElement) => void }) {
  const { t } = useMessages()
  const camera = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.camera}>
      <Button kind="quiet" onClick={() => camera.current?.click()}>
        {t('kyc.photo.camera')}
      </Button>
      <input
        ref={camera}
        type="file"
        accept="image/*"
        capture="environment"
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={(event) => onTaken(event.target)}
      />
    </div>
  )
}

/** The visible part of the file input, onto which photos can be dropped. */
function DropZone({
  inputId,
  isEmpty,
  isWrong,
  isReading,
  onDropped,
}: {
  inputId: string
  isEmpty: boolean
  isWrong: boolean
  isReading: boolean
  onDropped: (files: readonly File[]) => void
}) {
  const { t } = useMessages()
  const [isOver, setIsOver] = useState(false)
  function handleDrop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    onDropped([...event.dataTransfer.files])
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is optional; the input does the same
    <label
      className={styles.zone}
      htmlFor={inputId}
      data-over={isOver || undefined}
      data-wrong={isWrong || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={handleDrop}
    >
      {isReading && <Spinner />}
      {isEmpty ? (
        <>
          <span className={styles.byMouse}>{t('kyc.photo.choose')}</span>
          <span className={styles.byTouch}>{t('kyc.photo.chooseTouch')}</span>
        </>
      ) : (
        <span>{t('kyc.photo.chooseMore')}</span>
      )}
    </label>
  )
}

function PhotoList({ photos, onTouched }: Pick<Props, 'photos' | 'onTouched'>) {
  return (
    <ul className={styles.photos}>
      {photos.list.map((photo) => (
        <PhotoRow
          key={photo.id}
          photo={photo}
          onTurn={() => void photos.turn(photo.id)}
          onReplace={(file) => void photos.replace(photo.id, file)}
          onRetry={() => photos.retry(photo.id)}
          onRemove={() => {
            photos.remove(photo.id)
            onTouched()
          }}
        />
      ))}
    </ul>
  )
}

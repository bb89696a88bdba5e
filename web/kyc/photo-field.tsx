import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { photoBytesMax, photoPixelsMin, photosMax, photoTypes } from '#contract/people/kyc.ts'
import { MIB } from '#contract/platform/fields.ts'
import { afterPress } from '../kernel/forms/after-press.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import { FieldNotes } from '../kernel/ui/field.tsx'
import { Spinner } from '../kernel/ui/loading.tsx'
import styles from './photo-field.module.css'
import { type Photo, withoutProblems } from './photos.ts'
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

type RowProps = {
  photo: Photo
  onTurn: () => void
  onReplace: (file: File) => void
  onRetry: () => void
  onRemove: () => void
}

/** One chosen photo: preview, upload progress, and actions. */
function PhotoRow(props: RowProps) {
  const { t } = useMessages()
  const { name, preview, upload } = props.photo
  return (
    <li data-wrong={upload.state === 'wrong' || undefined}>
      {preview ? (
        <img src={preview} alt="" width="96" height="96" />
      ) : (
        <span className={styles.noPreview}>{t('kyc.photo.noPreview')}</span>
      )}
      <div className={styles.about}>
        <span className={styles.name}>{name}</span>
        <UploadState photo={props.photo} />
        <PhotoActions {...props} />
      </div>
    </li>
  )
}

function PhotoActions({ photo: { name, preview, upload }, onTurn, onReplace, onRetry, onRemove }: RowProps) {
  const { t } = useMessages()
  const again = useRef<HTMLInputElement>(null)
  return (
    <>
      <span className={styles.actions}>
        {upload.state === 'failed' && (
          <button type="button" aria-label={t('kyc.photo.retryNamed', { name })} onClick={onRetry}>
            {t('kyc.photo.retry')}
          </button>
        )}
        {preview && upload.state !== 'wrong' && (
          <button type="button" aria-label={t('kyc.photo.turnNamed', { name })} onClick={onTurn}>
            {t('kyc.photo.turn')}
          </button>
        )}
        <button
          type="button"
          aria-label={t('kyc.photo.replaceNamed', { name })}
          onClick={() => again.current?.click()}
        >
          {t('kyc.photo.replace')}
        </button>
        <button type="button" aria-label={t('kyc.photo.removeNamed', { name })} onClick={onRemove}>
          {t('kyc.photo.remove')}
        </button>
      </span>
      <input
        ref={again}
        type="file"
        accept={accepted}
        hidden
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) onReplace(file)
        }}
      />
    </>
  )
}

const bounds = {
  unreadable: { max: '', min: '' },
  tooLarge: { max: photoBytesMax / MIB, min: '' },
  tooSmall: { max: photoPixelsMin.long, min: photoPixelsMin.short },
}

function UploadState({ photo: { name, picture, upload } }: { photo: Photo }) {
  const { t, formatNumber } = useMessages()
  const size = formatNumber(Math.max(0.1, Math.round((picture.size / MIB) * 10) / 10))
  if (upload.state === 'wrong')
    return (
      <small className={styles.failed} role="alert">
        {t(`kyc.photo.${upload.problem}`, { name, ...bounds[upload.problem] })}
      </small>
    )
  if (upload.state === 'failed')
    return (
      <small className={styles.failed} role="status">
        {t('kyc.photo.failed', { reason: upload.message })}
      </small>
    )
  if (upload.state === 'stored')
    return (
      <small className={styles.stored} role="status">
        {t('kyc.photo.stored', { size })}
      </small>
    )
  return (
    <small>
      {t('kyc.photo.sending')}
      <progress value={upload.sent} max={1} aria-label={t('kyc.photo.sendingNamed', { name })} />
    </small>
  )
}

/** iOS converts photos to JPEG unless HEIC is listed explicitly; other systems offer the files as they are. */
const accepted = [...photoTypes, '.heic', '.heif'].join(',')

import { useEffect, useId, useState, type DragEvent } from 'react'
import { photosMax, photoBytesMax, photoTypes } from '#contract/kyc.ts'
import { MIB } from '#contract/fields.ts'
import type { MessageKey } from '../i18n/message-key.ts'
import { useWords } from '../i18n/words.tsx'
import { FieldNotes } from '../ui/field.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './photo-field.module.css'
import { readPhotos, type Photo, type PhotoProblem } from './read-photos.ts'

const problemWords: Readonly<Record<PhotoProblem['problem'], MessageKey>> = {
  unreadable: 'kyc.photo.unreadable',
  tooLarge: 'kyc.photo.tooLarge',
  tooMany: 'kyc.photo.tooMany',
}
/** iOS turns its photos into JPEG where HEIC is not asked for by name; other systems offer what they have. */
const accepted = [...photoTypes, '.heic', '.heif'].join(',')

/** Chooses the photos: by the file dialog, several at once or one after the other, or dropped on it. */
export function PhotoField({
  photos,
  onChange,
  isErrorDue,
  onTouched,
  serverError,
}: {
  photos: readonly Photo[]
  onChange: (photos: Photo[]) => void
  /** The control was touched, or the form was tried to be sent. */
  isErrorDue: boolean
  onTouched: () => void
  serverError?: string | undefined
}) {
  const { t } = useWords()
  const id = useId()
  const [problems, setProblems] = useState<PhotoProblem[]>([])
  const [isReading, setIsReading] = useState(false)
  const [isOver, setIsOver] = useState(false)

  async function add(files: readonly File[]) {
    setIsReading(true)
    const read = await readPhotos(files, photos.length)
    setIsReading(false)
    setProblems(read.problems)
    onChange([...photos, ...read.photos])
    onTouched()
  }
  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    void add([...event.dataTransfer.files])
  }

  const isEmpty = photos.length === 0
  const hasUnreadable = problems.some(({ problem }) => problem === 'unreadable')
  const isWrong = (isErrorDue && isEmpty && !isReading) || hasUnreadable
  const said = [
    ...(isWrong ? [t('kyc.photo.required')] : []),
    ...problems.map(({ name, problem }) =>
      t(problemWords[problem], { name, max: problem === 'tooMany' ? photosMax : photoBytesMax / MIB }),
    ),
    ...(serverError ? [serverError] : []),
  ]
  return (
    <div className={styles.field}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an extra; the input does it all */}
      <label
        className={styles.label}
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
      >
        {t('kyc.photos')}
        <span className={styles.zone} data-over={isOver || undefined} data-wrong={isWrong || undefined}>
          {isReading && <Spinner />}
          <span>{t(isEmpty ? 'kyc.photo.choose' : 'kyc.photo.chooseMore')}</span>
        </span>
      </label>
      <input
        id={id}
        className={styles.input}
        type="file"
        name="photoId"
        accept={accepted}
        multiple
        required
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-error ${id}-help`}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // So that the same file can be chosen again after it was removed.
          event.target.value = ''
          void add(files)
        }}
        onBlur={onTouched}
        ref={(input) => {
          // React has no event for a file dialog that is left without a choice.
          input?.addEventListener('cancel', onTouched)
          return () => input?.removeEventListener('cancel', onTouched)
        }}
      />
      <FieldNotes
        id={id}
        error={said.length > 0 ? said.map((line) => <span key={line}>{line}</span>) : undefined}
        help={t('kyc.photo.help', { max: photosMax, size: photoBytesMax / MIB })}
      />
      <ul className={styles.photos}>
        {photos.map((photo, index) => (
          <PhotoRow
            key={photo.id}
            photo={photo}
            onRemove={() => {
              onChange(photos.filter((_, each) => each !== index))
              onTouched()
            }}
          />
        ))}
      </ul>
    </div>
  )
}

function PhotoRow({ photo, onRemove }: { photo: Photo; onRemove: () => void }) {
  const { t, formatNumber } = useWords()
  const { preview } = photo
  useEffect(() => () => (preview ? URL.revokeObjectURL(preview) : undefined), [preview])
  const megabytes = Math.max(0.1, Math.round((photo.size / MIB) * 10) / 10)
  return (
    <li>
      {preview ? (
        <img src={preview} alt="" width="72" height="72" />
      ) : (
        <span className={styles.noPreview}>{t('kyc.photo.noPreview')}</span>
      )}
      <span className={styles.name}>
        {photo.name}
        <small>{t('kyc.photo.size', { size: formatNumber(megabytes) })}</small>
      </span>
      <button type="button" aria-label={t('kyc.photo.removeNamed', { name: photo.name })} onClick={onRemove}>
        {t('kyc.photo.remove')}
      </button>
    </li>
  )
}

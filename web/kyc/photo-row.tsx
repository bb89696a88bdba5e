import { useRef } from 'react'
import { MIB } from '#contract/fields.ts'
import { photoBytesMax, photoPixelsMin, photoTypes } from '#contract/kyc.ts'
import { useMessages } from '../i18n/messages.tsx'
import styles from './photo-field.module.css'
import type { Photo } from './photos.ts'

type Props = {
  photo: Photo
  onTurn: () => void
  onReplace: (file: File) => void
  onRetry: () => void
  onRemove: () => void
}

/** One chosen photo: preview, upload progress, and actions. */
export function PhotoRow(props: Props) {
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

function PhotoActions({ photo: { name, preview, upload }, onTurn, onReplace, onRetry, onRemove }: Props) {
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
export const accepted = [...photoTypes, '.heic', '.heif'].join(',')

import { useId, useState } from 'react'
import { ambassadorPictureBytesMax } from '#contract/ambassador-profiles.ts'
import { isHeic, preparePicture, readDataUrl } from '../../prepare-picture.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldNotes } from '../../ui/field.tsx'
import styles from './own-ambassador.module.css'

/** Why a file is not taken. */
export type PictureFault = 'unreadable' | 'tooLarge'

/** `given` is what is sent: a data URL, empty to remove the picture, absent to leave it as it is. */
export type ChosenPicture = { shown: string | null; given?: string }

/** A picture is scaled down before it is sent, so that none is too large. HEIC, which few browsers read, is sent as it is. */
async function choose(file: File): Promise<ChosenPicture | PictureFault> {
  const prepared = await preparePicture(file, 0)
  if (prepared) {
    const given = await readDataUrl(prepared.blob, 'image/jpeg')
    return { shown: given, given }
  }
  if (!isHeic(file)) return 'unreadable'
  if (file.size > ambassadorPictureBytesMax) return 'tooLarge'
  return { shown: null, given: await readDataUrl(file, 'image/heic') }
}

export function PictureField({
  picture,
  error,
  onChange,
  onFault,
}: {
  picture: ChosenPicture
  error: string | undefined
  onChange: (picture: ChosenPicture) => void
  /** What was chosen before stays. */
  onFault: (fault: PictureFault) => void
}) {
  const { t } = useWords()
  const id = useId()
  const [isReading, setReading] = useState(false)
  const has = picture.given === undefined ? picture.shown !== null : picture.given !== ''
  async function take(input: HTMLInputElement) {
    const [file] = input.files ?? []
    if (!file) return
    setReading(true)
    const chosen = await choose(file).finally(() => setReading(false))
    // So that the same file can be chosen again.
    input.value = ''
    if (typeof chosen === 'string') onFault(chosen)
    else onChange(chosen)
  }
  return (
    <div className={styles.pictureField}>
      {picture.shown && (
        <img
          className={styles.picture}
          src={picture.shown}
          alt={t('ambassadorAccount.form.picture.alt')}
          width={160}
          height={160}
        />
      )}
      <div>
        <label className={styles.pictureLabel} htmlFor={id}>
          {t('ambassadorAccount.form.picture')}
        </label>
        <input
          id={id}
          className={styles.file}
          type="file"
          accept="image/jpeg,image/png,image/webp,image/heic,.heic,.heif"
          aria-invalid={error !== undefined || undefined}
          aria-describedby={`${id}-help${error === undefined ? '' : ` ${id}-error`}`}
          aria-busy={isReading}
          onChange={({ target }) => void take(target)}
        />
        <label className={styles.choose} htmlFor={id}>
          {t('ambassadorAccount.form.picture.choose')}
        </label>
        <FieldNotes
          id={id}
          error={error}
          help={`${t('ambassadorAccount.form.picture.help')}${has ? '' : ` ${t('ambassadorAccount.form.picture.none')}`}`}
        />
        {has && (
          <Button kind="quiet" onClick={() => onChange({ shown: null, given: '' })}>
            {t('ambassadorAccount.form.picture.remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

import { useId, useState } from 'react'
import { isHeic, preparePicture, readDataUrl } from '../../prepare-picture.ts'
import { useWords } from '../../i18n/words.tsx'
import { Button } from '../../ui/button.tsx'
import { FieldNotes } from '../../ui/field.tsx'
import styles from './own-ambassador.module.css'

/** `given` is what is sent: a data URL, empty to remove the picture, absent to leave it as it is. */
export type ChosenPicture = { shown: string | null; given?: string }

/** A picture is scaled down before it is sent, so that none is too large; what this browser cannot read, the server tries. */
async function choose(file: File): Promise<ChosenPicture> {
  const prepared = await preparePicture(file, 0)
  if (prepared) {
    const given = await readDataUrl(prepared.blob, 'image/jpeg')
    return { shown: given, given }
  }
  return { shown: null, given: await readDataUrl(file, isHeic(file) ? 'image/heic' : file.type) }
}

export function PictureField({
  picture,
  error,
  onChange,
}: {
  picture: ChosenPicture
  error: string | undefined
  onChange: (picture: ChosenPicture) => void
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
    onChange(chosen)
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

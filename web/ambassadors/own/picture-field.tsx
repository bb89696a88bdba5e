import { useState } from 'react'
import { ambassadorPictureBytesMax } from '#contract/ambassador-profiles.ts'
import { isHeic, preparePicture, readDataUrl } from '../../prepare-picture.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Button } from '../../ui/button.tsx'
import { FileField } from '../../ui/field.tsx'
import styles from './own-ambassador.module.css'

/** Why a file is rejected. */
export type PictureProblem = 'unreadable' | 'tooLarge'

/** `given` is what is sent: a data URL, an empty string to remove the picture, or undefined to keep it. */
export type ChosenPicture = { shown: string | null; given?: string }

/**
 * Scales a picture down before it is sent, so that it is never too large. HEIC, which few browsers can read, is sent
 * unchanged.
 */
async function choose(file: File): Promise<ChosenPicture | PictureProblem> {
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
  onProblem,
}: {
  picture: ChosenPicture
  error: string | undefined
  onChange: (picture: ChosenPicture) => void
  /** The previous choice is kept. */
  onProblem: (problem: PictureProblem) => void
}) {
  const { t } = useMessages()
  const [isReading, setReading] = useState(false)
  const has = picture.given === undefined ? picture.shown !== null : picture.given !== ''
  async function take(input: HTMLInputElement) {
    const [file] = input.files ?? []
    if (!file) return
    setReading(true)
    const chosen = await choose(file).finally(() => setReading(false))
    // Allows choosing the same file again.
    input.value = ''
    if (typeof chosen === 'string') onProblem(chosen)
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
        <FileField
          label={t('ambassadorAccount.form.picture')}
          chooseLabel={t('ambassadorAccount.form.picture.choose')}
          error={error}
          help={`${t('ambassadorAccount.form.picture.help')}${has ? '' : ` ${t('ambassadorAccount.form.picture.none')}`}`}
          accept="image/jpeg,image/png,image/webp,image/heic,.heic,.heif"
          aria-busy={isReading}
          onChange={({ target }) => void take(target)}
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

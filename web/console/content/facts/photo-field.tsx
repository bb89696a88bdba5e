import { uploadContentPicture } from '#contract/console-content-files.ts'
import { useAction } from '../../../actions/use-action.ts'
import { call, CallFailed } from '../../../call/call.ts'
import { useMessages } from '../../../i18n/messages.tsx'
import { isHeic, preparePicture, readDataUrl } from '../../../prepare-picture.ts'
import { TextButton } from '../../../ui/button.tsx'
import { FileField, type FieldFrame } from '../../../ui/field.tsx'
import styles from './facts.module.css'

/**
 * Scales a picture down before it is sent, so that it is never too large. If this browser cannot read it, the server
 * tries.
 */
async function read(file: File): Promise<string> {
  const prepared = await preparePicture(file, 0)
  if (prepared) return readDataUrl(prepared.blob, 'image/jpeg')
  return readDataUrl(file, isHeic(file) ? 'image/heic' : file.type || 'image/unknown')
}

/** The picture of a person or partner. Without one, a rosette is drawn from the name. */
export function PhotoField({
  label,
  error,
  optional,
  place,
  photo,
  onPhoto,
  mayWrite,
}: FieldFrame & {
  place: string
  /** The file name; empty if there is no picture. */
  photo: string
  onPhoto: (photo: string) => void
  mayWrite: boolean
}) {
  const { t } = useMessages()
  const { isBusy, failure, error: said, run } = useAction()
  const refused =
    failure instanceof CallFailed ? failure.errors.find(({ path }) => path === 'picture')?.message : undefined
  async function take(input: HTMLInputElement) {
    const [file] = input.files ?? []
    if (!file) return
    await run(async () => {
      const { photo: name } = await call(uploadContentPicture, { body: { picture: await read(file) } })
      onPhoto(name)
    })
    // Allows choosing the same file again.
    input.value = ''
  }
  return (
    <div className={styles.photo}>
      {photo !== '' && (
        <img src={`/assets/people/${photo}`} alt={t('consoleContent.photo.alt')} width={80} height={80} />
      )}
      <div>
        <FileField
          label={label}
          optional={optional}
          chooseLabel={t('forms.file.choose')}
          error={refused ?? said ?? error}
          help={isBusy ? t('forms.sending') : photo === '' ? t('consoleContent.photo.none') : photo}
          data-place={place}
          disabled={!mayWrite}
          accept="image/jpeg,image/png,image/webp,image/gif,image/heic,.heic,.heif"
          aria-busy={isBusy}
          onChange={({ target }) => void take(target)}
        />
        {photo !== '' && mayWrite && (
          <TextButton onClick={() => onPhoto('')}>{t('consoleContent.photo.remove')}</TextButton>
        )}
      </div>
    </div>
  )
}

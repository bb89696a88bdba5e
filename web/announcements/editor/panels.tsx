import type { Editor } from '@tiptap/core'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { altText, type Picture, pictureBytesMax, uploadPicture } from '#contract/publishing/announcements.ts'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { MIB } from '#contract/platform/fields.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { FieldNotes, FileField, TextField } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { filmAt, linkAt } from './media.ts'
import styles from './editor.module.css'

type PanelProps = { editor: Editor; onClose: () => void }

/**
 * A row of fields under the toolbar. It is not a form, because it is inside the post's form. Enter applies, and Escape
 * closes.
 */
function Panel({
  label,
  apply,
  applyLabel,
  isBusy = false,
  onClose,
  beside,
  children,
}: {
  label: string
  apply: () => void
  applyLabel: string
  isBusy?: boolean
  onClose: () => void
  beside?: ReactNode
  children: ReactNode
}) {
  const { t } = useMessages()
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => ref.current?.querySelector('input')?.focus(), [])
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) apply()
    else return
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles the keys of the fields inside
    <div ref={ref} className={styles.panel} role="group" aria-label={label} onKeyDown={onKeyDown}>
      {children}
      <div className={styles.actions}>
        <Button kind="quiet" busy={isBusy} onClick={apply}>
          {applyLabel}
        </Button>
        {beside}
        <Button kind="quiet" onClick={onClose}>
          {t('forms.cancel')}
        </Button>
      </div>
    </div>
  )
}

export function LinkPanel({ editor, onClose }: PanelProps) {
  const { t } = useMessages()
  const known: unknown = editor.getAttributes('link')['href']
  const [address, setAddress] = useState(typeof known === 'string' ? known : '')
  const [isWrong, setIsWrong] = useState(false)
  function apply() {
    const href = linkAt(address)
    if (!href) return setIsWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    if (editor.state.selection.empty && !known)
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run()
    else chain.setLink({ href }).run()
    onClose()
  }
  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetLink().run()
    onClose()
  }
  return (
    <Panel
      label={t('editor.link')}
      apply={apply}
      applyLabel={t('editor.apply')}
      onClose={onClose}
      beside={
        known ? (
          <Button kind="quiet" onClick={remove}>
            {t('editor.link.remove')}
          </Button>
        ) : undefined
      }
    >
      <TextField
        label={t('editor.address')}
        value={address}
        inputMode="url"
        error={isWrong ? t('editor.link.wrong') : undefined}
        onChange={(event) => {
          setAddress(event.target.value)
          setIsWrong(false)
        }}
      />
    </Panel>
  )
}

export function FilmPanel({ editor, onClose }: PanelProps) {
  const { t } = useMessages()
  const [address, setAddress] = useState('')
  const [title, setTitle] = useState('')
  const [isWrong, setIsWrong] = useState(false)
  function apply() {
    const film = filmAt(address, location.origin)
    if (!film) return setIsWrong(true)
    editor
      .chain()
      .focus()
      .insertContent({ type: 'film', attrs: { ...film, title: title.trim() || null } })
      .run()
    onClose()
  }
  return (
    <Panel label={t('editor.film')} apply={apply} applyLabel={t('editor.insert')} onClose={onClose}>
      <TextField
        label={t('editor.address')}
        value={address}
        inputMode="url"
        help={t('editor.film.help')}
        error={isWrong ? t('editor.film.wrong') : undefined}
        onChange={(event) => {
          setAddress(event.target.value)
          setIsWrong(false)
        }}
      />
      <TextField
        label={t('editor.film.title')}
        value={title}
        maxLength={boundsOf(altText).maxLength}
        onChange={(event) => setTitle(event.target.value)}
      />
    </Panel>
  )
}

type PictureProblems = { file?: string | undefined; alt?: string | undefined }

export function PicturePanel({ editor, file, onClose }: PanelProps & { file: File | null }) {
  const { t } = useMessages()
  return (
    <UploadPanel
      label={t('editor.picture')}
      applyLabel={t('editor.insert')}
      file={file}
      onUploaded={(stored, alt) => {
        const attrs = { ...stored, width: String(stored.width), height: String(stored.height), alt }
        editor.chain().focus().insertContent({ type: 'picture', attrs }).run()
        onClose()
      }}
      onClose={onClose}
    />
  )
}

/** Uploads a picture with its description. A problem is shown at the field that caused it. */
export function UploadPanel({
  label,
  applyLabel,
  file,
  onUploaded,
  onClose,
}: {
  label: string
  applyLabel: string
  /** The pasted or dropped file. Without it, the panel has a file field. */
  file: File | null
  onUploaded: (picture: Picture, alt: string) => void
  onClose: () => void
}) {
  const { t } = useMessages()
  const id = useId()
  const { chosen, choose, alt, describe, problems, isSending, error, apply } = usePicture(file, onUploaded)
  return (
    <Panel
      label={label}
      apply={() => void apply()}
      applyLabel={applyLabel}
      isBusy={isSending}
      onClose={onClose}
    >
      {file ? (
        <div>
          <p className={styles.file}>{file.name}</p>
          <FieldNotes id={id} error={problems.file} />
        </div>
      ) : (
        <FileField
          label={t('editor.picture.file')}
          chooseLabel={t('forms.file.choose')}
          chosenName={chosen?.name}
          accept="image/jpeg,image/png,image/webp,image/gif"
          error={problems.file}
          onChange={(event) => choose(event.target.files?.[0] ?? null)}
        />
      )}
      <TextField
        label={t('editor.picture.alt')}
        help={t('editor.picture.altHelp')}
        value={alt}
        maxLength={boundsOf(altText).maxLength}
        error={problems.alt}
        onChange={(event) => describe(event.target.value)}
      />
      <FormStatus error={error} />
    </Panel>
  )
}

/** The state of a picture to upload: its file and its description. */
function usePicture(file: File | null, onUploaded: (picture: Picture, alt: string) => void) {
  const { t } = useMessages()
  const [chosen, setChosen] = useState(file)
  const [alt, setAlt] = useState('')
  const [problems, setProblems] = useState<PictureProblems>({})
  const { isBusy: isSending, error, run, reset } = useAction()
  const tooLarge = t('editor.picture.tooLarge', { size: pictureBytesMax / MIB })
  const choose = (next: File | null) => {
    setChosen(next)
    setProblems({ ...problems, file: undefined })
    reset()
  }
  const describe = (next: string) => {
    setAlt(next)
    setProblems({ ...problems, alt: undefined })
  }
  const upload = async (picture: File) =>
    onUploaded(await call(uploadPicture, { body: { picture: await readDataUrl(picture) } }), alt.trim())
  async function apply() {
    if (isSending) return
    const found: PictureProblems = {
      ...(!chosen && { file: t('editor.picture.choose') }),
      ...(chosen && chosen.size > pictureBytesMax && { file: tooLarge }),
      ...(!alt.trim() && { alt: t('editor.picture.altNeeded') }),
    }
    setProblems(found)
    if (!chosen || found.file || found.alt) return reset()
    await run(async () => {
      try {
        await upload(chosen)
      } catch (failure) {
        const atFile = failure instanceof CallFailed ? ofFile(failure) : undefined
        if (!atFile) throw failure
        setProblems({ file: atFile })
      }
    })
  }
  const ofFile = ({ code, errors }: CallFailed) =>
    code === 'payload_too_large' ? tooLarge : errors.find(({ path }) => path === 'picture')?.message
  return { chosen, choose, alt, describe, problems, isSending, error, apply }
}

const readDataUrl = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'))
    reader.readAsDataURL(file)
  })

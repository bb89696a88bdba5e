import { useId, useState } from 'react'
import {
  documentBytesMax,
  openContentDocument,
  uploadContentDocument,
  withdrawContentDocument,
  type DocumentEntry,
} from '#contract/publishing/console-content-files.ts'
import type { ContentItemDetail } from '#contract/publishing/console-content.ts'
import { MIB } from '#contract/platform/fields.ts'
import { languages, type Language } from '#contract/platform/languages.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call, callFile, CallFailed, callWithProgress } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { boundsOf } from '../../kernel/forms/field-bounds.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { readDataUrl } from '../../kernel/prepare-picture.ts'
import { saveFile } from '../../kernel/save-file.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { FileField, TextField } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { Tag } from '../../kernel/ui/tag.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import styles from './document.module.css'
import { languageWord } from './facts/field-labels.ts'

type Entries = Readonly<Record<Language, DocumentEntry | null>>
type Props = { piece: ContentItemDetail; mayWrite: boolean; onSaved: (piece: ContentItemDetail) => void }

/** The PDFs of one document: in each language, the published one, the draft, and an upload form. */
export function DocumentEditor({ piece, mayWrite, onSaved }: Props) {
  return (
    <div className={styles.documents}>
      {languages.map((language) => (
        <OneLanguage key={language} language={language} piece={piece} mayWrite={mayWrite} onSaved={onSaved} />
      ))}
    </div>
  )
}

function OneLanguage({ piece, language, mayWrite, onSaved }: Props & { language: Language }) {
  const { t } = useMessages()
  const published = (piece.published as Entries | null)?.[language] ?? null
  const now = (piece.value as Entries | null)?.[language] ?? null
  const isWithdrawn = published !== null && now === null
  return (
    <section className={styles.language} aria-labelledby={`document-${language}`}>
      <h2 id={`document-${language}`}>{languageWord(t, language)}</h2>
      <Editions published={published} now={now} />
      {mayWrite && published && !isWithdrawn && (
        <Withdraw piece={piece} language={language} onSaved={onSaved} />
      )}
      {mayWrite && <Upload piece={piece} language={language} entry={now} onSaved={onSaved} />}
    </section>
  )
}

/** The published PDF, and the one in the draft. */
function Editions({ published, now }: Record<'published' | 'now', DocumentEntry | null>) {
  const { t } = useMessages()
  const isDraft = now !== null && now.sha256 !== published?.sha256
  return (
    <>
      {!published && !isDraft && <p>{t('consoleContent.document.none')}</p>}
      {published && <Entry entry={published} isDraft={false} />}
      {isDraft && <Entry entry={now} isDraft />}
      {published && !now && <p>{t('consoleContent.document.withdrawn')}</p>}
    </>
  )
}

function Entry({ entry, isDraft }: { entry: DocumentEntry; isDraft: boolean }) {
  const { t, formatNumber } = useMessages()
  const { error, run } = useAction()
  const open = () =>
    run(async () => {
      const { file } = await callFile(openContentDocument, { params: { sha256: entry.sha256 } })
      saveFile(file, entry.file)
    })
  return (
    <div className={styles.entry}>
      <p>
        {isDraft ? (
          <Tag colour="yellow">{t('consoleContent.state.draft')}</Tag>
        ) : (
          <Tag colour="green">{t('consoleContent.document.published')}</Tag>
        )}
      </p>
      <LabeledFacts
        facts={{
          'consoleContent.field.title': entry.title,
          'consoleContent.field.version': entry.version,
          'consoleContent.field.date': entry.date,
          'consoleContent.field.pages': formatNumber(entry.pages),
          'consoleContent.field.bytes': t('consoleContent.document.size', {
            count: Math.ceil(entry.bytes / 1000),
          }),
          'consoleContent.field.sha256': <code className={styles.hash}>{entry.sha256}</code>,
        }}
      />
      {isDraft ? (
        <TextButton onClick={() => void open()}>{t('consoleContent.document.save')}</TextButton>
      ) : (
        <a href={`/assets/pdfs/${entry.file}`} target="_blank" rel="noreferrer">
          {t('consoleContent.document.open')}
        </a>
      )}
      <FormStatus error={error} />
    </div>
  )
}

/** Once this is published, the file is no longer offered to anyone. */
function Withdraw({ piece, language, onSaved }: Omit<Props, 'mayWrite'> & { language: Language }) {
  const { t } = useMessages()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const base = baseOf(piece)
  return (
    <>
      <p>
        <TextButton onClick={() => setDialogOpen(true)}>{t('consoleContent.document.withdraw')}</TextButton>
      </p>
      {isDialogOpen && (
        <ConfirmDialog
          title={t('consoleContent.document.withdraw.title')}
          label={t('consoleContent.document.withdraw.now')}
          kind="danger"
          dismissLabel={t('consoleContent.back')}
          step={() => call(withdrawContentDocument, { body: { base, language, basedOn: piece.version } })}
          onDone={(saved) => {
            showNotice(t('consoleContent.document.withdraw.done'), 'success')
            onSaved(saved)
          }}
          onClose={() => setDialogOpen(false)}
        >
          <p>{t('consoleContent.document.withdraw.text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const baseOf = ({ piece }: ContentItemDetail): string => piece.slice('documents/'.length)

const { title: titleSchema, version: versionSchema } = uploadContentDocument.body.shape

function findProblems(
  t: UsedMessages['t'],
  { title, version, file }: { title: string; version: string; file: File | undefined },
): Record<string, string> {
  const required = t('FormErrors.FieldRequiredError')
  const versionWrong = t('consoleContent.document.version.wrong')
  const tooLarge = t('consoleContent.document.tooLarge', { max: documentBytesMax / MIB })
  return {
    ...(!titleSchema.safeParse(title).success && { title: required }),
    ...(!versionSchema.safeParse(version.trim()).success && { version: versionWrong }),
    ...(!file && { pdf: required }),
    ...(file && file.size > documentBytesMax && { pdf: tooLarge }),
  }
}

/** The input of an upload, and its problems by field. */
function useUpload({ piece, language, entry, onSaved }: UploadProps) {
  const { t } = useMessages()
  const [title, setTitle] = useState(entry?.title ?? '')
  const [version, setVersion] = useState('')
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState<number>()
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  // Changing the key clears the file input.
  const [fileKey, setFileKey] = useState(0)
  const { isBusy, failure, error, run } = useAction()
  const errors = failure instanceof CallFailed ? failure.errors : []
  const send = async (pdf: File) => {
    const body = {
      base: baseOf(piece),
      language,
      title: title.trim(),
      version: version.trim(),
      basedOn: piece.version,
      pdf: await readDataUrl(pdf, 'application/pdf'),
    }
    const saved = await callWithProgress(uploadContentDocument, { body }, setSent)
    setFile(undefined)
    setVersion('')
    setFileKey((before) => before + 1)
    showNotice(t('consoleContent.document.uploaded'), 'success')
    onSaved(saved)
  }
  const upload = () => {
    const problems = findProblems(t, { title, version, file })
    setWrong(problems)
    if (Object.keys(problems).length > 0 || !file) return
    void run(() => send(file).finally(() => setSent(undefined)))
  }
  const errorAt = (path: string) => wrong[path] ?? errors.find((each) => each.path === path)?.message
  const status = errors.length === 0 ? error : undefined
  return {
    title,
    setTitle,
    version,
    setVersion,
    file,
    setFile,
    fileKey,
    sent,
    isBusy,
    errorAt,
    status,
    upload,
  }
}

type UploadProps = Omit<Props, 'mayWrite'> & { language: Language; entry: DocumentEntry | null }

function Upload(props: UploadProps) {
  const { t, formatNumber } = useMessages()
  const id = useId()
  const form = useUpload(props)
  const { sent, errorAt } = form
  return (
    <form
      className={styles.upload}
      method="post"
      noValidate
      // Includes the language, because there is one upload form per language.
      aria-labelledby={`${id}-upload document-${props.language}`}
      onSubmit={(event) => {
        event.preventDefault()
        form.upload()
      }}
    >
      <h3 id={`${id}-upload`}>{t('consoleContent.document.upload')}</h3>
      <TextField
        label={t('consoleContent.field.title')}
        error={errorAt('title')}
        value={form.title}
        maxLength={boundsOf(titleSchema).maxLength}
        onChange={({ target }) => form.setTitle(target.value)}
      />
      <TextField
        label={t('consoleContent.field.version')}
        help={t('consoleContent.document.version.help')}
        error={errorAt('version')}
        value={form.version}
        maxLength={boundsOf(versionSchema).maxLength}
        autoComplete="off"
        onChange={({ target }) => form.setVersion(target.value)}
      />
      <FileField
        key={form.fileKey}
        label={t('consoleContent.document.file')}
        chooseLabel={t('forms.file.choose')}
        chosenName={form.file?.name}
        error={errorAt('pdf')}
        help={t('consoleContent.document.file.help', { max: documentBytesMax / MIB })}
        accept="application/pdf,.pdf"
        onChange={({ target }) => form.setFile(target.files?.[0])}
      />
      <Button
        type="submit"
        kind="quiet"
        busy={form.isBusy}
        busyLabel={
          sent === undefined
            ? t('forms.sending')
            : t('consoleContent.document.sending', { percent: formatNumber(Math.round(sent * 100)) })
        }
      >
        {t('consoleContent.document.add')}
      </Button>
      <FormStatus error={form.status} />
    </form>
  )
}

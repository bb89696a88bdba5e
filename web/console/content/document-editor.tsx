import { useId, useState } from 'react'
import {
  documentBytesMax,
  openContentDocument,
  uploadContentDocument,
  withdrawContentDocument,
  type DocumentEntry,
} from '#contract/console-content-files.ts'
import type { ContentPieceWhole } from '#contract/console-content.ts'
import { MIB } from '#contract/fields.ts'
import { languages, type Language } from '#contract/languages.ts'
import { useAction } from '../../actions/use-action.ts'
import { call, callFile, CallFailed, callWithProgress } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useWords } from '../../i18n/words.tsx'
import { showNotice } from '../../notices/notices.ts'
import { readDataUrl } from '../../prepare-picture.ts'
import { saveFile } from '../../save-file.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { FieldNotes, TextField } from '../../ui/field.tsx'
import { Facts } from '../../ui/facts.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './document.module.css'
import { languageWord } from './facts/field-words.ts'

type Entries = Readonly<Record<Language, DocumentEntry | null>>
type Props = { piece: ContentPieceWhole; mayWrite: boolean; onSaved: (piece: ContentPieceWhole) => void }

/** The PDFs of one document: what is published in each language, what is in the draft, and a new one. */
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
  const { t } = useWords()
  const published = (piece.published as Entries | null)?.[language] ?? null
  const now = (piece.value as Entries | null)?.[language] ?? null
  const isDraft = now !== null && now.sha256 !== published?.sha256
  const isWithdrawn = published !== null && now === null
  return (
    <section className={styles.language} aria-labelledby={`document-${language}`}>
      <h2 id={`document-${language}`}>{languageWord(t, language)}</h2>
      {!published && !isDraft && <p>{t('consoleContent.document.none')}</p>}
      {published && <Entry entry={published} isDraft={false} />}
      {isDraft && <Entry entry={now} isDraft />}
      {isWithdrawn && <p>{t('consoleContent.document.withdrawn')}</p>}
      {mayWrite && published && !isWithdrawn && (
        <Withdraw piece={piece} language={language} onSaved={onSaved} />
      )}
      {mayWrite && <Upload piece={piece} language={language} entry={now} onSaved={onSaved} />}
    </section>
  )
}

function Entry({ entry, isDraft }: { entry: DocumentEntry; isDraft: boolean }) {
  const { t, formatNumber } = useWords()
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
      <Facts
        facts={[
          { name: 'title', label: t('consoleContent.field.title'), value: entry.title },
          { name: 'version', label: t('consoleContent.field.version'), value: entry.version },
          { name: 'date', label: t('consoleContent.field.date'), value: entry.date },
          { name: 'pages', label: t('consoleContent.field.pages'), value: formatNumber(entry.pages) },
          {
            name: 'bytes',
            label: t('consoleContent.field.bytes'),
            value: t('consoleContent.document.size', { count: Math.ceil(entry.bytes / 1000) }),
          },
          {
            name: 'sha256',
            label: t('consoleContent.field.sha256'),
            value: <code className={styles.hash}>{entry.sha256}</code>,
          },
        ]}
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

/** Once it is published, nobody is offered the edition any more. */
function Withdraw({ piece, language, onSaved }: Omit<Props, 'mayWrite'> & { language: Language }) {
  const { t } = useWords()
  const [isAsking, setAsking] = useState(false)
  const base = baseOf(piece)
  return (
    <>
      <p>
        <TextButton onClick={() => setAsking(true)}>{t('consoleContent.document.withdraw')}</TextButton>
      </p>
      {isAsking && (
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
          onClose={() => setAsking(false)}
        >
          <p>{t('consoleContent.document.withdraw.text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const baseOf = ({ piece }: ContentPieceWhole): string => piece.slice('documents/'.length)

const { title: titleSchema, version: versionSchema } = uploadContentDocument.body.shape

function Upload({
  piece,
  language,
  entry,
  onSaved,
}: Omit<Props, 'mayWrite'> & { language: Language; entry: DocumentEntry | null }) {
  const { t, formatNumber } = useWords()
  const id = useId()
  const [title, setTitle] = useState(entry?.title ?? '')
  const [version, setVersion] = useState('')
  const [file, setFile] = useState<File>()
  const [sent, setSent] = useState<number>()
  const [missing, setMissing] = useState<Readonly<Record<string, string>>>({})
  const [fileKey, setFileKey] = useState(0)
  const { isBusy, failure, error, run } = useAction()
  const errors = failure instanceof CallFailed ? failure.errors : []
  const errorAt = (path: string) => missing[path] ?? errors.find((each) => each.path === path)?.message
  const upload = () => {
    const required = t('FormErrors.FieldRequiredError')
    const wrong = {
      ...(titleSchema.safeParse(title).success ? {} : { title: required }),
      ...(versionSchema.safeParse(version.trim()).success
        ? {}
        : { version: t('consoleContent.document.version.wrong') }),
      ...(!file
        ? { pdf: required }
        : file.size > documentBytesMax
          ? { pdf: t('consoleContent.document.tooLarge', { max: documentBytesMax / MIB }) }
          : {}),
    }
    setMissing(wrong)
    if (Object.keys(wrong).length > 0 || !file) return
    void run(async () => {
      try {
        const body = {
          base: baseOf(piece),
          language,
          title: title.trim(),
          version: version.trim(),
          basedOn: piece.version,
          pdf: await readDataUrl(file, 'application/pdf'),
        }
        const saved = await callWithProgress(uploadContentDocument, { body }, setSent)
        setFile(undefined)
        setVersion('')
        setFileKey((before) => before + 1)
        showNotice(t('consoleContent.document.uploaded'), 'success')
        onSaved(saved)
      } finally {
        setSent(undefined)
      }
    })
  }
  return (
    <form
      className={styles.upload}
      method="post"
      noValidate
      // With its language: there is one for each.
      aria-labelledby={`${id}-upload document-${language}`}
      onSubmit={(event) => {
        event.preventDefault()
        upload()
      }}
    >
      <h3 id={`${id}-upload`}>{t('consoleContent.document.upload')}</h3>
      <TextField
        label={t('consoleContent.field.title')}
        error={errorAt('title')}
        value={title}
        maxLength={boundsOf(titleSchema).maxLength}
        onChange={({ target }) => setTitle(target.value)}
      />
      <TextField
        label={t('consoleContent.field.version')}
        help={t('consoleContent.document.version.help')}
        error={errorAt('version')}
        value={version}
        maxLength={boundsOf(versionSchema).maxLength}
        autoComplete="off"
        onChange={({ target }) => setVersion(target.value)}
      />
      <div className={styles.file}>
        <label htmlFor={id}>{t('consoleContent.document.file')}</label>
        <input
          key={fileKey}
          id={id}
          type="file"
          accept="application/pdf,.pdf"
          aria-invalid={errorAt('pdf') !== undefined || undefined}
          aria-describedby={`${id}-help ${id}-error`}
          onChange={({ target }) => setFile(target.files?.[0])}
        />
        <FieldNotes
          id={id}
          error={errorAt('pdf')}
          help={t('consoleContent.document.file.help', { max: documentBytesMax / MIB })}
        />
      </div>
      <Button
        type="submit"
        kind="quiet"
        busy={isBusy}
        busyLabel={
          sent === undefined
            ? t('forms.sending')
            : t('consoleContent.document.sending', { percent: formatNumber(Math.round(sent * 100)) })
        }
      >
        {t('consoleContent.document.add')}
      </Button>
      <FormStatus error={errors.length === 0 ? error : undefined} />
    </form>
  )
}

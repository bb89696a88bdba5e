import { useState } from 'react'
import { payoutItemsMax, type PayoutDetail } from '#contract/money/payouts.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { FileField, TextArea } from '../../kernel/ui/field.tsx'
import { readTransactionLines } from './read-transaction-lines.ts'
import { RecordDialog } from './record-dialog.tsx'
import styles from './payouts.module.css'

const sample = 'reference,txId\n1A2B3C4D5E,0x9f86d081884c7d65…'

type Props = { run: PayoutDetail; onChanged: () => void; onClose: () => void }

/** Records the transactions of a pasted or chosen file. */
export function RecordFileDialog({ run, onChanged, onClose }: Props) {
  const { t, joinNames } = useMessages()
  const [text, setText] = useState('')
  const [fileName, setFileName] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const { lines, incomplete } = readTransactionLines(text)
  const problem =
    (lines.length > payoutItemsMax && t('consolePayouts.record.tooMany', { max: payoutItemsMax })) ||
    (lines.length === 0 && t('consolePayouts.record.nothing'))
  const choose = async (file: File | undefined) => {
    if (!file) return
    setText(await file.text())
    setFileName(file.name)
  }
  return (
    <RecordDialog
      run={run}
      title={t('consolePayouts.record.title', { number: run.number })}
      read={() => {
        setChecked(true)
        return problem ? null : lines
      }}
      onChanged={onChanged}
      onClose={onClose}
    >
      <p>{t('consolePayouts.record.text')}</p>
      <pre className={styles.sample}>{sample}</pre>
      <FileField
        label={t('consolePayouts.record.file')}
        chooseLabel={t('forms.file.choose')}
        chosenName={fileName}
        accept=".csv,.txt,text/csv,text/plain"
        onClick={({ currentTarget }) => {
          // Allows choosing the same file again after it has been corrected.
          currentTarget.value = ''
        }}
        onChange={({ target }) => void choose(target.files?.[0])}
      />
      <TextArea
        label={t('consolePayouts.record.lines')}
        rows={6}
        spellCheck={false}
        error={isChecked && problem ? problem : undefined}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div role="status">
        {lines.length > 0 && <p>{t('consolePayouts.record.found', { count: lines.length })}</p>}
        {incomplete.length > 0 && (
          <p>{t('consolePayouts.record.incomplete', { lines: joinNames(incomplete.map(String)) })}</p>
        )}
      </div>
    </RecordDialog>
  )
}

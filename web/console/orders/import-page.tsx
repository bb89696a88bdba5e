import { useState, type ReactNode } from 'react'
import {
  importBytesMax,
  importLinesMax,
  importOrderPayments,
  type ImportPlan,
} from '#contract/money/import-payments.ts'
import type { StatementEncoding, StatementMapping } from '#contract/money/statements.ts'
import { useAction } from '../../kernel/actions/use-action.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { formatMoment } from '../../kernel/i18n/format-moment.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { page } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { FileField } from '../../kernel/ui/field.tsx'
import { FormStatus, Message } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { MappingForm } from './import/mapping-form.tsx'
import { OpenLines } from './import/open-lines.tsx'
import { PlanLines } from './import/plan-lines.tsx'
import { PlanProblems } from './import/plan-problems.tsx'
import styles from './orders.module.css'

/** Reads the raw bytes of the file, because the server detects its encoding. */
async function fileAsBase64(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // In chunks, because a function accepts a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

/** Shown in full, so that the required format is visible before a file is rejected. */
const sample = `reference,txId,amount,date,complete
ABC-1A2B3-C4D5E,0x9f86d081884c7d65…,1.5,2036-05-01,yes
ABC-0F9E8-D7C6B,0x2c26b46b68ffc68f…,0.25,2036-05-01 09:30,no`

const encodingNames: Readonly<Record<StatementEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16': 'UTF-16',
  gb18030: 'GB18030 (GBK)',
  'windows-1252': 'Windows-1252',
}

function ImportView() {
  const { t } = useMessages()
  const { member } = useSession()
  return (
    <>
      <BackLink href={pathTo('console.orders')}>{t('consoleOrders.back')}</BackLink>
      <PageHead heading={t('consoleOrders.import')} lead={t('consoleOrders.import.lead')} />
      {member && <Import />}
    </>
  )
}

type ChosenFile = { name: string; bytes: string }

function Import() {
  const { t } = useMessages()
  const [imports, setImports] = useState(0)
  const {
    file,
    isTooLarge,
    plan,
    setPlan,
    mapping,
    isMapping,
    setIsMapping,
    isBusy,
    error,
    choose,
    preview,
  } = useImport()
  return (
    <>
      <FormatHelp />
      <StatementFileField name={file?.name} isTooLarge={isTooLarge} isBusy={isBusy} onChoose={choose} />
      <FormStatus error={error} missing={isBusy && t('consoleOrders.import.reading')} />
      {plan?.encoding && (
        <p>{t('consoleOrders.import.encoding', { encoding: encodingNames[plan.encoding] })}</p>
      )}
      {file && plan?.mapping && isMapping && (
        <PagePart
          id="mapping"
          heading={t('consoleOrders.mapping.heading')}
          lead={t('consoleOrders.mapping.lead')}
        >
          <MappingForm
            columns={plan.columns}
            initial={plan.mapping}
            isBusy={isBusy}
            onMapped={(mapped) => void preview(file.bytes, mapped)}
          />
        </PagePart>
      )}
      {file && plan && !isMapping && (
        <PlanReport plan={plan}>
          <PlanActions
            file={file}
            plan={plan}
            mapping={mapping}
            onChangeMapping={() => setIsMapping(true)}
            onApplied={(applied) => {
              setPlan(applied)
              setImports(imports + 1)
            }}
          />
        </PlanReport>
      )}
      <OpenLines version={imports} />
    </>
  )
}

/** The chosen file, the plan for importing it, and the column mapping that the plan is based on. */
function useImport() {
  const [file, setFile] = useState<ChosenFile>()
  const [isTooLarge, setTooLarge] = useState(false)
  const [plan, setPlan] = useState<ImportPlan>()
  const [mapping, setMapping] = useState<StatementMapping>()
  const [isMapping, setIsMapping] = useState(false)
  const { isBusy, error, run, reset } = useAction()
  const preview = (bytes: string, mapped?: StatementMapping) =>
    run(async () => {
      const shown = await call(importOrderPayments, {
        body: { file: bytes, ...(mapped && { mapping: mapped }) },
      })
      setPlan(shown)
      setMapping(mapped)
      setIsMapping(shown.state === 'mapping')
    })
  const choose = (chosen: File | undefined) => {
    setPlan(undefined)
    setFile(undefined)
    reset()
    setTooLarge((chosen?.size ?? 0) > importBytesMax)
    if (!chosen || chosen.size > importBytesMax) return
    void run(async () => {
      const bytes = await fileAsBase64(chosen)
      setFile({ name: chosen.name, bytes })
      await preview(bytes)
    })
  }
  return { file, isTooLarge, plan, setPlan, mapping, isMapping, setIsMapping, isBusy, error, choose, preview }
}

function FormatHelp() {
  const { t } = useMessages()
  return (
    <details className={styles.how}>
      <summary className={styles.summary}>{t('consoleOrders.import.how')}</summary>
      <p>{t('consoleOrders.import.formats')}</p>
      <p>{t('consoleOrders.import.columns')}</p>
      <pre className={styles.sample}>{sample}</pre>
      <p>{t('consoleOrders.import.limits', { lines: importLinesMax })}</p>
    </details>
  )
}

function StatementFileField({
  name,
  isTooLarge,
  isBusy,
  onChoose,
}: {
  name: string | undefined
  isTooLarge: boolean
  isBusy: boolean
  onChoose: (file: File | undefined) => void
}) {
  const { t } = useMessages()
  return (
    <FileField
      label={t('consoleOrders.import.file')}
      chooseLabel={t('forms.file.choose')}
      chosenName={name}
      accept=".csv,.txt,.xml,text/csv,text/plain,text/xml,application/xml"
      disabled={isBusy}
      error={isTooLarge && t('consoleOrders.import.tooLarge')}
      onClick={({ currentTarget }) => {
        // Allows choosing the same file again after it has been corrected.
        currentTarget.value = ''
      }}
      onChange={({ target }) => onChoose(target.files?.[0])}
    />
  )
}

/** What the import would do or has done, with the buttons below the summary. */
function PlanReport({ plan, children }: { plan: ImportPlan; children: ReactNode }) {
  const { t, language } = useMessages()
  const isApplied = plan.state === 'applied'
  return (
    <>
      {plan.mappedBy && (
        <p>
          {t('consoleOrders.mapping.by', {
            name: staffName(plan.mappedBy.name, language),
            moment: formatMoment(plan.mappedBy.at, language),
          })}
        </p>
      )}
      <div className={styles.outcome}>
        <Outcome plan={plan} />
      </div>
      {children}
      {/* After the import, these lines are in the list below. */}
      {!isApplied && plan.problems.length > 0 && (
        <PagePart id="problems" heading={t('consoleOrders.import.problems')}>
          <PlanProblems problems={plan.problems} />
        </PagePart>
      )}
      {plan.lines.length > 0 && (
        <PagePart
          id="plan"
          heading={t(isApplied ? 'consoleOrders.import.result' : 'consoleOrders.import.lines')}
        >
          <PlanLines lines={plan.lines} />
        </PagePart>
      )}
    </>
  )
}

/** Applies a plan that can be applied, or changes the column mapping that it is based on. */
function PlanActions({
  file,
  plan,
  mapping,
  onChangeMapping,
  onApplied,
}: {
  file: ChosenFile
  plan: ImportPlan
  mapping: StatementMapping | undefined
  onChangeMapping: () => void
  onApplied: (applied: ImportPlan) => void
}) {
  const { t } = useMessages()
  const [isDialogOpen, setDialogOpen] = useState(false)
  if (plan.state !== 'checked' && plan.state !== 'changed') return null
  const effective = countEffective(plan)
  const apply = () =>
    call(importOrderPayments, {
      body: {
        file: file.bytes,
        ...(mapping && { mapping }),
        seen: plan.lines.map(({ id, updatedAt, effect }) => ({ id, updatedAt, effect })),
        preview: plan.preview,
      },
    })
  return (
    <>
      <div className={styles.actions}>
        {effective + plan.open + plan.kept > 0 && (
          <Button onClick={() => setDialogOpen(true)}>{t('consoleOrders.import.apply.open')}</Button>
        )}
        {plan.format === 'csv' && (
          <Button kind="quiet" onClick={onChangeMapping}>
            {t('consoleOrders.mapping.change')}
          </Button>
        )}
      </div>
      {isDialogOpen && (
        <ConfirmDialog
          title={t('consoleOrders.import.confirm.title', { name: file.name })}
          label={t('consoleOrders.import.apply')}
          step={apply}
          onDone={onApplied}
          onClose={() => setDialogOpen(false)}
        >
          <p>{t('consoleOrders.import.confirm.text', { count: effective, open: plan.open })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Counts the lines that change an order. */
const countEffective = ({ lines }: ImportPlan): number =>
  lines.filter(({ effect }) => effect !== 'nothing').length

function Outcome({ plan }: { plan: ImportPlan }) {
  const { t } = useMessages()
  if (plan.state === 'refused')
    return (
      <Message kind="bad" role="alert">
        {t('consoleOrders.import.refused')}
      </Message>
    )
  if (plan.state === 'changed') {
    const count = plan.lines.filter(({ isChanged }) => isChanged).length
    return (
      <Message kind="bad" role="alert">
        {count > 0 ? t('consoleOrders.import.changed', { count }) : t('consoleOrders.import.remapped')}
      </Message>
    )
  }
  const isDone = plan.state === 'applied'
  const counts = {
    count: countEffective(plan),
    open: plan.open,
    duplicates: plan.duplicates,
    ignored: plan.ignored,
  }
  return (
    <Message kind={isDone ? 'good' : 'note'} role="status">
      <p>{t(isDone ? 'consoleOrders.import.applied' : 'consoleOrders.import.checked')}</p>
      <p>{t(isDone ? 'consoleOrders.import.counts.done' : 'consoleOrders.import.counts', counts)}</p>
      {plan.pending > 0 && <p>{t('consoleOrders.import.pending', { count: plan.pending })}</p>}
    </Message>
  )
}

export default page({ View: ImportView })

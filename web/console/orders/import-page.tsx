import { useState } from 'react'
import {
  importBytesMax,
  importLinesMax,
  importOrderPayments,
  type ImportPlan,
} from '#contract/console-orders.ts'
import { useAction } from '../../actions/use-action.ts'
import { call } from '../../call/call.ts'
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx'
import { useWords } from '../../i18n/words.tsx'
import { page } from '../../routes/page.ts'
import { pathTo } from '../../routes/routes.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormStatus, Message } from '../../ui/form-status.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { fileAsBase64 } from './import/file-as-base64.ts'
import { PlanLines } from './import/plan-lines.tsx'
import { PlanProblems } from './import/plan-problems.tsx'
import styles from './orders.module.css'

/** Written out, so that what a file must look like is seen before it is refused. */
const sample = `reference,txId,amount,date,complete
ABC-1A2B3-C4D5E,0x9f86d081884c7d65…,1.5,2036-05-01,yes
ABC-0F9E8-D7C6B,0x2c26b46b68ffc68f…,0.25,2036-05-01 09:30,no`

function ImportView() {
  const { t } = useWords()
  const { member } = useSession()
  return (
    <>
      <p>
        <a href={pathTo('console.orders')}>{t('consoleOrders.back')}</a>
      </p>
      <PageHead heading={t('consoleOrders.import')} lead={t('consoleOrders.import.lead')} />
      {member && <Import />}
    </>
  )
}

type Chosen = { name: string; bytes: string }

function Import() {
  const { t } = useWords()
  const [chosen, setChosen] = useState<Chosen>()
  const [tooLarge, setTooLarge] = useState(false)
  const [plan, setPlan] = useState<ImportPlan>()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, error, run, forget } = useAction()
  const choose = (file: File | undefined) => {
    setPlan(undefined)
    setChosen(undefined)
    forget()
    setTooLarge((file?.size ?? 0) > importBytesMax)
    if (!file || file.size > importBytesMax) return
    void run(async () => {
      const bytes = await fileAsBase64(file)
      setChosen({ name: file.name, bytes })
      setPlan(await call(importOrderPayments, { body: { file: bytes } }))
    })
  }
  const todo = plan?.lines.filter(({ effect }) => effect !== 'nothing') ?? []
  const canApply = chosen !== undefined && (plan?.state === 'checked' || plan?.state === 'changed')
  return (
    <>
      <details className={styles.how}>
        <summary className={styles.summary}>{t('consoleOrders.import.how')}</summary>
        <p>{t('consoleOrders.import.columns')}</p>
        <pre className={styles.sample}>{sample}</pre>
        <p>{t('consoleOrders.import.limits', { lines: importLinesMax })}</p>
      </details>
      <TextField
        label={t('consoleOrders.import.file')}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        disabled={isBusy}
        error={tooLarge && t('consoleOrders.import.tooLarge')}
        onClick={({ currentTarget }) => {
          // The same file, mended, is chosen again.
          currentTarget.value = ''
        }}
        onChange={({ target }) => choose(target.files?.[0])}
      />
      <FormStatus error={error} missing={isBusy && t('consoleOrders.import.reading')} />
      {plan && <Outcome plan={plan} todo={todo.length} />}
      {plan && <PlanProblems problems={plan.problems} />}
      {canApply && todo.length > 0 && (
        <div className={styles.actions}>
          <Button onClick={() => setAsking(true)}>
            {t('consoleOrders.import.apply', { count: todo.length })}
          </Button>
        </div>
      )}
      {plan && <PlanLines lines={plan.lines} />}
      {isAsking && chosen && plan && (
        <ConfirmDialog
          title={t('consoleOrders.import.confirm.title', { count: todo.length, name: chosen.name })}
          label={t('consoleOrders.import.apply', { count: todo.length })}
          step={() =>
            call(importOrderPayments, {
              body: {
                file: chosen.bytes,
                seen: plan.lines.map(({ id, updatedAt }) => ({ id, updatedAt })),
              },
            })
          }
          onDone={setPlan}
          onClose={() => setAsking(false)}
        >
          <p>{t('consoleOrders.import.confirm.text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Outcome({ plan, todo }: { plan: ImportPlan; todo: number }) {
  const { t } = useWords()
  if (plan.state === 'applied')
    return (
      <Message kind="good" role="status">
        {t('consoleOrders.import.applied', { count: todo })}
      </Message>
    )
  if (plan.state === 'refused')
    return (
      <Message kind="bad" role="alert">
        {t('consoleOrders.import.refused', { count: plan.problems.length })}
      </Message>
    )
  if (plan.state === 'changed')
    return (
      <Message kind="bad" role="alert">
        {t('consoleOrders.import.changed', { count: plan.lines.filter(({ isChanged }) => isChanged).length })}
      </Message>
    )
  return (
    <Message kind="note" role="status">
      {todo > 0 ? t('consoleOrders.import.checked') : t('consoleOrders.import.nothing')}
    </Message>
  )
}

export default page({ View: ImportView })

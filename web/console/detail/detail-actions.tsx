import { useState, type ReactNode } from 'react'
import { useAction } from '../../kernel/actions/use-action.ts'
import { CallFailed } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import type { KeyTaking, PlainKey } from '../../kernel/i18n/message-key.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { StaleState, useStale } from './conflict.tsx'
import type { DetailContext } from './detail-page.tsx'
import { useAskedAction } from '../use-asked-action.ts'
import styles from './detail.module.css'
import { ReasonDialog, type ReasonField } from './reason-dialog.tsx'

/** Keys with other keys below them, such as `consoleMembers.export` with `consoleMembers.export.done`. */
type KeyWith<Part extends string> = {
  [Key in PlainKey]: `${Key}.${Part}` extends KeyTaking<'name'> ? Key : never
}[PlainKey]

/** The request of an action. Without `next`, its result is the record to show. */
type Step<R> =
  | { step: (reason: string) => Promise<R>; next?: undefined }
  | { step: (reason: string) => Promise<unknown>; next: 'reload' | 'leave' }

/** An action without confirmation. */
type ImmediateAction<R> = Step<R> & { words: KeyWith<'done'>; isImmediate: true }

/** Asks for confirmation and, if there is a field for it, for a reason. */
type ConfirmedAction<R> = Step<R> & {
  isImmediate?: undefined
  /** Replaces the label of the confirming button. */
  confirm?: string
  /** The color of the confirming button, if it differs from that of the first one. */
  confirmKind?: 'danger'
  dismiss?: PlainKey
  /** Shown below the text. */
  more?: ReactNode
  reason?: ReasonField
} & (
    | { words: KeyWith<'title' | 'text' | 'label' | 'done'>; text?: undefined }
    | { words: KeyWith<'title' | 'label' | 'done'>; text: string }
  )

/** An action with a dialog of its own. */
type DialogAction<R> = {
  words: PlainKey
  dialog: (tools: DialogTools<R>) => ReactNode
  isImmediate?: undefined
}

type CommonParts = {
  /** A dialog stays open if its action is no longer offered. */
  isOffered: boolean
  kind?: 'primary' | 'danger'
  /** Replaces the label of the button. */
  label?: string
  /** Replaces the notice that the action is done. */
  notice?: string
}

type DirectAction<R> = CommonParts & (ImmediateAction<R> | ConfirmedAction<R>)

/** An action of staff. `words` is the key of its button; the keys of its other messages begin with it. */
export type DetailAction<R> = DirectAction<R> | (CommonParts & DialogAction<R>)

export type DialogTools<R> = {
  /** What someone else changed in the meantime. Shown at the top of the dialog. */
  note: ReactNode
  attempt: <Done>(work: Promise<Done>) => Promise<Done>
  /** Shows the record and a notice. */
  finish: (notice: string) => (changed: R) => void
  onFailure: (failure: unknown) => boolean
  onClose: () => void
}

export type ActionList<R> = {
  actions: readonly DetailAction<R>[]
  /** A form above the buttons. */
  before?: (act: Act<R>, isBusy: boolean) => ReactNode
  after?: ReactNode
}

/** Sends a request that results in the record, outside dialogs. */
export type Act<R> = (work: Promise<R>, noticeOf: (changed: R) => string) => void

/** The buttons of the offered actions, and the dialog of the chosen one. */
export function DetailActions<R>({ of, actions, before, after }: ActionList<R> & { of: DetailContext<R> }) {
  const { t } = of
  const { chosen, choose, isBusy, error, tools, act, end } = useActions(of)
  const open = actions.find(({ words }) => words === chosen)
  useAskedAction((asked) => {
    const action = actions.find(
      ({ words, isOffered, isImmediate }) => words === asked && isOffered && !isImmediate,
    )
    if (action) choose(action.words)
    return action !== undefined
  })
  return (
    <div>
      {!open && tools.note}
      {before?.((work, noticeOf) => act(work, (done) => tools.finish(noticeOf(done))(done)), isBusy)}
      <div className={styles.actions}>
        {actions
          .filter(({ isOffered }) => isOffered)
          .map((action) => (
            <Button
              key={action.words}
              kind={action.kind ?? 'quiet'}
              busy={action.isImmediate === true && isBusy}
              onClick={() => (action.isImmediate ? act(action.step(''), end(action)) : choose(action.words))}
            >
              {action.label ?? t(action.words)}
            </Button>
          ))}
      </div>
      {after}
      <FormStatus error={error} />
      {open && 'dialog' in open && open.dialog(tools)}
      {open && !open.isImmediate && !('dialog' in open) && (
        <ActionDialog of={of} action={open} tools={tools} onDone={end(open)} />
      )}
    </div>
  )
}

/** The chosen action, and what happens when an action is done or someone else acted first. */
function useActions<R>(of: DetailContext<R>) {
  const { t, name, show } = of
  const [chosen, choose] = useState<PlainKey>()
  const { isBusy, error, run } = useAction()
  const { forget, ...conflict } = useConflict(of, () => choose(undefined))
  const finish = (notice: string) => (changed: R) => {
    forget()
    show(changed)
    showNotice(notice, 'success')
  }
  const end =
    ({ words, notice: ownNotice, next }: DirectAction<R>) =>
    (result: unknown) => {
      const notice = ownNotice ?? t(`${words}.done`, { name })
      if (!next) return finish(notice)(result as R)
      showNotice(notice, 'success')
      of[next]()
    }
  const act = <Done,>(work: Promise<Done>, onDone: (done: Done) => void) =>
    void run(async () => {
      try {
        onDone(await conflict.attempt(work))
      } catch (failure) {
        if (!conflict.onFailure(failure)) throw failure
      }
    })
  const onClose = () => {
    choose(undefined)
    forget()
  }
  const tools: DialogTools<R> = { ...conflict, finish, onClose }
  return { chosen, choose, isBusy, error, tools, act, end }
}

/** What the page does if someone else acted first. */
function useConflict<R>(
  { conflict, onConflict, record, read, show, ...messages }: DetailContext<R>,
  close: () => void,
) {
  const { seen, forget, ...stale } = useStale(record, read, show)
  if (typeof conflict === 'function')
    return {
      ...stale,
      forget,
      note: seen && <StaleState seen={conflict(seen, messages)} now={conflict(record, messages)} />,
    }
  return {
    forget,
    note: undefined,
    attempt: <Done,>(work: Promise<Done>) => work,
    onFailure: (failure: unknown) => {
      if (!conflict || !(failure instanceof CallFailed) || failure.code !== 'conflict') return false
      close()
      onConflict()
      return true
    },
  }
}

type ActionDialogProps<R> = {
  of: DetailContext<R>
  action: CommonParts & ConfirmedAction<R>
  tools: DialogTools<R>
  onDone: (done: unknown) => void
}

function ActionDialog<R>({ of: { t, name }, action, tools, onDone }: ActionDialogProps<R>) {
  const { words, confirm, dismiss, more, reason, step } = action
  const kind = action.confirmKind ?? action.kind
  const { note, attempt, onFailure, onClose } = tools
  const text = action.text ?? t(`${action.words}.text`, { name })
  const dialog = {
    title: t(`${words}.title`, { name }),
    label: confirm ?? t(`${words}.label`),
    ...(kind && { kind }),
    ...(dismiss && { dismissLabel: t(dismiss) }),
    onDone,
    onFailure,
    onClose,
  }
  if (reason)
    return (
      <ReasonDialog
        {...dialog}
        note={note}
        text={text}
        reason={reason}
        step={(given) => attempt<unknown>(step(given))}
      >
        {more}
      </ReasonDialog>
    )
  return (
    <ConfirmDialog {...dialog} step={() => attempt<unknown>(step(''))}>
      {note}
      <p>{text}</p>
      {more}
    </ConfirmDialog>
  )
}

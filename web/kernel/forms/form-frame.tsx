import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { CallFailed } from '../call/call-failed.ts'
import { SentenceSpace, useMessages } from '../i18n/messages.tsx'
import { Button, TextButton } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useStore } from '../state/create-store.ts'
import { currentWork } from '../work/current-work.ts'
import styles from './form-frame.module.css'
import { afterPress } from './after-press.ts'
import { UnsavedChangesPrompt } from './unsaved-changes-prompt.tsx'
import { failureMessage } from '../actions/failure-message.ts'
import type { ContractForm } from './use-contract-form.ts'

/** Such a request was not processed, so it can be sent again unchanged. */
const isUnreached = (failure: unknown): boolean =>
  failure instanceof CallFailed && ([0, 503].includes(failure.status) || failure.code === 'work_required')

type FrameProps<Values extends FieldValues, Output> = {
  of: ContractForm<Values, Output>
  submitLabel: string
  busyLabel: string
  children: ReactNode
  /** Returns a custom message for some failures, and nothing for the usual ones. */
  explain?: (failure: CallFailed) => ReactNode
  /** Shown beside the button. */
  beside?: ReactNode
  isErrorCentered?: boolean
  isButtonWide?: boolean
  submitKind?: 'primary' | 'quiet' | 'danger'
  label?: string
  /** Whether to ask before leaving the page with unsent input. For forms without a stored draft. */
  asksToLeave?: boolean
  /** Whether something other than the fields has unsent changes. */
  isChanged?: boolean
  /** The field to focus when the form appears, because the previously focused element was removed. */
  startAt?: (keyof Values & string) | undefined
  /** Shown before the reason for any failure, with a retry button. */
  failed?: string
}

/**
 * A form with its fields, one button that is disabled while something is missing, and a line that lists what is
 * missing. `method="post"` matters only without JavaScript: input must never end up in the URL.
 */
export function FormFrame<Values extends FieldValues, Output>(props: FrameProps<Values, Output>) {
  const { of, beside, isErrorCentered = false, isButtonWide, submitKind = 'primary', asksToLeave } = props
  const work = useStore(currentWork)
  const missingId = useId()
  const form = useStartingFocus(props.startAt)
  const { missing } = of
  const { isDirty } = of.form.formState
  const [isTried, setIsTried] = useState(false)
  return (
    <form
      ref={form}
      className={styles.form}
      method="post"
      noValidate
      aria-label={props.label}
      onSubmit={(event) => void of.send(event)}
    >
      {asksToLeave && (isDirty || props.isChanged) && <UnsavedChangesPrompt />}
      {props.children}
      <div className={styles.end}>
        {/* A disabled button cannot explain itself on a click. */}
        <div
          className={isButtonWide ? `${styles.actions} ${styles.wide}` : styles.actions}
          onPointerUp={() => afterPress(() => setIsTried(true))}
        >
          <Button
            type="submit"
            kind={submitKind}
            disabled={missing.length > 0}
            busy={of.isSending}
            busyLabel={props.busyLabel}
            aria-describedby={missing.length > 0 ? missingId : undefined}
          >
            {props.submitLabel}
          </Button>
          {beside}
        </div>
        {of.isSending && work}
        <FormStatus
          id={missingId}
          isMissingSilent={isUntouched(of) && !isTried}
          missing={missing.length > 0 && !of.isSending && <MissingFields of={of} />}
          error={of.failure === undefined ? undefined : <SendFailure {...props} />}
          centred={isErrorCentered}
        />
      </div>
    </form>
  )
}

/**
 * Sets the focus before anyone can type elsewhere. react-hook-form's `setFocus` would run later, while they are typing.
 */
function useStartingFocus(startAt: string | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const field = startAt && form.current?.elements.namedItem(startAt)
    if (!(field instanceof HTMLElement)) return
    // This also works if a dialog opens around the form.
    field.setAttribute('autofocus', '')
    field.focus()
  }, [startAt])
  return form
}

/** An untouched form does not list what is missing. */
function isUntouched<Values extends FieldValues, Output>({
  form,
  wrong,
}: ContractForm<Values, Output>): boolean {
  // Reading a property subscribes the form to it, so all of them are read.
  const { isDirty, touchedFields, submitCount } = form.formState
  return !isDirty && submitCount === 0 && wrong.length === 0 && Object.keys(touchedFields).length === 0
}

function MissingFields<Values extends FieldValues, Output>({ of }: Pick<FrameProps<Values, Output>, 'of'>) {
  const { t } = useMessages()
  const { missing, wrong } = of
  const named = (fields: readonly (keyof Values & string)[]) =>
    fields.map((field) => t(of.labels[field])).join(t('forms.missing.separator'))
  const empty = missing.filter((field) => !wrong.includes(field))
  return (
    <>
      {empty.length > 0 && <span>{t('forms.missing', { fields: named(empty) })}</span>}
      <SentenceSpace />
      {wrong.length > 0 && <span>{t('forms.wrong', { fields: named(wrong) })}</span>}
    </>
  )
}

function SendFailure<Values extends FieldValues, Output>({
  of,
  explain,
  failed,
}: Pick<FrameProps<Values, Output>, 'of' | 'explain' | 'failed'>) {
  const { t } = useMessages()
  const { failure } = of
  const explained = failure instanceof CallFailed ? explain?.(failure) : undefined
  return (
    <>
      {failed}
      <SentenceSpace />
      {explained || failureMessage(t, failure)}
      <SentenceSpace />
      {(isUnreached(failure) || failed) && (
        <TextButton disabled={of.isSending} onClick={() => void of.send()}>
          {t('forms.retry')}
        </TextButton>
      )}
    </>
  )
}

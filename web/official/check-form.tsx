import { useEffect, useRef, useState, type FormEvent } from 'react'
import {
  checkOfficial,
  findOwnOrderByAddress,
  pastedLengthMax,
  type OfficialAnswer,
  type OwnOrderFound,
  type PostedCheck,
} from '#contract/official.ts'
import { useAction } from '../actions/use-action.ts'
import { call } from '../call/call.ts'
import { useMessages } from '../i18n/messages.tsx'
import { pathIn } from '../routes/routes.ts'
import { currentSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { TextArea } from '../ui/field.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { Answer } from './answer.tsx'
import styles from './official.module.css'

/** A plain form that works without JavaScript. It is sent by POST, so that pasted text never appears in a URL. */
export function CheckForm({ posted }: { posted: PostedCheck | null }) {
  const { t, language } = useMessages()
  const { run, isBusy, error, reset } = useAction()
  const [answer, setAnswer] = useState<OfficialAnswer | undefined>(
    posted && 'answer' in posted ? posted.answer : undefined,
  )
  const [ownOrder, setOwnOrder] = useState<OwnOrderFound | null>(null)
  const [problem, setProblem] = useState(posted && 'problem' in posted ? posted.problem : undefined)
  const result = useRef<HTMLDivElement>(null)
  const isOwn = useRef(false)
  // The result is announced and scrolled into view.
  useEffect(() => {
    if (answer && isOwn.current) result.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [answer])

  function check(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('text')
    if (typeof text !== 'string' || isBusy) return
    setProblem(problemIn(text))
    setAnswer(undefined)
    reset()
    if (problemIn(text) !== undefined) return
    void run(async () => {
      const found = await call(checkOfficial, { body: { text } })
      const order = await findOwnOrder(text, found)
      isOwn.current = true
      setOwnOrder(order)
      setAnswer(found)
    })
  }
  const problemIn = (text: string) =>
    text.trim() === ''
      ? t('official.form.empty')
      : text.length > pastedLengthMax
        ? t('official.form.long', { max: pastedLengthMax })
        : undefined

  return (
    <>
      <form
        className={styles.form}
        method="post"
        action={pathIn(language, 'official')}
        noValidate
        onSubmit={check}
        autoComplete="off"
      >
        <TextArea
          name="text"
          label={t('official.form.label')}
          help={t('official.form.help')}
          error={problem}
          defaultValue={posted && 'problem' in posted ? posted.text : undefined}
          rows={3}
          required
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          autoComplete="off"
        />
        <div>
          <Button type="submit" busy={isBusy} busyLabel={t('official.form.busy')}>
            {t('official.form.submit')}
          </Button>
        </div>
        <FormStatus error={error} />
      </form>
      <div ref={result} aria-live="polite" className={styles.result}>
        {answer && <Answer answer={answer} ownOrder={ownOrder} />}
      </div>
    </>
  )
}

/** Finds the signed-in member's order that is paid to the address. If this fails, the public result still applies. */
async function findOwnOrder(text: string, { kind }: OfficialAnswer): Promise<OwnOrderFound | null> {
  if (currentSession().state !== 'signedIn' || (kind !== 'coin' && kind !== 'text')) return null
  try {
    return (await call(findOwnOrderByAddress, { body: { text } })).order
  } catch {
    return null
  }
}

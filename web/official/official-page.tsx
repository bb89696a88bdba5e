import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  checkOfficial,
  findOwnOrderByAddress,
  type OfficialAnswer,
  officialListDays,
  officialListPath,
  type OwnOrderFound,
  pastedLengthMax,
  type PostedCheck,
} from '#contract/publishing/official.ts'
import { useAction } from '../kernel/actions/use-action.ts'
import { WovenBand } from '../kernel/brand/woven-band.tsx'
import { call } from '../kernel/call/call.ts'
import { useMessages, FormattedMessage } from '../kernel/i18n/messages.tsx'
import { makeQr } from '../kernel/make-qr.ts'
import { page, type LoadContext, type PageProps } from '../kernel/routes/page.ts'
import { pathIn } from '../kernel/routes/routes.ts'
import { currentSession } from '../kernel/session/session.ts'
import { Button } from '../kernel/ui/button.tsx'
import { TextArea } from '../kernel/ui/field.tsx'
import { FormStatus } from '../kernel/ui/form-status.tsx'
import { PageHero } from '../kernel/ui/page-hero.tsx'
import type { Qr } from '../kernel/ui/qr-code.tsx'
import { Answer } from './answer.tsx'
import { ListCode } from './list-code.tsx'
import styles from './official.module.css'

/**
 * `posted`: the result of a form that was sent without JavaScript. It isn't in the URL, so that pasted text never is.
 * `code`: the QR code of the signed list's address.
 */
type Data = { posted: PostedCheck | null; code: Qr }

const load = async ({ posted, brand }: LoadContext): Promise<Data> => ({
  posted: posted && ('answer' in posted || 'problem' in posted) ? posted : null,
  code: await makeQr(brand.origin + officialListPath),
})

function OfficialView({ data }: PageProps<Data>) {
  const { t } = useMessages()
  return (
    <>
      <PageHero
        heading={t('official.title')}
        lead={t('official.lead')}
        size="low"
        drawing={<WovenBand className={styles.band} />}
      />
      <div className={styles.page}>
        <div className={styles.main}>
          <CheckForm posted={data.posted} />
        </div>
        <section className={styles.list} aria-labelledby="look-heading">
          <h2 id="look-heading">{t('official.look.heading')}</h2>
          <ul>
            <li>{t('official.look.end')}</li>
            <li>{t('official.look.letters')}</li>
            <li>{t('official.look.address')}</li>
          </ul>
          <h2 id="list-heading">{t('official.list.heading')}</h2>
          <p>
            <FormattedMessage
              k="official.list.text"
              values={{ days: officialListDays, path: officialListPath }}
              tags={{ link: (words) => <a href={officialListPath}>{words}</a> }}
            />
          </p>
          <ListCode qr={data.code} />
        </section>
      </div>
    </>
  )
}

type Result = { answer: OfficialAnswer; ownOrder: OwnOrderFound | null }

/** A plain form that works without JavaScript. It is sent by POST, so that pasted text never appears in a URL. */
function CheckForm({ posted }: { posted: PostedCheck | null }) {
  const { t, language } = useMessages()
  const { isBusy, error, problem, result, check } = useCheck(posted)
  const shown = useRef<HTMLDivElement>(null)
  const first = useRef(result)
  // The result is announced and scrolled into view, unless the page came with it.
  useEffect(() => {
    if (result !== first.current) shown.current?.querySelector<HTMLElement>('h2')?.focus()
  }, [result])
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
      <div ref={shown} aria-live="polite" className={styles.result}>
        {result && <Answer {...result} />}
      </div>
    </>
  )
}

/** The last check, which a form that was sent without JavaScript may have brought. */
function useCheck(posted: PostedCheck | null) {
  const { t } = useMessages()
  const { run, isBusy, error, reset } = useAction()
  const [result, setResult] = useState<Result | undefined>(
    posted && 'answer' in posted ? { answer: posted.answer, ownOrder: null } : undefined,
  )
  const [problem, setProblem] = useState(posted && 'problem' in posted ? posted.problem : undefined)
  const problemIn = (text: string) => {
    if (text.trim() === '') return t('official.form.empty')
    return text.length > pastedLengthMax ? t('official.form.long', { max: pastedLengthMax }) : undefined
  }
  const check = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = new FormData(event.currentTarget).get('text')
    if (typeof text !== 'string' || isBusy) return
    const found = problemIn(text)
    setProblem(found)
    setResult(undefined)
    reset()
    if (found !== undefined) return
    void run(async () => {
      const answer = await call(checkOfficial, { body: { text } })
      setResult({ answer, ownOrder: await findOwnOrder(text, answer) })
    })
  }
  return { isBusy, error, problem, result, check }
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

export default page({ load, View: OfficialView })

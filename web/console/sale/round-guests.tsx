import { useState, type FormEvent } from 'react'
import * as z from 'zod/mini'
import { email } from '#contract/platform/fields.ts'
import { changeRoundGuests, listRoundGuests, type SaleRound } from '#contract/money/sale-rounds.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { RadioField, TextArea } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './sale.module.css'

const shownMax = 100
const emailsMax = 500

/** The email addresses of the members that a round with an allow-list admits. */
export function RoundGuests({ round }: { round: SaleRound }) {
  const { t } = useMessages()
  const [changes, setChanges] = useState(0)
  const loaded = useLoaded(`${round.id} ${changes}`, () =>
    call(listRoundGuests, { query: { round: round.id, limit: shownMax } }),
  )
  return (
    <section className={styles.part} id="guests" tabIndex={-1}>
      <h2>{t('consoleRounds.guests')}</h2>
      {round.admission === 'approved' && <p>{t('consoleRounds.guests.unused')}</p>}
      <ChangeGuests id={round.id} onChanged={() => setChanges((before) => before + 1)} />
      {loaded.state !== 'ready' ? (
        <NotLoaded of={loaded} title={t('consoleRounds.guests.failed')} />
      ) : loaded.data.length === 0 ? (
        <p>{t('consoleRounds.guests.none')}</p>
      ) : (
        <>
          <ul className={styles.summary} aria-label={t('consoleRounds.guests')}>
            {loaded.data.map(({ id, email: address }) => (
              <li key={id}>
                <Address email={address} />
              </li>
            ))}
          </ul>
          <p>
            <a href={`${pathTo('console.saleGuests')}?round=${encodeURIComponent(round.id)}`}>
              {t('consoleRounds.guests.all')}
            </a>
          </p>
        </>
      )}
    </section>
  )
}

type Kind = 'add' | 'remove'

/** Adds or removes addresses, which are typed or pasted one per line. */
function ChangeGuests({ id, onChanged }: { id: string; onChanged: () => void }) {
  const { t } = useMessages()
  const [kind, setKind] = useState<Kind>('add')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const { isBusy, error, run } = useAction()
  const change = (event: FormEvent) => {
    event.preventDefault()
    const lines = typed.split(/[\s,;，；]+/).filter(Boolean)
    const wrong = lines.find((each) => !z.safeParse(email, each).success)
    const found =
      lines.length === 0
        ? t('consoleRounds.guests.missing')
        : lines.length > emailsMax
          ? t('consoleRounds.guests.tooMany', { max: emailsMax })
          : wrong && t('consoleRounds.guests.wrong', { email: wrong })
    setProblem(found)
    if (found) return
    void run(async () => {
      const body = { add: [] as string[], remove: [] as string[], [kind]: lines }
      await call(changeRoundGuests, { params: { id }, body })
      setTyped('')
      showNotice(t(`consoleRounds.guests.${kind}.done`), 'success')
      onChanged()
    })
  }
  return (
    <form className={styles.part} method="post" noValidate onSubmit={change}>
      <RadioField
        label={t('consoleRounds.guests.change')}
        options={(['add', 'remove'] as const).map((value) => ({
          value,
          label: t(`consoleRounds.guests.${value}`),
        }))}
        chosen={kind}
        onChoose={setKind}
      />
      <TextArea
        label={t('consoleRounds.guests.emails')}
        help={t('consoleRounds.guests.emails.help', { max: emailsMax })}
        error={problem}
        value={typed}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          setProblem(undefined)
        }}
      />
      <div>
        <Button type="submit" kind="quiet" busy={isBusy}>
          {t(`consoleRounds.guests.${kind}.now`)}
        </Button>
      </div>
      <FormStatus error={error} />
    </form>
  )
}

import { useState, type FormEvent } from 'react'
import * as z from 'zod/mini'
import { email } from '#contract/platform/fields.ts'
import { changeRoundGuests, guestsMax, listRoundGuests } from '#contract/money/sale-rounds.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { useMessages, type UsedMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Button } from '../../kernel/ui/button.tsx'
import { RadioField, TextArea } from '../../kernel/ui/field.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import styles from './sale.module.css'

const shownMax = 20

/** The email addresses of the members that a round with an allow-list admits. */
export function RoundGuests({ id }: { id: string }) {
  const { t } = useMessages()
  const [changes, setChanges] = useState(0)
  const loaded = useLoaded(`${id} ${changes}`, () =>
    call(listRoundGuests, { query: { round: id, limit: shownMax } }),
  )
  return (
    <section className={styles.part} id="guests" tabIndex={-1}>
      <h2>{t('consoleRounds.guests')}</h2>
      {loaded.state !== 'ready' ? (
        <NotLoaded of={loaded} title={t('consoleRounds.guests.failed')} />
      ) : loaded.data.length === 0 ? (
        <p>{t('consoleRounds.guests.none')}</p>
      ) : (
        <>
          <ul className={styles.choices} aria-label={t('consoleRounds.guests')}>
            {loaded.data.map(({ id: guest, email: address }) => (
              <li key={guest}>
                <Address email={address} />
              </li>
            ))}
          </ul>
          <p>
            <a href={`${pathTo('console.saleGuests')}?round=${encodeURIComponent(id)}`}>
              {t('consoleRounds.guests.all')}
            </a>
          </p>
        </>
      )}
      <ChangeGuests id={id} onChanged={() => setChanges((before) => before + 1)} />
    </section>
  )
}

type Kind = 'add' | 'remove'
type Line = { line: number; address: string }

/** The addresses in pasted text, which are separated by lines, spaces, commas, or semicolons. */
const addressesIn = (text: string): Line[] =>
  text.split('\n').flatMap((content, index) =>
    content
      .split(/[\s,;，；、]+/)
      .filter(Boolean)
      .map((address) => ({ line: index + 1, address })),
  )

const isAddress = ({ address }: Line): boolean => z.safeParse(email, address).success
const namedMax = 5

/** Why the addresses can't be sent, with the lines of the first wrong ones. */
function problemOf(
  lines: readonly Line[],
  { t, joinNames }: Pick<UsedMessages, 't' | 'joinNames'>,
): string | undefined {
  if (lines.length === 0) return t('consoleRounds.guests.missing')
  if (lines.length > guestsMax)
    return t('consoleRounds.guests.tooMany', { max: guestsMax, count: lines.length })
  const wrong = lines.filter((each) => !isAddress(each))
  if (wrong.length === 0) return undefined
  const named = wrong.slice(0, namedMax).map((each) => t('consoleRounds.guests.wrong.line', each))
  const rest = wrong.length - named.length
  if (rest > 0) named.push(t('consoleSale.history.more', { count: rest }))
  return t('consoleRounds.guests.wrong', { lines: joinNames(named) })
}

/** Adds or removes addresses, which are typed or pasted one per line. */
function ChangeGuests({ id, onChanged }: { id: string; onChanged: () => void }) {
  const messages = useMessages()
  const { t } = messages
  const [kind, setKind] = useState<Kind>('add')
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const { isBusy, error, run } = useAction()
  const change = (event: FormEvent) => {
    event.preventDefault()
    const lines = addressesIn(typed)
    const found = problemOf(lines, messages)
    setProblem(found)
    if (found) return
    void run(async () => {
      const body = { add: [], remove: [], [kind]: lines.map(({ address }) => address) }
      const { added, removed } = await call(changeRoundGuests, { params: { id }, body })
      setTyped('')
      showNotice(
        t(`consoleRounds.guests.${kind}.done`, { count: kind === 'add' ? added : removed }),
        'success',
      )
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
        help={t('consoleRounds.guests.emails.help', { max: guestsMax })}
        error={problem}
        value={typed}
        autoComplete="off"
        spellCheck={false}
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

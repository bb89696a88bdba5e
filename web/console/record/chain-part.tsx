import { useEffect, useState } from 'react'
import {
  exportRecordHead,
  getVerification,
  verifyRecord,
  type Verification,
} from '#contract/console-audit-log.ts'
import { SECOND } from '#contract/durations.ts'
import { NotLoaded } from '../../actions/not-loaded.tsx'
import { useAction } from '../../actions/use-action.ts'
import { useLoaded } from '../../actions/use-loaded.ts'
import { call } from '../../call/call.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { saveFile } from '../../save-file.ts'
import { Button } from '../../ui/button.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { ChainState, ChainTag } from './chain-state.tsx'
import styles from './record.module.css'

const pollEvery = SECOND

/**
 * The result of the last verification of the hash chain, with buttons to start a new one and to export the last hash.
 */
export function ChainPart() {
  const { t } = useMessages()
  const loaded = useLoaded('verification', () => call(getVerification, {}))
  const first = loaded.state === 'ready' ? loaded.data.last : undefined
  // If the chain is intact, this part is collapsed to leave room for the entries.
  const isOpen = loaded.state === 'failed' || (first !== undefined && first?.state !== 'intact')
  return (
    <details className={styles.chain} open={isOpen}>
      <summary>
        <h2>{t('record.chain')}</h2> {first?.state === 'intact' && <ChainTag state="intact" />}
      </summary>
      <p className={styles.lead}>{t('record.chain.lead')}</p>
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('record.chain.failed')} />}
      {loaded.state === 'ready' && <Chain first={loaded.data.last} />}
    </details>
  )
}

function Chain({ first }: { first: Verification | null }) {
  const { t } = useMessages()
  const [last, setLast] = useState(first)
  const { isBusy, error, run } = useAction()
  const isRunning = last?.state === 'running'
  useEffect(() => {
    if (last?.state !== 'running') return undefined
    const timer = setTimeout(
      () =>
        void call(getVerification, {})
          .then(({ last }) => setLast(last))
          // The next poll tries again.
          .catch(() => setLast((before) => before && { ...before })),
      pollEvery,
    )
    return () => clearTimeout(timer)
  }, [last])
  const verify = () => run(async () => setLast(await call(verifyRecord, { body: {} })))
  const save = () =>
    run(async () => {
      const signed = await call(exportRecordHead, {})
      const text = `${JSON.stringify(signed, undefined, 2)}\n`
      const day = new Date().toISOString().slice(0, 10)
      saveFile(new Blob([text], { type: 'application/json' }), `audit-log-head-${day}.json`)
    })
  const copy = (head: string) =>
    navigator.clipboard.writeText(head).then(
      () => showNotice(t('record.chain.copied')),
      () => showNotice(t('record.chain.copy.failed'), 'error'),
    )
  const head = last?.state === 'intact' ? last.head : null
  return (
    <>
      <ChainState last={last} />
      <div className={styles.buttons}>
        <Button kind="quiet" busy={isBusy || isRunning} onClick={() => void verify()}>
          {t('record.chain.verify')}
        </Button>
        {head && (
          <>
            <Button kind="quiet" onClick={() => void copy(head)}>
              {t('record.chain.copy')}
            </Button>
            <Button kind="quiet" disabled={isBusy} onClick={() => void save()}>
              {t('record.chain.save')}
            </Button>
          </>
        )}
      </div>
      <FormStatus error={error} />
    </>
  )
}

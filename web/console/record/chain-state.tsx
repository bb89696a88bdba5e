import type { Verification } from '#contract/console-audit-log.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Tag } from '../../ui/tag.tsx'
import styles from './record.module.css'

const tags = {
  intact: { colour: 'green', words: 'health.state.good' },
  broken: { colour: 'red', words: 'health.state.down' },
  stopped: { colour: 'yellow', words: 'health.state.attention' },
} as const

export function ChainTag({ state }: { state: keyof typeof tags }) {
  const { t } = useMessages()
  return <Tag colour={tags[state].colour}>{t(tags[state].words)}</Tag>
}

/** The result of the last verification, in words. */
export function ChainState({ last }: { last: Verification | null }) {
  const { t, formatMoment, formatNumber } = useMessages()
  if (!last) return <p role="status">{t('record.chain.never')}</p>
  const { state, checked, total, head, by, startedAt, finishedAt } = last
  if (state === 'running')
    return (
      <div className={styles.running}>
        <p role="status">
          {t('record.chain.running', { checked: formatNumber(checked), total: formatNumber(total) })}
        </p>
        <progress max={Math.max(1, total)} value={checked} aria-label={t('record.chain.verify')} />
      </div>
    )
  return (
    <div>
      <p role="status">
        <ChainTag state={state} /> <Verdict last={last} />
      </p>
      {state === 'broken' && <p>{t('record.chain.help')}</p>}
      {state === 'intact' && head !== null && (
        <p className={styles.head}>
          <span>{t('record.chain.head')}</span> <code>{head}</code>
          <small>{t('record.chain.head.help')}</small>
        </p>
      )}
      <p className={styles.by}>
        {t('record.chain.last')}:{' '}
        {t('record.chain.by', { name: by, time: formatMoment(finishedAt ?? startedAt) })}
      </p>
    </div>
  )
}

function Verdict({ last: { state, checked, broken, startedAt } }: { last: Verification }) {
  const { t, formatMoment } = useMessages()
  if (state === 'stopped') return t('record.chain.stopped')
  if (!broken) return t('record.chain.intact', { count: checked, time: formatMoment(startedAt) })
  return broken.why === 'cut' ? t('record.chain.cut') : t(`record.chain.${broken.why}`, { seq: broken.seq })
}

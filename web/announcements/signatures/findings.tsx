import { useEffect, useState } from 'react'
import type { Announcement } from '#contract/publishing/announcements.ts'
import { listPublishedVersions, listSigningKeys } from '#contract/publishing/signatures.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { loadMessages } from '../../kernel/content/load-messages.ts'
import type { PlainKey, Messages } from '../../kernel/i18n/message-key.ts'
import { useLanguage, useMessages, MessagesProvider } from '../../kernel/i18n/messages.tsx'
import { LoadFailed } from '../../kernel/actions/load-failed.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import styles from './signature-check.module.css'
import { verifyPost, type CheckedVersion, type Verification } from './verify-post.ts'

/** The result of verifying a post's signatures. Its messages are loaded on demand. */
export default function Findings({ post }: { post: Announcement }) {
  const spoken = useLanguage()
  const { t, language } = useMessages()
  const [messages, setMessages] = useState<Messages | null>(null)
  useEffect(() => {
    let isCurrent = true
    void loadMessages(language, ['signatures', 'forms', 'errors']).then(
      (loaded) => isCurrent && setMessages(loaded),
    )
    return () => void (isCurrent = false)
  }, [language])
  if (!messages) return <Loading label={t('news.verify.checking')} />
  return (
    <MessagesProvider value={{ ...spoken, messages: { ...spoken.messages, ...messages } }}>
      <Checked post={post} />
    </MessagesProvider>
  )
}

function Checked({ post }: { post: Announcement }) {
  const { t } = useMessages()
  const loaded = useLoaded(post._id, () => verify(post))
  if (loaded.state === 'loading') return <Loading label={t('news.verify.checking')} />
  if (loaded.state === 'failed')
    return <LoadFailed title={t('signatures.notChecked')} failure={loaded.failure} retry={loaded.retry} />
  return (
    <div className={styles.findings}>
      <Verdict verification={loaded.data} />
      <History versions={loaded.data.history} language={htmlLanguage[post.language]} />
    </div>
  )
}

async function verify(post: Announcement): Promise<Verification> {
  const params = { lang: post.language, slug: post.slug }
  const [versions, keys] = await Promise.all([
    call(listPublishedVersions, { params }).catch((failure: unknown) => {
      // A missing signature is a finding; a failed request is not.
      if (failure instanceof CallFailed && failure.code === 'not_found') return []
      throw failure
    }),
    call(listSigningKeys, {}),
  ])
  return verifyPost(post, versions, keys)
}

const problemMessages: Readonly<Record<string, PlainKey>> = {
  content: 'signatures.problem.content',
  title: 'signatures.problem.title',
  address: 'signatures.problem.address',
  category: 'signatures.problem.category',
  key: 'signatures.problem.key',
  retired: 'signatures.problem.retired',
  signature: 'signatures.problem.signature',
  document: 'signatures.problem.document',
  chain: 'signatures.problem.chain',
}

function Verdict({ verification: { verdict, version, problems, history } }: { verification: Verification }) {
  const { t, formatDateTime } = useMessages()
  if (verdict === 'wrong' || !version)
    return (
      <Message kind="bad" role="alert">
        <p className={styles.isWrong}>{t('signatures.wrong')}</p>
        <p>{t('signatures.wrong.advice')}</p>
        <ul className={styles.problems}>
          {!version && <li>{t('signatures.problem.none')}</li>}
          {[...problems, ...(version?.problems ?? [])].map((problem) => (
            <li key={problem}>{t(problemMessages[problem]!)}</li>
          ))}
        </ul>
      </Message>
    )
  return (
    <>
      <Message kind={verdict === 'right' ? 'good' : 'note'} role="status">
        <p className={styles.isRight}>{t(verdict === 'right' ? 'signatures.right' : 'signatures.older')}</p>
        <p>{t(verdict === 'right' ? 'signatures.right.means' : 'signatures.older.means')}</p>
      </Message>
      {history.some(({ problems: each }) => each.length > 0) && (
        <Message kind="bad" role="alert">
          <p>{t('signatures.historyWrong')}</p>
        </Message>
      )}
      <Facts
        facts={[
          { name: 'version', label: t('signatures.version'), value: version.n },
          {
            name: 'time',
            label: t('signatures.published'),
            value: <time dateTime={version.publishedAt}>{formatDateTime(version.publishedAt)}</time>,
          },
          { name: 'site', label: t('signatures.site'), value: version.site },
          {
            name: 'key',
            label: t('signatures.key'),
            value: <code>{version.fingerprint.replaceAll(/.{4}(?=.)/g, '$& ')}</code>,
          },
        ]}
      />
      <p className={styles.quiet}>{t('signatures.pin')}</p>
    </>
  )
}

function History({ versions, language }: { versions: readonly CheckedVersion[]; language: string }) {
  const { t, formatDateTime } = useMessages()
  if (versions.length === 0) return null
  return (
    <>
      <h3>{t('signatures.history')}</h3>
      <ol className={styles.history}>
        {versions.map(({ n, publishedAt, title, problems }) => (
          <li key={n}>
            <p className={styles.quiet}>
              {t('signatures.versionNumber', { n })} ·{' '}
              <time dateTime={publishedAt}>{formatDateTime(publishedAt)}</time>
            </p>
            <p lang={language}>{title}</p>
            <p className={problems.length === 0 ? styles.right : styles.wrong}>
              {problems.length === 0
                ? t('signatures.signatureRight')
                : problems.map((problem) => t(problemMessages[problem]!)).join(' ')}
            </p>
          </li>
        ))}
      </ol>
    </>
  )
}

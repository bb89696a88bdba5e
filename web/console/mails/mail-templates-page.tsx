import { getMailTemplate, listMailTemplates, type ShownMail } from '#contract/platform/console-mails.ts'
import type { Language } from '#contract/platform/fields.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { htmlLanguage } from '../../kernel/i18n/language.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { navigate } from '../../kernel/navigation/navigate.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { useSession } from '../../kernel/session/session.ts'
import { BackLink } from '../../kernel/ui/back-link.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { MailFrame } from './mail-frame.tsx'
import styles from './mails.module.css'

function MailTemplatesView({ search }: PageProps<unknown>) {
  const { t, language } = useMessages()
  const { member } = useSession()
  return (
    <>
      <BackLink href={pathTo('console.mails')}>{t('consoleMails.toList')}</BackLink>
      <PageHead heading={t('consoleMails.templates.heading')} lead={t('consoleMails.templates.lead')} />
      {member && <Templates key={language} chosen={search.get('kind') ?? ''} />}
    </>
  )
}

function Templates({ chosen }: { chosen: string }) {
  const { t, addNote } = useMessages()
  const templates = useLoaded('templates', () => call(listMailTemplates, {}))
  if (templates.state !== 'ready')
    return <NotLoaded of={templates} title={t('consoleMails.templates.failed')} />
  const kind = templates.data.some((each) => each.kind === chosen) ? chosen : templates.data[0]?.kind
  return (
    <>
      <div className={styles.choice}>
        <Select
          label={t('consoleMails.templates.choose')}
          value={kind}
          onChange={({ target }) =>
            void navigate(`${pathTo('console.mailTemplates')}?kind=${target.value}`, { inPlace: true })
          }
        >
          {templates.data.map((each) => (
            <option key={each.kind} value={each.kind}>
              {addNote(each.title, each.kind)}
            </option>
          ))}
        </Select>
      </div>
      {kind && <Template kind={kind} />}
    </>
  )
}

function Template({ kind }: { kind: string }) {
  const { t } = useMessages()
  const loaded = useLoaded(kind, () => call(getMailTemplate, { params: { kind } }))
  if (loaded.state !== 'ready') return <NotLoaded of={loaded} title={t('consoleMails.templates.failed')} />
  return (
    <div className={styles.pair} aria-busy={loaded.data.kind !== kind || undefined}>
      <InLanguage language="en" name={t('consoleMails.english')} mail={loaded.data.en} />
      <InLanguage language="cn" name={t('consoleMails.chinese')} mail={loaded.data.cn} />
    </div>
  )
}

function InLanguage({ language, name, mail }: { language: Language; name: string; mail: ShownMail }) {
  const { t } = useMessages()
  const id = `template-${language}`
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{name}</h2>
      <p>
        <span className={styles.quiet}>{t('consoleMails.subject')}</span>{' '}
        <strong lang={htmlLanguage[language]}>{mail.subject}</strong>
      </p>
      <MailFrame html={mail.html} language={language} title={t('consoleMails.frameIn', { language: name })} />
      <details>
        <summary>{t('consoleMails.asText')}</summary>
        <pre className={styles.text} lang={htmlLanguage[language]}>
          {mail.text}
        </pre>
      </details>
    </section>
  )
}

export default page({ View: MailTemplatesView })

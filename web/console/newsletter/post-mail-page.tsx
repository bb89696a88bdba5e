import { readPostMail, testPostMail } from '#contract/publishing/newsletter.ts'
import type { OutputOf } from '#contract/platform/endpoint.ts'
import type { Language } from '#contract/platform/languages.ts'
import { levelOf } from '#contract/people/level-of.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useAction } from '../../kernel/actions/use-action.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { categoryLabel } from '../../kernel/news-choice/category-labels.ts'
import { call } from '../../kernel/call/call.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page, type PageProps } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button } from '../../kernel/ui/button.tsx'
import { Facts } from '../../kernel/ui/description-list.tsx'
import { FormStatus } from '../../kernel/ui/form-status.tsx'
import { PageHead, PagePart } from '../../kernel/ui/page-head.tsx'
import { LabeledFacts } from '../detail/labeled-facts.tsx'
import { MailFrame } from '../mails/mail-frame.tsx'

type PostMail = OutputOf<typeof readPostMail>

/** The email for a post: its appearance, recipients, and progress. */
function PostMailView({ params: { id = '' } }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const loaded = useLoaded(id, () => call(readPostMail, { params: { id } }))
  return (
    <>
      <PageHead
        heading={t('consoleNewsletter.mail.heading')}
        lead={t('consoleNewsletter.mail.lead')}
        action={member && levelOf(member, 'news') >= 2 && <TestButton id={id} />}
      />
      {loaded.state !== 'ready' && <NotLoaded of={loaded} title={t('consoleNewsletter.mail.failed')} />}
      {loaded.state === 'ready' && <LoadedPost of={loaded.data} reload={loaded.reload} />}
    </>
  )
}

function TestButton({ id }: { id: string }) {
  const { t } = useMessages()
  const { isBusy, error, run } = useAction()
  return (
    <div>
      <Button
        kind="quiet"
        busy={isBusy}
        busyLabel={t('forms.sending')}
        onClick={() =>
          void run(async () => {
            const { to } = await call(testPostMail, { params: { id }, body: null })
            showNotice(t('consoleNewsletter.mail.sent', { email: to }), 'success')
          })
        }
      >
        {t('consoleNewsletter.mail.test')}
      </Button>
      <FormStatus error={error} />
    </div>
  )
}

function LoadedPost({
  of: { mail, readers, subscribers, progress },
  reload,
}: {
  of: PostMail
  reload: () => void
}) {
  const { t, language, formatNumber } = useMessages()
  return (
    <>
      <PagePart id="progress" heading={t('consoleNewsletter.progress')}>
        {progress ? <Progress of={progress} /> : <p>{t('consoleNewsletter.progress.none')}</p>}
        <div>
          <Button kind="quiet" onClick={reload}>
            {t('consoleNewsletter.reload')}
          </Button>
        </div>
      </PagePart>
      <PagePart id="readers" heading={t('consoleNewsletter.mail.readers')}>
        <LabeledFacts
          facts={{
            'consoleNewsletter.mail.each': formatNumber(readers.each),
            'consoleNewsletter.mail.weekly': formatNumber(readers.weekly),
          }}
        />
      </PagePart>
      <PagePart id="all" heading={t('consoleNewsletter.mail.all')}>
        {subscribers.length === 0 ? (
          <p>{t('consoleNewsletter.mail.nobody')}</p>
        ) : (
          <Facts
            facts={subscribers.map(({ language, category, count }) => ({
              name: `${language} ${category}`,
              label: <Group language={language} category={category} />,
              value: formatNumber(count),
            }))}
          />
        )}
      </PagePart>
      <PagePart id="mail" heading={t('consoleNewsletter.mail.frame')}>
        <LabeledFacts facts={{ 'consoleNewsletter.mail.subject': mail.subject }} />
        <MailFrame html={mail.html} language={language} title={t('consoleNewsletter.mail.frame')} />
      </PagePart>
    </>
  )
}

function Group({ language, category }: { language: Language; category: string }) {
  const { t } = useMessages()
  const words = categoryLabel(category)
  return `${languageLabel(t, language)} · ${words ? t(words) : category}`
}

function Progress({ of }: { of: NonNullable<PostMail['progress']> }) {
  const { t, addNote, formatNumber } = useMessages()
  const { isQueued, queued, sent, failed, stopped } = of
  const written = formatNumber(queued)
  return (
    <LabeledFacts
      facts={{
        'consoleNewsletter.progress.queued': isQueued
          ? written
          : addNote(written, t('consoleNewsletter.progress.writing')),
        'consoleNewsletter.progress.open': formatNumber(Math.max(0, queued - sent - failed - stopped)),
        'consoleNewsletter.progress.sent': formatNumber(sent),
        'consoleNewsletter.progress.failed': formatNumber(failed),
        'consoleNewsletter.progress.stopped': formatNumber(stopped),
      }}
    />
  )
}

export default page({ View: PostMailView })

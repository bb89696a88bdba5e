import { useState } from 'react'
import {
  deleteReply,
  listSavedReplies,
  saveReply,
  type SavedReply,
} from '#contract/people/console-conversations.ts'
import { NotLoaded } from '../../kernel/actions/not-loaded.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call } from '../../kernel/call/call.ts'
import { ConfirmDialog } from '../../kernel/forms/confirm-dialog.tsx'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput, FormTextArea } from '../../kernel/forms/form-input.tsx'
import { useContractForm } from '../../kernel/forms/use-contract-form.ts'
import { useMessages } from '../../kernel/i18n/messages.tsx'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { page } from '../../kernel/routes/page.ts'
import { useSession } from '../../kernel/session/session.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Empty } from '../../kernel/ui/empty.tsx'
import { PageHead } from '../../kernel/ui/page-head.tsx'
import { mayOpen } from '../can-access.ts'
import styles from './conversations.module.css'
import * as z from 'zod/mini'

function SavedRepliesView() {
  const { t } = useMessages()
  const { member } = useSession()
  const [edited, edit] = useState<SavedReply | 'new'>()
  const loaded = useLoaded('', () => call(listSavedReplies, {}))
  const mayAct = mayOpen(member, { needs: { level: 'support', atLeast: 2 } })
  const isReady = loaded.state === 'ready'
  const done = (notice: 'savedReplies.saved' | 'savedReplies.deleted') => {
    edit(undefined)
    if (isReady) loaded.reload()
    showNotice(t(notice), 'success')
  }
  return (
    <>
      <PageHead
        heading={t('console.nav.savedReplies')}
        lead={t('savedReplies.lead')}
        action={
          mayAct &&
          edited === undefined && <Button onClick={() => edit('new')}>{t('savedReplies.add')}</Button>
        }
      />
      {edited === 'new' && (
        <ReplyForm onSaved={() => done('savedReplies.saved')} onCancel={() => edit(undefined)} />
      )}
      {isReady ? (
        <Replies replies={loaded.data}>
          {(reply) =>
            edited !== 'new' && edited?.id === reply.id ? (
              <ReplyForm
                reply={edited}
                onSaved={() => done('savedReplies.saved')}
                onCancel={() => edit(undefined)}
              />
            ) : (
              <Reply
                reply={reply}
                mayAct={mayAct && edited === undefined}
                onEdit={() => edit(reply)}
                onDeleted={() => done('savedReplies.deleted')}
              />
            )
          }
        </Replies>
      ) : (
        <NotLoaded of={loaded} title={t('savedReplies.failed')} />
      )}
    </>
  )
}

type RepliesProps = { replies: readonly SavedReply[]; children: (reply: SavedReply) => React.ReactNode }

function Replies({ replies, children }: RepliesProps) {
  const { t } = useMessages()
  if (replies.length === 0) return <Empty title={t('savedReplies.none')} />
  return (
    <ul className={styles.replies}>
      {replies.map((reply) => (
        <li key={reply.id}>{children(reply)}</li>
      ))}
    </ul>
  )
}

type ReplyProps = { reply: SavedReply; mayAct: boolean; onEdit: () => void; onDeleted: () => void }

function Reply({ reply, mayAct, onEdit, onDeleted }: ReplyProps) {
  const { t, language, formatDateTime } = useMessages()
  const { id, title, en, cn, by, updatedAt } = reply
  const [isAsking, ask] = useState(false)
  const time = formatDateTime(updatedAt)
  return (
    <>
      <h2>{title}</h2>
      <p lang="en">{en}</p>
      <p lang="zh-Hans">{cn}</p>
      <p className={styles.by}>
        {t('savedReplies.changed', {
          name: by === null ? t('console.formerColleague') : staffName(by, language),
          time,
        })}
      </p>
      {mayAct && (
        <div className={styles.actions}>
          <TextButton aria-label={t('savedReplies.editNamed', { title })} onClick={onEdit}>
            {t('savedReplies.edit')}
          </TextButton>
          <TextButton aria-label={t('savedReplies.deleteNamed', { title })} onClick={() => ask(true)}>
            {t('savedReplies.delete')}
          </TextButton>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('savedReplies.delete.title', { title })}
          label={t('savedReplies.delete.label')}
          kind="danger"
          step={() => call(deleteReply, { params: { id } })}
          onDone={onDeleted}
          onClose={() => ask(false)}
        >
          <p>{t('savedReplies.delete.text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

const { title, en, cn } = saveReply.body.shape
const labels = { title: 'savedReplies.title', en: 'savedReplies.en', cn: 'savedReplies.cn' } as const

type FormProps = { reply?: SavedReply; onSaved: () => void; onCancel: () => void }

function ReplyForm({ reply, onSaved, onCancel }: FormProps) {
  const { t } = useMessages()
  const form = useContractForm({
    schema: z.object({ title, en, cn }),
    labels,
    defaultValues: { title: reply?.title ?? '', en: reply?.en ?? '', cn: reply?.cn ?? '' },
    submit: async (body) => {
      await call(saveReply, {
        body: { ...body, ...(reply && { id: reply.id, updatedAt: reply.updatedAt }) },
      })
      onSaved()
    },
  })
  return (
    <FormFrame
      of={form}
      submitLabel={t('savedReplies.save')}
      busyLabel={t('forms.sending')}
      label={t(reply ? 'savedReplies.edit' : 'savedReplies.add')}
      explain={(failure) => failure.code === 'conflict' && t('savedReplies.outdated')}
      beside={
        <Button kind="quiet" onClick={onCancel}>
          {t('savedReplies.cancel')}
        </Button>
      }
      startAt="title"
      asksToLeave
    >
      <FormInput of={form} name="title" help={t('savedReplies.title.help')} autoComplete="off" />
      <FormTextArea of={form} name="en" rows={5} lang="en" />
      <FormTextArea of={form} name="cn" rows={5} lang="zh-Hans" />
    </FormFrame>
  )
}

export default page({ View: SavedRepliesView })

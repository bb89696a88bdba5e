import { useState } from 'react'
import {
  addConversationNote,
  answerConversation,
  assignConversation,
  checkConsoleConversation,
  closeConversation,
  getConsoleConversation,
  getConversationAttachment,
  listSavedReplies,
  removeConversationNote,
  revokeAnswerLinks,
  type ConsoleConversationDetail,
} from '#contract/people/console-conversations.ts'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { call, callFile, callUnseen, callWithProgress, CallFailed } from '../../kernel/call/call.ts'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import { showNotice } from '../../kernel/notices/notices.ts'
import { pathTo } from '../../kernel/routes/routes.ts'
import { staffName } from '../../kernel/i18n/staff-name.ts'
import { pathToCase } from '../../kyc/review/review-address.ts'
import { Address } from '../../kernel/ui/address.tsx'
import { Select } from '../../kernel/ui/field.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { MessageForm } from '../../conversations/message-form.tsx'
import { MessageThread, NewMessagesNote } from '../../conversations/message-thread.tsx'
import { useChanges } from '../../conversations/use-changes.ts'
import { AssignForm, nameOfAssignee } from '../detail/assign-form.tsx'
import type { ActionList } from '../detail/detail-actions.tsx'
import { detailPage, type DetailContext } from '../detail/detail-page.tsx'
import type { LabeledValues } from '../detail/labeled-facts.tsx'
import type { NotesSpec } from '../../kernel/staff-notes/staff-notes.tsx'
import { ConversationStatus, ConversationSubjectName } from './conversation-labels.tsx'

type Context = DetailContext<ConsoleConversationDetail>

function factsOf(of: Context): LabeledValues {
  const { record, t, moment } = of
  const { about, memberId, email, name, language, status, statusAt } = record
  return {
    'consoleConversations.about': <Subject about={about} of={record.of} record={record} />,
    'consoleConversations.from': memberId ? (
      <a href={pathTo('console.member', { id: memberId })}>
        <Address email={email} />
      </a>
    ) : (
      <Address email={email} />
    ),
    'consoleConversations.name': name,
    'consoleConversations.language': languageLabel(t, language),
    'console.assignee': nameOfAssignee(record, of),
    [status === 'open' ? 'consoleConversations.unansweredSince' : 'consoleConversations.statusSince']:
      moment(statusAt),
  }
}

function Subject({
  about,
  of,
  record,
}: Pick<ConsoleConversationDetail, 'about' | 'of'> & { record: ConsoleConversationDetail }) {
  const name = <ConversationSubjectName {...record} />
  if (of === null) return name
  return <a href={about === 'order' ? pathTo('console.order', { id: of }) : pathToCase(of)}>{name}</a>
}

function Thread({ of: { t, record, language } }: { of: Context }) {
  const { id, messages, name, email } = record
  return (
    <MessageThread
      messages={messages}
      authorOf={({ isFromStaff, by }) => {
        if (!isFromStaff) return name || email
        return by === null ? t('console.formerColleague') : staffName(by, language)
      }}
      isOwn={({ isFromStaff }) => isFromStaff}
      open={async ({ id: attachmentId }) =>
        (await callFile(getConversationAttachment, { params: { id, attachmentId } })).file
      }
    />
  )
}

/** The messages, and the form for an answer. */
function Talk({ of }: { of: Context }) {
  const { t, record, reader } = of
  const { id, memberId, isAnswerable, updatedAt } = record
  const [isOutdated, setOutdated] = useState(false)
  const [hasArrived, notice] = useChanges({
    shown: record,
    check: () => callUnseen(checkConsoleConversation, { params: { id } }),
    read: of.read,
    show: of.show,
  })
  return (
    <>
      <Thread of={of} />
      <NewMessagesNote isShown={hasArrived && !isOutdated} />
      {isOutdated && (
        <Message kind="bad" role="alert">
          <p>{t('consoleConversations.outdated')}</p>
        </Message>
      )}
      {isAnswerable ? (
        <MessageForm
          memberId={reader.id}
          draft={`answer ${id}`}
          label={t('consoleConversations.answer')}
          help={t(memberId ? 'consoleConversations.answer.help' : 'consoleConversations.answer.helpVisitor')}
          takesFiles={memberId !== null}
          above={(insert) => <SavedReplies of={of} insert={insert} />}
          send={async (message, idempotencyKey) => {
            try {
              const answered = await callWithProgress(
                answerConversation,
                { params: { id }, body: { ...message, updatedAt }, idempotencyKey },
                () => {},
              )
              setOutdated(false)
              notice()
              of.show(answered)
              showNotice(t('consoleConversations.answered'), 'success')
            } catch (failure) {
              // The text stays, and the new messages are shown above it.
              if (failure instanceof CallFailed && failure.code === 'conflict') {
                setOutdated(true)
                of.show(await of.read())
              }
              throw failure
            }
          }}
        />
      ) : (
        <p>{t('consoleConversations.readOnly')}</p>
      )}
    </>
  )
}

/** Inserts a saved reply in the language of the member or visitor. */
function SavedReplies({ of: { t, record }, insert }: { of: Context; insert: (text: string) => void }) {
  const loaded = useLoaded('', () => call(listSavedReplies, {}))
  if (loaded.state !== 'ready' || loaded.data.length === 0) return null
  return (
    <Select
      label={t('consoleConversations.reply')}
      help={t('consoleConversations.reply.help', { language: languageLabel(t, record.language) })}
      value=""
      onChange={({ target }) => {
        const reply = loaded.data.find(({ id }) => id === target.value)
        if (reply) insert(record.language === 'cn' ? reply.cn : reply.en)
      }}
    >
      <option value="">{t('consoleConversations.reply.choose')}</option>
      {loaded.data.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </Select>
  )
}

const notesOf = ({ t, record: { id, notes, about } }: Context): NotesSpec<ConsoleConversationDetail> => ({
  notes,
  draft: `conversation ${id}`,
  help: t(
    about === 'identity' ? 'consoleConversations.notes.helpPrivate' : 'consoleConversations.notes.help',
  ),
  schema: addConversationNote.body.shape.text,
  add: (text) => call(addConversationNote, { params: { id }, body: { text } }),
  remove: (noteId) => call(removeConversationNote, { params: { id, noteId } }),
})

function actionsOf(of: Context): ActionList<ConsoleConversationDetail> {
  const { id, status, updatedAt, assignee, colleagues, hasAnswerLink } = of.record
  return {
    before: (act, isBusy) => (
      <AssignForm
        key={assignee?.id ?? ''}
        assignee={assignee}
        reader={of.reader}
        colleagues={async () => colleagues}
        assign={(to) => call(assignConversation, { params: { id }, body: { to, updatedAt } })}
        act={act}
        isBusy={isBusy}
      />
    ),
    actions: [
      {
        words: 'consoleConversations.close',
        isOffered: status !== 'closed',
        isImmediate: true,
        step: () => call(closeConversation, { params: { id }, body: { updatedAt } }),
      },
      {
        words: 'consoleConversations.revoke',
        isOffered: hasAnswerLink,
        step: () => call(revokeAnswerLinks, { params: { id }, body: { updatedAt } }),
      },
    ],
  }
}

export default detailPage<ConsoleConversationDetail>({
  route: 'console.conversation',
  failed: 'consoleConversations.failed',
  gone: 'consoleConversations.gone',
  read: (id) => call(getConsoleConversation, { params: { id } }),
  mayAct: (_, { isAnswerable }) => isAnswerable,
  conflict: (record, words) => [
    ['consoleConversations.status', words.t(`consoleConversations.status.${record.status}`)],
    ['console.assignee', nameOfAssignee(record, words)],
    ['consoleConversations.count', String(record.messages.length)],
  ],
  name: ({ record }) => record.email,
  title: ({ record }) => <Address email={record.email} />,
  lead: ({ record }) => (
    <>
      <ConversationSubjectName {...record} />
      <ConversationStatus status={record.status} />
    </>
  ),
  columns: [
    (of) => [{ id: 'messages', heading: 'consoleConversations.messages', body: <Talk of={of} /> }],
    (of) => [
      { id: 'facts', heading: 'consoleConversations.facts', facts: factsOf(of) },
      {
        id: 'actions',
        heading: 'consoleConversations.actions',
        actions: actionsOf(of),
        readOnly: 'consoleConversations.readOnly',
      },
      { id: 'notes', heading: 'consoleConversations.notes', notes: notesOf(of) },
    ],
  ],
})

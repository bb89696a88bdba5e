import { lazy, Suspense, useId, useState } from 'react'
import { type AnnouncementState, categories, listCategories } from '#contract/publishing/announcements.ts'
import type { Language } from '#contract/platform/fields.ts'
import { languages } from '#contract/platform/languages.ts'
import { call, CallFailed } from '../../kernel/call/call.ts'
import { FormFrame } from '../../kernel/forms/form-frame.tsx'
import { FormInput, FormSelect } from '../../kernel/forms/form-input.tsx'
import { MoreMessages } from '../../kernel/content/more-messages.tsx'
import { languageLabel } from '../../kernel/i18n/language-label.ts'
import type { PlainKey } from '../../kernel/i18n/message-key.ts'
import { SentenceSpace, useMessages } from '../../kernel/i18n/messages.tsx'
import { useLoaded } from '../../kernel/actions/use-loaded.ts'
import { problemMessage } from '../../kernel/forms/problem-message.ts'
import type { ContractForm } from '../../kernel/forms/use-contract-form.ts'
import { Button, TextButton } from '../../kernel/ui/button.tsx'
import { Message } from '../../kernel/ui/form-status.tsx'
import { AutosaveLine } from '../autosaves/autosave-line.tsx'
import type { PostText } from '../autosaves/autosave.ts'
import { Conflict } from '../autosaves/conflict.tsx'
import { OfferedAutosave } from '../autosaves/offered-autosave.tsx'
import { categoryLabel } from '../../kernel/news-choice/category-labels.ts'
import { FieldNotes } from '../../kernel/ui/field.tsx'
import { Loading } from '../../kernel/ui/loading.tsx'
import { ScheduleFields } from '../schedule/schedule-fields.tsx'
import styles from './post-form.module.css'
import { PresentationFields } from './presentation-fields.tsx'
import { usePostForm, type PostFormOptions } from './use-post-form.ts'
import { type Schedule, useSchedule } from '../schedule/use-schedule.ts'
import type { Intent } from './save-post.ts'

type PostFormProps = PostFormOptions & {
  /** When a scheduled post will be published. */
  planned?: Schedule | null
  /** A text to start from. */
  original?: PostText
}

/** Creates a post or edits the given one. Input is kept until it is saved; Cancel discards it. */
export default function PostForm(props: PostFormProps) {
  return (
    <MoreMessages namespaces={['console', 'newsroom']}>
      <Form {...props} />
    </MoreMessages>
  )
}

function Form({ planned = null, original, ...options }: PostFormProps) {
  const { t, language } = useMessages()
  const { post } = options
  const postForm = usePostForm(options)
  const { of, state, dispatch } = postForm
  const isComparing = state.kind === 'conflict' && state.isShown
  return (
    <div className={styles.form} onBlur={() => dispatch({ type: 'flush', isLast: false })}>
      <h2>{t(headingOf(options))}</h2>
      {isComparing && (
        <Conflict
          mine={postForm.text()}
          theirs={state.theirs}
          isSending={of.isSending}
          onKeepMine={postForm.keepMine}
          onUseTheirs={() => dispatch({ type: 'useTheirs' })}
          onGoOn={() => dispatch({ type: 'showConflict', isShown: false })}
        />
      )}
      {/* Stays mounted below the two texts, because it holds the input. */}
      <div className={styles.fields} hidden={isComparing}>
        <AutosaveNotes postForm={postForm} />
        {original && (
          <div>
            <Button
              kind="quiet"
              onClick={() => postForm.fillIn({ ...original, language: postForm.text().language })}
            >
              {t('newsroom.translate.takeOver')}
            </Button>
          </div>
        )}
        <FormFrame
          of={of}
          startAt="title"
          submitLabel={t(post ? 'news.form.save' : 'news.form.publish')}
          busyLabel={t('forms.sending')}
          explain={(failure) => explainWith(t, failure)}
          beside={<BesideSave options={options} postForm={postForm} planned={planned} />}
        >
          <FormInput of={of} name="title" autoComplete="off" />
          <CategoryAndLanguage of={of} />
          <PostContent key={postForm.contentKey} of={of} language={of.values.language ?? language} />
          <PresentationFields
            post={post}
            content={of.values.content ?? ''}
            presentation={postForm.presentation}
            onChange={postForm.changePresentation}
          />
        </FormFrame>
      </div>
    </div>
  )
}

function headingOf({ post, translationOf }: PostFormOptions): PlainKey {
  if (post) return 'news.form.editHeading'
  return translationOf ? 'newsroom.translate.heading' : 'news.form.heading'
}

type UsedPostForm = ReturnType<typeof usePostForm>

/** What autosave kept: a restored text, a conflict with another editor, and texts from elsewhere. */
function AutosaveNotes({ postForm }: { postForm: UsedPostForm }) {
  const { t, formatDateTime } = useMessages()
  const { state, dispatch } = postForm
  return (
    <>
      {state.mine?.restoredFrom && (
        <p className={styles.restored}>
          {t('news.form.restored')}
          <SentenceSpace />
          {t('newsroom.restored.from', { time: formatDateTime(state.mine.restoredFrom) })}
          <SentenceSpace />
          <TextButton onClick={() => dispatch({ type: 'discard' })}>
            {t('newsroom.restored.discard')}
          </TextButton>
        </p>
      )}
      {state.kind === 'conflict' && (
        <Message kind="note">
          <p>
            {t('newsroom.conflict.open')}
            <SentenceSpace />
            <TextButton onClick={() => dispatch({ type: 'showConflict', isShown: true })}>
              {t('newsroom.conflict.show')}
            </TextButton>
          </p>
        </Message>
      )}
      <OfferedAutosave
        list={state.others}
        onContinue={(id) => void postForm.continueWith(id)}
        onDiscard={(id) => dispatch({ type: 'discardOther', id })}
      />
    </>
  )
}

/** The other ways to save the post, Cancel, and the autosave status. */
function BesideSave({
  options: { post, state = 'published' },
  postForm,
  planned,
}: {
  options: PostFormOptions
  postForm: UsedPostForm
  planned: Schedule | null
}) {
  const { t } = useMessages()
  const [isPlanning, setIsPlanning] = useState(false)
  const planningId = useId()
  const { of } = postForm
  const isReady = of.missing.length === 0 && !of.isSending
  return (
    <>
      <PublishWays
        state={post ? state : null}
        isReady={isReady}
        planningId={planningId}
        isPlanning={isPlanning}
        onPlanning={setIsPlanning}
        onIntent={(intent) => void postForm.send(intent)}
      />
      <Button kind="quiet" disabled={of.isSending} onClick={postForm.cancel}>
        {t('forms.cancel')}
      </Button>
      <AutosaveLine status={postForm.status} />
      {isPlanning && (
        <Planning
          id={planningId}
          planned={planned}
          isReady={isReady}
          serverError={timeError(of.failure)}
          onIntent={(intent) => void postForm.send(intent)}
        />
      )}
    </>
  )
}

function CategoryAndLanguage({ of }: { of: UsedPostForm['of'] }) {
  const { t } = useMessages()
  const known = useLoaded('categories', () => call(listCategories, {}))
  const names = (known.state === 'ready' ? known.data : categories).map(({ name }) => name)
  return (
    <div className={styles.pair}>
      <FormSelect of={of} name="category">
        <option value="">{t('news.form.choose')}</option>
        {names.map((name) => {
          const words = categoryLabel(name)
          return (
            <option key={name} value={name}>
              {words ? t(words) : name}
            </option>
          )
        })}
      </FormSelect>
      <FormSelect of={of} name="language">
        {languages.map((each) => (
          <option key={each} value={each}>
            {languageLabel(t, each)}
          </option>
        ))}
      </FormSelect>
    </div>
  )
}

/** The server validates the time again: it may have passed while the form was open. */
const timeError = (failure: unknown): string | undefined =>
  failure instanceof CallFailed
    ? failure.errors.find(({ path }) => path === 'publishAt' || path === 'zone')?.message
    : undefined

function explainWith(t: ReturnType<typeof useMessages>['t'], failure: CallFailed): string | undefined {
  return failure.code === 'not_found' ? t('newsroom.form.gone') : undefined
}

const RichTextEditor = lazy(() => import('../editor/editor.tsx'))

/** The content of a post in the editor, which loads when a form is opened. */
function PostContent({ of, language }: { of: ContractForm<PostText>; language: Language }) {
  const { t } = useMessages()
  const id = useId()
  const [html] = useState(() => of.form.getValues('content'))
  const label = t(of.labels.content)
  const { error } = of.form.getFieldState('content', of.form.formState)
  const errorText = error?.message ?? ''
  return (
    <div>
      <p className={styles.label}>{label}</p>
      <Suspense
        fallback={
          <div className={styles.editorRoom}>
            <Loading label={label} />
          </div>
        }
      >
        <RichTextEditor
          html={html}
          label={label}
          language={language}
          describedBy={`${id}-error`}
          onChange={(next) =>
            of.form.setValue('content', next, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
          }
        />
      </Suspense>
      <FieldNotes
        id={id}
        error={error && (error.type === 'server' ? errorText : problemMessage(t, errorText))}
      />
    </div>
  )
}

/** Actions next to the form's submit button. `state` is null for a new post. */
function PublishWays({
  state,
  isReady,
  planningId,
  isPlanning,
  onPlanning,
  onIntent,
}: {
  state: AnnouncementState | null
  isReady: boolean
  planningId: string
  isPlanning: boolean
  onPlanning: (isPlanning: boolean) => void
  onIntent: (intent: Intent) => void
}) {
  const { t } = useMessages()
  if (state === 'published' || state === 'deleted') return null
  return (
    <>
      {state === null ? (
        <Button kind="quiet" disabled={!isReady} onClick={() => onIntent({ kind: 'draft' })}>
          {t('newsroom.form.draft')}
        </Button>
      ) : (
        <Button kind="quiet" disabled={!isReady} onClick={() => onIntent({ kind: 'publish' })}>
          {t('newsroom.form.publish')}
        </Button>
      )}
      <Button
        kind="quiet"
        aria-expanded={isPlanning}
        aria-controls={isPlanning ? planningId : undefined}
        onClick={() => onPlanning(!isPlanning)}
      >
        {t(state === 'scheduled' ? 'newsroom.form.reschedule' : 'newsroom.form.schedule')}
      </Button>
    </>
  )
}

/** When the post will be published. */
function Planning({
  id,
  planned,
  isReady,
  serverError,
  onIntent,
}: {
  id: string
  planned: Schedule | null
  isReady: boolean
  serverError: string | undefined
  onIntent: (intent: Intent) => void
}) {
  const { t } = useMessages()
  const schedule = useSchedule(planned)
  const action = planned ? 'reschedule' : 'schedule'
  function plan() {
    const read = schedule.read()
    if (read) onIntent({ kind: 'schedule', ...read })
  }
  return (
    <div id={id} className={styles.planning} role="group" aria-label={t(`newsroom.${action}.heading`)}>
      <ScheduleFields of={schedule} serverError={serverError} />
      <div>
        <Button kind="quiet" disabled={!isReady} onClick={plan}>
          {t(`newsroom.${action}.submit`)}
        </Button>
      </div>
    </div>
  )
}

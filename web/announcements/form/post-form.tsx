import { useId, useState } from 'react'
import { categories, listCategories } from '#contract/announcements.ts'
import { languages } from '#contract/languages.ts'
import { call, CallFailed } from '../../call/call.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { FormInput, FormSelect } from '../../forms/form-input.tsx'
import { MoreMessages } from '../../content/more-messages.tsx'
import { languageName } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { useLoaded } from '../../actions/use-loaded.ts'
import { Button, TextButton } from '../../ui/button.tsx'
import { Message } from '../../ui/form-status.tsx'
import { AutosaveLine } from '../autosaves/autosave-line.tsx'
import type { PostText } from '../autosaves/autosave.ts'
import { Conflict } from '../autosaves/conflict.tsx'
import { OfferedAutosave } from '../autosaves/offered-autosave.tsx'
import { categoryLabel } from '../../news-choice/category-labels.ts'
import { PostContent } from './post-content.tsx'
import styles from './post-form.module.css'
import { Planning, PublishWays } from './publish-ways.tsx'
import { usePostForm, type PostFormOptions } from './use-post-form.ts'
import type { Schedule } from '../schedule/use-schedule.ts'

type PostFormProps = PostFormOptions & {
  /** When a scheduled post will be published. */
  planned?: Schedule | null
  /** A text to start from. */
  original?: PostText
}

/** Creates a post or edits the given one. Input is kept until it is saved; Cancel discards it. */
export default function PostForm(props: PostFormProps) {
  return (
    <MoreMessages namespaces={['newsroom']}>
      <Form {...props} />
    </MoreMessages>
  )
}

function Form({ planned = null, original, ...options }: PostFormProps) {
  const { t, language, formatDateTime } = useMessages()
  const { post, state: postState = 'published', translationOf } = options
  const postForm = usePostForm(options)
  const { of, state, dispatch } = postForm
  const isComparing = state.kind === 'conflict' && state.isShown
  const known = useLoaded('categories', () => call(listCategories, {}))
  const [isPlanning, setIsPlanning] = useState(false)
  const planningId = useId()
  const names = (known.state === 'ready' ? known.data : categories).map(({ name }) => name)
  const heading = post
    ? 'news.form.editHeading'
    : translationOf
      ? 'newsroom.translate.heading'
      : 'news.form.heading'
  return (
    <div className={styles.form} onBlur={() => dispatch({ type: 'flush', isLast: false })}>
      <h2>{t(heading)}</h2>
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
        {state.mine?.restoredFrom && (
          <p className={styles.restored}>
            {t('news.form.restored')}{' '}
            {t('newsroom.restored.from', { time: formatDateTime(state.mine.restoredFrom) })}{' '}
            <TextButton onClick={() => dispatch({ type: 'discard' })}>
              {t('newsroom.restored.discard')}
            </TextButton>
          </p>
        )}
        {state.kind === 'conflict' && (
          <Message kind="note">
            <p>
              {t('newsroom.conflict.open')}{' '}
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
          beside={
            <>
              <PublishWays
                state={post ? postState : null}
                isReady={of.missing.length === 0 && !of.isSending}
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
                  isReady={of.missing.length === 0 && !of.isSending}
                  serverError={timeError(of.failure)}
                  onIntent={(intent) => void postForm.send(intent)}
                />
              )}
            </>
          }
        >
          <FormInput of={of} name="title" autoComplete="off" />
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
                  {languageName[each]}
                </option>
              ))}
            </FormSelect>
          </div>
          <PostContent key={postForm.contentKey} of={of} language={of.values.language ?? language} />
        </FormFrame>
      </div>
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

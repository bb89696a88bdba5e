import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import {
  type ConsoleView,
  deleteConsoleView,
  renameConsoleView,
  saveConsoleView,
  viewCountMax,
  viewName,
} from '#contract/console/console-views.ts'
import { useAction } from '../actions/use-action.ts'
import { call, CallFailed } from '../call/call.ts'
import { ConfirmDialog } from '../forms/confirm-dialog.tsx'
import { boundsOf } from '../forms/field-bounds.ts'
import { useMessages } from '../i18n/messages.tsx'
import { navigate } from '../navigation/navigate.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox, TextField } from '../ui/field.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useViews, type SavedView, type Viewed } from './use-views.ts'
import styles from './saved-views.module.css'

/**
 * Shown above the filters: the reader's saved views of the list, if there are any. `children` renders the filters and
 * receives the button that saves the current ones.
 */
export function SavedViews({ list, children }: { list: Viewed; children: (save: ReactNode) => ReactNode }) {
  const { t } = useMessages()
  const { loaded, views, current } = useViews(list)
  const isPlain = list.shown === ''
  const [dialog, setDialog] = useState<ViewDialogState>()
  const links = useRef<HTMLElement>(null)
  const saving = useRef<HTMLButtonElement>(null)
  const focusAfterwards = useFocusAfterwards(links, saving)
  const save = loaded.state === 'ready' && !current && !isPlain && (
    <Button kind="quiet" ref={saving} onClick={() => setDialog({ step: 'save', query: list.shown })}>
      {t('console.views.save')}
    </Button>
  )
  return (
    <>
      {loaded.state === 'failed' && (
        <p className={styles.failed} role="status">
          {t('console.views.failed')} <TextButton onClick={loaded.retry}>{t('forms.retry')}</TextButton>
        </p>
      )}
      {views.length > 0 && (
        <div className={styles.row}>
          <ViewLinks ref={links} all={{ href: list.path, isCurrent: !current && isPlain }} views={views} />
          {current?.isEditable && (
            <div className={styles.actions}>
              <TextButton onClick={() => setDialog({ step: 'rename', view: current })}>
                {t('console.views.rename')}
              </TextButton>
              <TextButton onClick={() => setDialog({ step: 'drop', view: current })}>
                {t('console.views.drop')}
              </TextButton>
            </div>
          )}
        </div>
      )}
      {children(save)}
      {dialog && (
        <ViewDialog
          dialog={dialog}
          list={list.name}
          views={loaded.state === 'ready' ? loaded.data : []}
          onChanged={(changed) => {
            if (loaded.state === 'ready') loaded.setData(changed)
            focusAfterwards()
          }}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  )
}

type ViewLinksProps = {
  ref: RefObject<HTMLElement | null>
  all: { href: string; isCurrent: boolean }
  views: readonly SavedView[]
}

/** The reader's own views, and then the shared ones. */
function ViewLinks({ ref, all, views }: ViewLinksProps) {
  const { t, addNote, formatNumber } = useMessages()
  const countOf = (count: number) =>
    count > viewCountMax ? `${formatNumber(viewCountMax)}+` : formatNumber(count)
  const linkTo = ({ id, name, address, isCurrent, count }: SavedView) => (
    <ViewLink key={id} href={address} isCurrent={isCurrent}>
      {count === undefined ? name : addNote(name, countOf(count))}
    </ViewLink>
  )
  const shared = views.filter(({ isShared }) => isShared)
  return (
    <nav ref={ref} className={styles.views} aria-label={t('console.views')}>
      <ul>
        <ViewLink {...all}>{t('console.views.all')}</ViewLink>
        {views.filter(({ isShared }) => !isShared).map(linkTo)}
      </ul>
      {shared.length > 0 && (
        <ul aria-label={t('console.views.shared')}>
          <li aria-hidden="true" className={styles.heading}>
            {t('console.views.shared')}
          </li>
          {shared.map(linkTo)}
        </ul>
      )}
    </nav>
  )
}

/**
 * The button that opened the dialog disappears afterwards, so the focus moves to the current view or, if there is none,
 * to the save button.
 */
function useFocusAfterwards(
  links: RefObject<HTMLElement | null>,
  saving: RefObject<HTMLElement | null>,
): () => void {
  const [isDone, setDone] = useState(false)
  useEffect(() => {
    if (!isDone) return
    setDone(false)
    const current = links.current?.querySelector<HTMLElement>('[aria-current]')
    ;(current ?? saving.current)?.focus()
  }, [isDone, links, saving])
  return () => setDone(true)
}

function ViewLink({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: ReactNode }) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'true' : undefined} onClick={openInPlace}>
        {children}
      </a>
    </li>
  )
}

/** The list changes under the same heading, so the focus does not move, as with a filter. */
function openInPlace(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  void navigate(event.currentTarget.href, { inPlace: true })
}

type ViewDialogState = { step: 'save'; query: string } | { step: 'rename' | 'drop'; view: ConsoleView }

type Props = {
  dialog: ViewDialogState
  list: string
  views: readonly ConsoleView[]
  onChanged: (views: ConsoleView[]) => void
  onClose: () => void
}

/** Saves, renames or deletes a view. */
function ViewDialog(props: Props) {
  const { dialog } = props
  return dialog.step === 'drop' ? (
    <DeleteViewDialog {...props} view={dialog.view} />
  ) : (
    <NameViewDialog {...props} />
  )
}

function DeleteViewDialog({ view, views, onChanged, onClose }: Props & { view: ConsoleView }) {
  const { t } = useMessages()
  return (
    <ConfirmDialog
      title={t('console.views.drop.title', { name: view.name })}
      label={t('console.views.drop.now')}
      kind="danger"
      step={() => call(deleteConsoleView, { params: { id: view.id } }).catch(ignoreGone)}
      onDone={() => onChanged(views.filter(({ id }) => id !== view.id))}
      onClose={onClose}
    >
      <p>{t('console.views.drop.help')}</p>
      {view.isShared && <p>{t('console.views.drop.shared')}</p>}
    </ConfirmDialog>
  )
}

/** The view was deleted in another window, which is the intended result. */
function ignoreGone(failure: unknown): void {
  if (!(failure instanceof CallFailed && failure.code === 'not_found')) throw failure
}

/** The name and sharing of a view, as entered. */
function useNaming({ dialog, list, views, onChanged, onClose }: Props) {
  const renamed = 'view' in dialog ? dialog.view : undefined
  const [typed, setTyped] = useState(renamed?.name ?? '')
  const [isShared, setShared] = useState(renamed?.isShared ?? false)
  const { isBusy, error, run } = useAction()
  const name = typed.trim()
  const same = views.find((view) => view.isOwn && view.name === name && view.id !== renamed?.id)
  const isTaken = same !== undefined && renamed !== undefined
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (name === '' || isTaken) return
    await run(async () => {
      const saved = await ('view' in dialog
        ? call(renameConsoleView, { params: { id: dialog.view.id }, body: { name, isShared } })
        : call(saveConsoleView, { body: { list, name, query: dialog.query, isShared } }))
      const isKnown = views.some(({ id }) => id === saved.id)
      onClose()
      onChanged(isKnown ? views.map((view) => (view.id === saved.id ? saved : view)) : [...views, saved])
    })
  }
  return { renamed, typed, setTyped, isShared, setShared, name, same, isTaken, isBusy, error, submit }
}

function NameViewDialog(props: Props) {
  const { onClose } = props
  const { t } = useMessages()
  const form = useId()
  const { renamed, typed, setTyped, isShared, setShared, name, same, isTaken, isBusy, error, submit } =
    useNaming(props)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        renamed ? t('console.views.rename.title', { name: renamed.name }) : t('console.views.save.title')
      }
      actions={
        <>
          <Button kind="quiet" disabled={isBusy} onClick={onClose}>
            {t('forms.cancel')}
          </Button>
          <Button type="submit" form={form} busy={isBusy} disabled={name === '' || isTaken}>
            {t(renamed ? 'console.views.rename.now' : 'console.views.save.now')}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('console.views.name')}
          help={renamed ? undefined : t(same ? 'console.views.save.replaces' : 'console.views.save.help')}
          error={isTaken ? t('console.views.taken') : undefined}
          maxLength={boundsOf(viewName).maxLength}
          autoComplete="off"
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Checkbox
          label={t('console.views.share')}
          help={t('console.views.share.help')}
          checked={isShared}
          onChange={({ target }) => setShared(target.checked)}
        />
      </form>
      <FormStatus error={error} />
    </Dialog>
  )
}

import {
  Component,
  startTransition,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { BrandProvider } from './kernel/content/brand.tsx'
import { interpolate } from './kernel/i18n/interpolate.ts'
import { useMessages, MessagesProvider } from './kernel/i18n/messages.tsx'
import { Hidden } from './kernel/layout/hidden.tsx'
import { frameParts } from './kernel/layout/served/deferred-frame-parts.ts'
import { navigate, setLanguageInPlace } from './kernel/navigation/navigate.ts'
import { titleOfView } from './kernel/navigation/head-of-view.ts'
import type { PrepareFrame } from './kernel/navigation/prepare-frame.ts'
import { currentView, onView, type View } from './kernel/navigation/view.ts'
import type { Route } from './kernel/routes/routes.ts'
import { departures } from './kernel/session/session.ts'
import { useStore } from './kernel/state/create-store.ts'
import { Still } from './kernel/still/still.tsx'
import { useInBrowser } from './kernel/state/use-in-browser.ts'
import button from './kernel/ui/button.module.css'
import styles from './kernel/layout/waiting/waiting.module.css'

/** The frame around every page of a program. */
export type Frame = ComponentType<{ route: Route; year: string; children: ReactNode }> & {
  prepare?: PrepareFrame
}

type RouterProps = { first: View; year: string; frame: Frame }

/** Everything that React renders: the frame with the page of the current view. */
export function Router({ first, year, frame: Root }: RouterProps) {
  const [view, setView] = useState(first)
  useEffect(() => {
    const follow = (next: View) => startTransition(() => setView(next))
    // The next view may have arrived before hydration.
    if (currentView() !== first) follow(currentView())
    return onView(follow)
  }, [first])
  useLayoutEffect(() => view.onShown?.(view), [view])
  const { language, messages, route } = view
  const spoken = useMemo(
    () => ({ language, messages, setLanguage: setLanguageInPlace }),
    [language, messages],
  )
  return (
    <MessagesProvider value={spoken}>
      <BrandProvider value={view.brand}>
        <Root route={route} year={year}>
          <Guarded key={`${pageKey(view)} ${useStore(departures)}`}>
            <Content view={view} />
          </Guarded>
        </Root>
      </BrandProvider>
      <div aria-live="polite">
        <Hidden>
          {hasMoved(view) && titleOfView(view, (key) => interpolate(messages[key] ?? '', language))}
        </Hidden>
      </div>
    </MessagesProvider>
  )
}

/** An error in a page leaves the frame and the navigation intact. */
class Guarded extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true }
  }

  override render(): ReactNode {
    return this.state.isBroken ? <Broken /> : this.props.children
  }
}

function Broken() {
  const { t } = useMessages()
  return <Failed message={t('errors.unexpected')} onRetry={() => location.reload()} />
}

/** The same page in another language keeps its key, and therefore its input. */
const pageKey = ({ route, params }: View): string => [route.name, ...Object.values(params)].join('/')

const hasMoved = ({ arrival }: View): boolean => arrival === 'link' || arrival === 'history'

function Content({ view }: { view: View }) {
  const { content, params, url, route } = view
  // The server renders a page once for all queries, so hydration must not see the query.
  const query = useInBrowser(() => url.search, '')
  const search = useMemo(() => new URLSearchParams(query), [query])
  if (content.kind === 'loading')
    return <Still of={frameParts} part="Waiting" given={route.begins ? { begins: route.begins } : {}} />
  if (content.kind === 'failed')
    return <Failed message={content.message} onRetry={() => void navigate(url.href, { replace: true })} />
  const { View: PageView } = content.page
  return (
    // A page may be hydrated later than its frame.
    <Suspense>
      <PageView data={content.data} params={params} search={search} />
    </Suspense>
  )
}

/**
 * Shown in place of a page whose data failed to load. It is part of every program's first script, because the
 * connection may have failed; so it only has the look of a button, without the full component.
 */
function Failed({ message, onRetry }: { message: string; onRetry: () => void }) {
  const { t } = useMessages()
  return (
    <div className={styles.waiting}>
      <h1>{t('layout.failed.title')}</h1>
      <p>{message}</p>
      <button type="button" className={`${button.button} ${button.quiet}`} onClick={onRetry}>
        <span>{t('layout.failed.retry')}</span>
      </button>
    </div>
  )
}

import type { ComponentProps } from 'react'
import { useMessages } from '../i18n/messages.tsx'
import { Loading } from '../ui/loading.tsx'
import { LoadFailed } from './load-failed.tsx'
import type { Loaded } from './use-loaded.ts'

type Props = Pick<ComponentProps<typeof LoadFailed>, 'title'> & {
  of: Exclude<Loaded<unknown>, { state: 'ready' }>
}

/** Shown in place of data that is still loading or failed to load. */
export function NotLoaded({ of, ...failed }: Props) {
  const { t } = useMessages()
  if (of.state === 'loading') return <Loading label={t('forms.loading')} />
  return <LoadFailed {...failed} failure={of.failure} retry={of.retry} />
}

import { lazy, Suspense, useState } from 'react'
import type { RetainedData } from '#contract/people/privacy.ts'
import { useMessages } from '../kernel/i18n/messages.tsx'
import { Button } from '../kernel/ui/button.tsx'
import { Loading } from '../kernel/ui/loading.tsx'

// Loaded on demand, because few members need it.
const Erasure = lazy(() => import('./erasure.tsx').then((part) => ({ default: part.Erasure })))

/** Explains what an erasure does, and erases the account once the member confirms and enters the password. */
export function EraseAccount({ email, onErased }: { email: string; onErased: (kept: RetainedData) => void }) {
  const { t } = useMessages()
  const [isOpen, setIsOpen] = useState(false)
  if (!isOpen)
    return (
      <div>
        <Button kind="danger" onClick={() => setIsOpen(true)}>
          {t('account.erase.begin')}
        </Button>
      </div>
    )
  return (
    <Suspense fallback={<Loading label={t('forms.loading')} />}>
      <Erasure email={email} onErased={onErased} onCancel={() => setIsOpen(false)} />
    </Suspense>
  )
}

import * as z from 'zod/mini'
import { setAmbassadorOrder } from '#contract/console-ambassador-profiles.ts'
import { call, CallFailed } from '../../call/call.ts'
import { useAction } from '../../actions/use-action.ts'
import { boundsOf } from '../../forms/field-bounds.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { showNotice } from '../../notices/notices.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FormStatus } from '../../ui/form-status.tsx'
import { useState } from 'react'
import type { AmbassadorActionProps } from './ambassador-profile-page.tsx'
import styles from './ambassador-profiles.module.css'

const typed = z.coerce.number().check(z.int(), z.gte(1))
/** As many digits as a position can have. */
const wantedPlace = z.string().check(z.maxLength(6))

/** The ambassador's position on the page, from 1. */
export function PlaceForm({ ambassador, onChanged, onStale }: AmbassadorActionProps) {
  const { t } = useMessages()
  const { id, place, placeMax } = ambassador
  const [wanted, setWanted] = useState(String(place))
  const { isBusy, error, run } = useAction()
  const parsed = typed.safeParse(wanted)
  const move = () =>
    run(async () => {
      if (!parsed.success) return
      try {
        const latest = await call(setAmbassadorOrder, { params: { id }, body: { place: parsed.data } })
        showNotice(t('consoleAmbassadorProfiles.placed', { place: latest.place ?? '' }), 'success')
        onChanged(latest)
      } catch (failure) {
        if (failure instanceof CallFailed && failure.code === 'conflict') return onStale()
        throw failure
      }
    })
  return (
    <form
      className={styles.place}
      onSubmit={(event) => {
        event.preventDefault()
        void move()
      }}
    >
      <TextField
        label={t('consoleAmbassadorProfiles.placeField', { max: placeMax })}
        maxLength={boundsOf(wantedPlace).maxLength}
        inputMode="numeric"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      <Button
        type="submit"
        kind="quiet"
        busy={isBusy}
        disabled={!parsed.success || parsed.data > placeMax || parsed.data === place}
      >
        {t('consoleAmbassadorProfiles.place.do')}
      </Button>
      <FormStatus error={error} />
    </form>
  )
}

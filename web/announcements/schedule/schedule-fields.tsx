import { useId, type ReactNode } from 'react'
import { scheduleDaysMax } from '#contract/newsroom.ts'
import { spaceDate } from '#contract/space-date.ts'
import { locale } from '../../i18n/language.ts'
import { useMessages } from '../../i18n/messages.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import styles from './schedule.module.css'
import type { ScheduleState } from './use-schedule.ts'
import { offsetName } from './zoned-time.ts'
import { ownZone, zoneName, zonesToChoose } from './zones.ts'

/** Date, time, and time zone, and the resulting time in UTC and in the reader's own zone. */
export function ScheduleFields({ of, serverError }: { of: ScheduleState; serverError?: ReactNode }) {
  const { t, language } = useMessages()
  const name = useId()
  const { chosen, checked, change } = of
  const { first, rest } = zonesToChoose(chosen.zone)
  const values = { zone: zoneName(chosen.zone), days: scheduleDaysMax }
  const { at } = checked
  const inZone = (zone: string) =>
    at !== null &&
    spaceDate(
      new Intl.DateTimeFormat(locale[language], {
        dateStyle: 'medium',
        timeStyle: 'short',
        timeZone: zone,
      }).format(at),
    )
  const option = (zone: string) => (
    <option key={zone} value={zone}>
      {zoneName(zone)}
    </option>
  )
  return (
    <div className={styles.schedule}>
      <div className={styles.pair}>
        <TextField
          type="datetime-local"
          label={t('newsroom.schedule.time')}
          value={chosen.local}
          aria-required
          error={checked.problem ? t(`newsroom.schedule.${checked.problem}`, values) : serverError}
          onChange={(event) => change({ local: event.target.value.slice(0, 16) })}
        />
        <Select
          label={t('newsroom.schedule.zone')}
          value={chosen.zone}
          onChange={(event) => change({ zone: event.target.value })}
        >
          <optgroup label={t('newsroom.schedule.zone.near')}>{first.map(option)}</optgroup>
          <optgroup label={t('newsroom.schedule.zone.all')}>
            {rest.filter((zone) => !first.includes(zone)).map(option)}
          </optgroup>
        </Select>
      </div>
      {checked.isTwice && (
        <fieldset className={styles.twice}>
          <legend>{t('newsroom.schedule.twice')}</legend>
          {[false, true].map((isLater) => (
            <label key={String(isLater)}>
              <input
                type="radio"
                name={name}
                checked={chosen.isLater === isLater}
                onChange={() => change({ isLater })}
              />
              {t(isLater ? 'newsroom.schedule.second' : 'newsroom.schedule.first')}
            </label>
          ))}
        </fieldset>
      )}
      {at !== null && (
        <dl className={styles.moment}>
          <div>
            <dt>{zoneName(chosen.zone)}</dt>
            <dd>
              {inZone(chosen.zone)} <span>{offsetName(at, chosen.zone)}</span>
            </dd>
          </div>
          {chosen.zone !== 'UTC' && (
            <div>
              <dt>UTC</dt>
              <dd>{inZone('UTC')}</dd>
            </div>
          )}
          {chosen.zone !== ownZone() && ownZone() !== 'UTC' && (
            <div>
              <dt>{t('newsroom.schedule.yours', { zone: zoneName(ownZone()) })}</dt>
              <dd>{inZone(ownZone())}</dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}

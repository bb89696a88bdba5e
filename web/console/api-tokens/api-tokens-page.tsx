import { useState } from 'react'
import { useMessages } from '../../i18n/messages.tsx'
import { page, type PageProps } from '../../routes/page.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { ConsoleList } from '../list/console-list.tsx'
import { MakeTokenDialog } from './make-token-dialog.tsx'
import { TokenActions } from './token-actions.tsx'
import { tokenList } from './token-list.tsx'
import { TokenSecret } from './token-secret.tsx'

const ownTokens = tokenList(false)
const allTokens = tokenList(true)

function ApiTokensView({ search }: PageProps<unknown>) {
  const { t } = useMessages()
  const { member } = useSession()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<{ name: string; secret: string }>()
  const [shown, setShown] = useState(0)
  return (
    <>
      <PageHead
        heading={t('console.nav.apiTokens')}
        lead={t('tokens.lead')}
        action={member && <Button onClick={() => setMaking(true)}>{t('tokens.make')}</Button>}
      />
      {member && (
        <ConsoleList
          // A new token reloads the list.
          key={shown}
          spec={member.isWriteAccessAdmin ? allTokens : ownTokens}
          search={search}
          rowActions={(token, reload) => <TokenActions token={token} reload={reload} />}
        />
      )}
      {member && isMaking && (
        <MakeTokenDialog maker={member} onDone={setMade} onClose={() => setMaking(false)} />
      )}
      {made && (
        <TokenSecret
          title={t('tokens.made', { name: made.name })}
          secret={made.secret}
          onClose={() => {
            setMade(undefined)
            setShown(shown + 1)
          }}
        />
      )}
    </>
  )
}

export default page({ View: ApiTokensView })

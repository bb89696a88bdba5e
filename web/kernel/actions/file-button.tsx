import type { CallOf, Endpoint } from '#contract/platform/endpoint.ts'
import { callFile } from '../call/call.ts'
import { saveFile } from '../save-file.ts'
import { Button } from '../ui/button.tsx'
import { FormStatus } from '../ui/form-status.tsx'
import { useAction } from './use-action.ts'

/** Downloads the file that an endpoint returns. `name` is used if the response has no file name. */
export function FileButton<E extends Endpoint>({
  label,
  endpoint,
  input,
  name,
}: {
  label: string
  endpoint: E
  input: () => CallOf<E>
  name: string
}) {
  const { isBusy, error, run } = useAction()
  const download = () =>
    run(async () => {
      const answered = await callFile(endpoint, input())
      saveFile(answered.file, answered.name ?? name)
    })
  return (
    <div>
      <Button kind="quiet" busy={isBusy} onClick={() => void download()}>
        {label}
      </Button>
      <FormStatus error={error} />
    </div>
  )
}

/** From here on, the command ends by itself. A closed connection or Ctrl+C doesn't interrupt it. */
export function continueToTheEnd(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => console.log('The command can’t be interrupted safely. Wait until it ends.'))
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}
